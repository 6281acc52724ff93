// The filters of the list are the address, in the names of the schema.
import type { TransactionFilter, TransactionItemType, TransactionLifecycleStatus } from '../gql/graphql.ts'
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

/** A day such as `2026-01-31`. Anything else is ignored. */
const dayIn = (query: URLSearchParams, name: string) => {
  const day = query.get(name) ?? ''
  return /^\d{4}-\d\d-\d\d$/.test(day) && Number.isFinite(Date.parse(day)) ? day : null
}

export const filterOf = (query: URLSearchParams): TransactionFilter => {
  const filter: Record<string, unknown> = {}
  const several = (name: string, known: readonly string[]) => {
    const values = (query.get(name)?.split(',') ?? []).filter((value) => known.includes(value))
    if (values.length > 0) filter[name] = values
  }
  several('statuses', STATUSES)
  several('types', TYPES)
  for (const name of TEXTS) {
    const text = query.get(name)?.trim()
    if (text) filter[name] = text
  }
  const direction = query.get('direction')
  if (direction === 'DEBIT' || direction === 'CREDIT') filter['direction'] = direction
  for (const name of ['startDate', 'endDate'] as const) {
    const day = dayIn(query, name)
    // Whole days in the reader's time zone.
    if (day) filter[name] = new Date(`${day}T${name === 'startDate' ? '00:00:00.000' : '23:59:59.999'}`).toISOString()
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
    const value = name.endsWith('Date') ? dayIn(query, name) : query.get(name)
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
  const { statuses, types, direction, currency, startDate, endDate, customerId, agentId, cardId, ...others } = filter
  if (statuses && !statuses.includes(row.status)) return false
  if (types && !types.includes(row.type)) return false
  if (direction && direction !== row.direction) return false
  if (currency && currency !== row.amount?.currency.code) return false
  if (startDate && row.createdAt < startDate) return false
  if (endDate && row.createdAt > endDate) return false
  if (customerId && customerId !== row.customer?.id) return false
  if (agentId && agentId !== agentOf(row)?.id) return false
  if (cardId && !('card' in row && row.card?.id === cardId)) return false
  return Object.keys(others).length === 0 ? true : undefined
}
