// The bar above the table: search, a chip for each filter, and the dialog that sets them.
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { lookOf } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import { Dialog } from '../shell/dialog.tsx'
import { useKeys } from '../shell/keys.ts'
import { chipsOf, STATUSES, TYPES } from './filter.ts'

interface Props {
  readonly query: URLSearchParams
  /** `replace` is used while typing, so that the history has only one entry. */
  readonly change: (changes: Readonly<Record<string, string | null>>, replace?: boolean) => void
}

const TYPING_MS = 250

export const Filters = ({ query, change }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const inAddress = query.get('search') ?? ''
  const [typed, setTyped] = useState(inAddress)
  const sent = useRef(inAddress)
  useEffect(() => {
    if (inAddress !== sent.current) setTyped(inAddress)
    sent.current = inAddress
  }, [inAddress])
  useEffect(() => {
    if (typed.trim() === sent.current) return
    const timer = setTimeout(() => {
      sent.current = typed.trim()
      change({ search: typed.trim() || null }, true)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, change])
  useKeys([
    { press: '/', does: 'Search payments', run: () => field.current?.focus() },
    { press: 'f', does: 'Filter', run: () => setOpen(true) },
  ])
  return (
    <div className="bar">
      <div className="search">
        <label className="vh" htmlFor="q">
          Search payments
        </label>
        <Icon name="find" />
        <input
          ref={field}
          className="in"
          id="q"
          type="search"
          placeholder="Name, merchant or description"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          onKeyDown={({ key }) => key === 'Escape' && field.current?.blur()}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      <div className="chips">
        {chipsOf(query).map(({ name, label, text }) => (
          <span className="chip" key={name}>
            <span>
              {label} <b>{text}</b>
            </span>
            <button
              type="button"
              aria-label={`Remove filter: ${label.toLowerCase()}`}
              onClick={() => change({ [name]: null })}
            >
              <Icon name="x" />
            </button>
          </span>
        ))}
        <button type="button" className="chip add" onClick={() => setOpen(true)}>
          <Icon name="plus" />
          Filter <kbd aria-hidden="true">F</kbd>
        </button>
      </div>
      {isOpen && <FilterDialog query={query} change={change} close={() => setOpen(false)} />}
    </div>
  )
}

const FilterDialog = ({ query, change, close }: Props & { readonly close: () => void }) => {
  const has = (name: string, value: string) => query.get(name)?.split(',').includes(value) ?? false
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim() || null
    close()
    change({
      statuses: form.getAll('statuses').join(',') || null,
      types: form.getAll('types').join(',') || null,
      direction: text('direction'),
      currency: text('currency')?.toUpperCase() ?? null,
      startDate: text('startDate'),
      endDate: text('endDate'),
    })
  }
  const boxes = (name: string, values: readonly string[], word: (value: string) => string) => (
    <div className="boxes">
      {values.map((value) => (
        <label key={value} className="check">
          <input type="checkbox" name={name} value={value} defaultChecked={has(name, value)} />
          {word(value)}
        </label>
      ))}
    </div>
  )
  return (
    <Dialog title="Filter payments" close={close}>
      <form onSubmit={apply} className="form">
        <fieldset>
          <legend className="field">Status</legend>
          {boxes('statuses', STATUSES, (value) => lookOf(value).word)}
        </fieldset>
        <fieldset>
          <legend className="field">Kind</legend>
          {boxes('types', TYPES, sentence)}
        </fieldset>
        <label className="field h">
          Direction
          <select className="in" name="direction" defaultValue={query.get('direction') ?? ''}>
            <option value="">Both</option>
            <option value="DEBIT">Debit: taken from an account</option>
            <option value="CREDIT">Credit: pushed to an account</option>
          </select>
        </label>
        <label className="field h">
          Currency
          <input className="in" name="currency" defaultValue={query.get('currency') ?? ''} placeholder="Any, or USD" />
        </label>
        <label className="field h">
          From
          <input className="in" type="date" name="startDate" defaultValue={query.get('startDate') ?? ''} />
        </label>
        <label className="field h">
          Until
          <input className="in" type="date" name="endDate" defaultValue={query.get('endDate') ?? ''} />
        </label>
        <div className="wrap end">
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn go">
            Show payments
          </button>
        </div>
      </form>
    </Dialog>
  )
}
