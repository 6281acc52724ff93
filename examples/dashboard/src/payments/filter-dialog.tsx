// The dialog that sets the filters of the list.
import { type FormEvent, useState } from 'react'
import { type Client, useClient } from 'urql'
import { DecimalsDocument } from '../gql/graphql.ts'
import { documentOf } from '../graphql/client.ts'
import { failureOfError } from '../graphql/failure.ts'
import { Field, filledIn } from '../parts/form.tsx'
import { figuresOf } from '../parts/money.tsx'
import { lookOf } from '../parts/status.tsx'
import { parseAmount } from '../parts/typed-amount.ts'
import { sentence } from '../parts/words.ts'
import { zoneText } from '../parts/zone.ts'
import { Dialog } from '../shell/dialog.tsx'
import { STATUSES, TYPES } from './filter.ts'
import type { Props as FiltersProps } from './filters.tsx'

type Texts = Readonly<Record<string, string>>

const AMOUNTS = ['minAmount', 'maxAmount'] as const

interface Props extends FiltersProps {
  readonly close: () => void
}

export const FilterDialog = ({ query, change, close }: Props) => {
  const client = useClient()
  const [problems, setProblems] = useState<Texts>({})
  const has = (name: string, value: string) => query.get(name)?.split(',').includes(value) ?? false
  const apply = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const filled = filledIn(event.currentTarget)
    const { direction = null, currency: code, startDate = null, endDate = null } = filled
    const currency = code?.toUpperCase() ?? null
    const { amounts, wrong } = await amountsIn(client, filled, currency)
    if (startDate && endDate && endDate < startDate) wrong['endDate'] = 'Before the first day'
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    close()
    change({
      statuses: form.getAll('statuses').join(',') || null,
      types: form.getAll('types').join(',') || null,
      minAmount: null,
      maxAmount: null,
      ...amounts,
      ...{ direction, currency, startDate, endDate },
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
  const field = (name: string, label: string, input: Partial<Parameters<typeof Field>[0]> = {}) => (
    <Field
      name={name}
      label={label}
      className="h"
      defaultValue={query.get(name) ?? ''}
      problem={problems[name]}
      {...input}
    />
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
        {field('direction', 'Direction', {
          choices: [
            ['', 'Both'],
            ['DEBIT', 'Debit: taken from an account'],
            ['CREDIT', 'Credit: pushed to an account'],
          ],
        })}
        {field('currency', 'Currency', { input: { placeholder: 'Any, or USD' } })}
        {field('minAmount', 'Amount, at least', { input: { inputMode: 'decimal' } })}
        {field('maxAmount', 'Amount, at most', { input: { inputMode: 'decimal' } })}
        {field('startDate', 'From', { help: `Days in ${zoneText}`, input: { type: 'date' } })}
        {field('endDate', 'Until', { input: { type: 'date' } })}
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

/** Reads the typed amounts. Returns them as they stand in the address, with all decimals of the currency, and the problem of each wrong field. */
const amountsIn = async (client: Client, filled: Texts, currency: string | null) => {
  const amounts: Record<string, string> = {}
  const wrong: Record<string, string> = {}
  const found = { amounts, wrong }
  if (!AMOUNTS.some((name) => filled[name])) return found
  if (!currency) {
    wrong['currency'] = 'Needed for an amount'
    return found
  }
  const { data, error } = await client.query(documentOf(DecimalsDocument), { currency }).toPromise()
  const decimals = data?.transactions?.nodes[0]?.amount.currency.decimals
  if (decimals === undefined) {
    wrong['currency'] = error ? failureOfError(error).message : `No payment is in ${currency}`
    return found
  }
  const parsed: Partial<Record<(typeof AMOUNTS)[number], number>> = {}
  for (const name of AMOUNTS) {
    const typed = filled[name] ? parseAmount(filled[name], decimals) : undefined
    if (typed && 'problem' in typed) wrong[name] = typed.problem
    else if (typed) {
      parsed[name] = typed.amount
      amounts[name] = figuresOf(typed.amount, decimals).replaceAll(',', '')
    }
  }
  const { minAmount = 0, maxAmount = Number.POSITIVE_INFINITY } = parsed
  if (maxAmount < minAmount) wrong['maxAmount'] = 'Below the smallest amount'
  return found
}
