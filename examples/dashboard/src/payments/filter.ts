// The filters of the list are the address, in the names of the schema.
import type {
  TransactionDirection,
  TransactionFilter,
  TransactionItemType,
  TransactionLifecycleStatus,
} from '../gql/graphql.ts'
import { lookOf } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import { agentOf, type Row } from './party.ts'

export const STATUSES: readonly TransactionLifecycleStatus[] = [
  'CREATED',
  'PENDING',
  'PENDING_AUTHORIZATION',
  'PROCESSING',
  'AUTHORIZED',
  'PARTIALLY_SETTLED',
  'COMPLETED',
  'SETTLED',
  'REFUNDED',
  'EXPIRED',
  'REJECTED',
  'FAILED',
  'EXCEPTION',
]
export const TYPES: readonly TransactionItemType[] = ['INCOMING', 'OUTGOING', 'CARD']

const DIRECTIONS: readonly TransactionDirection[] = ['DEBIT', 'CREDIT']
const KNOWN = new Map<string, readonly string[]>([
  ['statuses', STATUSES],
  ['types', TYPES],
  ['direction', DIRECTIONS],
])

/** Filters by a text. The address holds them under their names in the schema. */
const TEXTS = [
  'search',
  'accountIdentifier',
  'currency',
  'customerId',
  'platformCustomerId',
  'agentId',
  'cardId',
  'reference',
] as const

/** The values in the address that the schema has. Others are ignored. */
const knownIn = (query: URLSearchParams, name: string) => {
  const known = KNOWN.get(name)
  return (query.get(name)?.split(',') ?? []).filter((value) => known?.includes(value))
}

/** A day such as `2026-01-31`. Anything else is ignored. */
const dayIn = (query: URLSearchParams, name: string) => {
  const day = query.get(name) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(day) && Number.isFinite(Date.parse(day)) ? day : null
}

/** The amount, such as `12.50`. Null unless the address also has a currency. */
const amountIn = (query: URLSearchParams, name: string) => {
  const amount = query.get(name) ?? ''
  return query.get('currency')?.trim() && /^\d+(\.\d+)?$/.test(amount) && unitsOf(amount) <= 9e15 ? amount : null
}

/** `12.50` as 1250. */
const unitsOf = (amount: string) => Number(amount.replace('.', ''))

export const filterOf = (query: URLSearchParams): TransactionFilter => {
  const filter: Record<string, unknown> = {}
  for (const name of ['statuses', 'types']) {
    const values = knownIn(query, name)
    if (values.length > 0) filter[name] = values
  }
  for (const name of TEXTS) {
    const text = query.get(name)?.trim()
    if (text) filter[name] = text
  }
  const [direction] = knownIn(query, 'direction')
  if (direction) filter['direction'] = direction
  for (const name of ['startDate', 'endDate'] as const) {
    const day = dayIn(query, name)
    // Whole days in the reader's time zone.
    if (day) filter[name] = new Date(`${day}T${name === 'startDate' ? '00:00:00.000' : '23:59:59.999'}`).toISOString()
  }
  for (const name of ['minAmount', 'maxAmount'] as const) {
    const amount = amountIn(query, name)
    if (amount) filter[name] = unitsOf(amount)
  }
  return filter as TransactionFilter
}

export interface Chip {
  readonly name: string
  readonly label: string
  readonly text: string
}

export const chipsOf = (query: URLSearchParams): Chip[] => {
  const chip = (name: string, label: string, text: (value: string) => string = (value) => value) => {
    const value = KNOWN.has(name)
      ? knownIn(query, name).join(',')
      : name.endsWith('Date')
        ? dayIn(query, name)
        : name.endsWith('Amount')
          ? amountIn(query, name)
          : query.get(name)?.trim()
    return value ? [{ name, label, text: text(value) }] : []
  }
  const list = (word: (value: string) => string) => (value: string) => value.split(',').map(word).join(' or ')
  return [
    ...chip(
      'statuses',
      'Status',
      list((value) => lookOf(value).word),
    ),
    ...chip('types', 'Kind', list(sentence)),
    ...chip('direction', 'Direction', (value) => value.toLowerCase()),
    ...chip('currency', 'Currency'),
    ...chip('minAmount', 'At least'),
    ...chip('maxAmount', 'At most'),
    ...chip('startDate', 'From'),
    ...chip('endDate', 'Until'),
    ...chip('customerId', 'Customer', (id) => `…${id.slice(-6)}`),
    ...chip('platformCustomerId', 'Customer by your id'),
    ...chip('agentId', 'Agent', (id) => `…${id.slice(-6)}`),
    ...chip('cardId', 'Card', (id) => `…${id.slice(-6)}`),
    ...chip('accountIdentifier', 'Account', (id) => `…${id.slice(-6)}`),
    ...chip('reference', 'Reference'),
  ]
}

/** Whether a row belongs to the list, or undefined if only the gateway can tell. */
export const fits = (row: Row, filter: TransactionFilter): boolean | undefined => {
  const { statuses, types, direction, currency, startDate, endDate, customerId, agentId, cardId, ...rest } = filter
  const { minAmount, maxAmount, ...others } = rest
  if (statuses && !statuses.includes(row.status)) return false
  if (types && !types.includes(row.type)) return false
  if (direction && direction !== row.direction) return false
  if (currency && currency !== row.amount?.currency.code) return false
  if (minAmount && row.amount.amount < minAmount) return false
  if (maxAmount && row.amount.amount > maxAmount) return false
  if (startDate && row.createdAt < startDate) return false
  if (endDate && row.createdAt > endDate) return false
  if (customerId && customerId !== row.customer?.id) return false
  if (agentId && agentId !== agentOf(row)?.id) return false
  if (cardId && !('card' in row && row.card?.id === cardId)) return false
  return Object.keys(others).length === 0 ? true : undefined
}
