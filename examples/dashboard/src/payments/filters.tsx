// The bar above the table: search, and a chip for each filter.
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { useKeys } from '../shell/keys.ts'
import { chipsOf } from './filter.ts'
import { FilterDialog } from './filter-dialog.tsx'

export interface Props {
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
