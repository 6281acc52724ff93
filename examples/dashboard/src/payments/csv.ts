// Exports the filtered payments, page by page, with raw values: amounts in the smallest unit, times in UTC, whole ids.
import type { Client } from 'urql'
import { PaymentsForExportDocument, type TransactionFilter } from '../gql/graphql.ts'
import { documentOf } from '../graphql/client.ts'
import { failureOfError } from '../graphql/failure.ts'
import { agentOf, methodOf, partyOf, type Row } from './party.ts'

const COLUMNS: readonly [string, (row: Row) => string | number | null | undefined][] = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['status', ({ status }) => status],
  ['direction', ({ direction }) => direction],
  ['amount', ({ amount }) => amount.amount],
  ['currency', ({ amount }) => amount.currency.code],
  ['decimals', ({ amount }) => amount.currency.decimals],
  ['counterparty', (row) => partyOf(row)],
  ['method', methodOf],
  ['description', (row) => ('description' in row ? row.description : null)],
  ['customerId', ({ customer }) => customer?.id],
  ['customer', ({ customer }) => customer?.customerName],
  ['agentId', (row) => agentOf(row)?.id],
  ['createdAt', ({ createdAt }) => createdAt],
  ['updatedAt', ({ updatedAt }) => updatedAt],
]

/**
 * Where a spreadsheet would execute the text that follows. If it separates cells by `;`, as in many countries, quotes inside of a line mean
 * nothing to it, so that a cell may also begin after a separator.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[=+\-@＝＋－＠])/g
/** A phone number, or an amount with a sign. */
const NUMBER = /^[+-][\d .]+$/

const cell = (value: string | number | null | undefined) => {
  if (typeof value === 'number') return String(value)
  const text = NUMBER.test(value ?? '') ? (value ?? '') : (value ?? '').replace(FORMULA, "'")
  return /[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

export const csvOf = (rows: readonly Row[]) =>
  rows.map((row) => `${COLUMNS.map(([, value]) => cell(value(row))).join(',')}\r\n`).join('')

export const csvHead = `${COLUMNS.map(([name]) => name).join(',')}\r\n`

const TRIES = 6
const FIRST_WAIT_MS = 500

/** Yields each page as text. A page that fails temporarily is requested again. Throws a `Failure`. */
export async function* exportPages(client: Client, filter: TransactionFilter, signal: AbortSignal) {
  let after: string | null = null
  yield { text: csvHead, count: 0 }
  do {
    const page = await pageAfter(client, filter, after)
    if (signal.aborted) return
    yield { text: csvOf(page.nodes), count: page.nodes.length }
    after = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null
  } while (after)
}

const pageAfter = async (client: Client, filter: TransactionFilter, after: string | null) => {
  for (let attempt = 0; ; attempt += 1) {
    const query = client.query(
      documentOf(PaymentsForExportDocument),
      { filter, after },
      { requestPolicy: 'network-only' },
    )
    const { data, error } = await query.toPromise()
    // A field that failed would be an empty cell, which looks like an answer.
    if (data?.transactions && !error) return data.transactions
    const failure = failureOfError(error)
    const isPassing = ['NETWORK', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'].includes(failure.kind)
    if (!isPassing || attempt + 1 >= TRIES) throw failure
    await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** attempt))
  }
}

export const download = (name: string, parts: readonly string[]) => {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
