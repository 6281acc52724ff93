// The figures of the tiles and of the chart, from the statistics of the gateway. Amounts in different currencies are never added.
import type { HomeQuery, HomeTotalFragment, TransactionLifecycleStatus } from '../gql/graphql.ts'
import { type Flow, figuresOf } from '../parts/money.tsx'
import { flowOf } from '../payments/party.ts'
import type { Day } from './chart.tsx'

const PART_OF: Readonly<Record<TransactionLifecycleStatus, 'completed' | 'moving' | 'refunded' | 'failed'>> = {
  COMPLETED: 'completed',
  SETTLED: 'completed',
  PARTIALLY_SETTLED: 'completed',
  REFUNDED: 'refunded',
  FAILED: 'failed',
  REJECTED: 'failed',
  EXPIRED: 'failed',
  EXCEPTION: 'failed',
  CREATED: 'moving',
  PENDING: 'moving',
  PENDING_AUTHORIZATION: 'moving',
  PROCESSING: 'moving',
  AUTHORIZED: 'moving',
}

const DAY_MS = 86_400_000
const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10)

export interface Range {
  readonly startDate: string
  readonly endDate: string
  readonly beforeStart: string
  readonly beforeEnd: string
}

/** The UTC days up to today, and the same number of days before them. */
export const rangeOf = (days: number, now: number): Range => ({
  startDate: isoDay(now - (days - 1) * DAY_MS),
  endDate: isoDay(now),
  beforeStart: isoDay(now - (2 * days - 1) * DAY_MS),
  beforeEnd: isoDay(now - days * DAY_MS),
})

export const daysOf = (query: HomeQuery, { startDate, endDate }: Range): Day[] => {
  const days = new Map<string, { date: string; completed: number; moving: number; refunded: number; failed: number }>()
  for (let at = Date.parse(startDate); at <= Date.parse(endDate); at += DAY_MS) {
    const date = isoDay(at)
    days.set(date, { date, completed: 0, moving: 0, refunded: 0, failed: 0 })
  }
  for (const { start, status, count } of query.days?.buckets ?? []) {
    const day = start && days.get(start)
    if (day && status) day[PART_OF[status]] += count
  }
  return [...days.values()]
}

/** In the smallest unit. A sum may be greater than any amount. */
export interface Sum {
  readonly amount: bigint
  readonly decimals: number
}

export interface Figures {
  readonly sent: Sum | null
  readonly received: Sum | null
  readonly count: number
  /** Of all payments, between 0 and 1; null without any. */
  readonly failed: number | null
}

const DONE = new Set(['completed', 'refunded'])

export const figuresIn = (totals: readonly HomeTotalFragment[] | undefined, currency: string | null): Figures => {
  const amounts: Record<Flow, Sum | null> = { in: null, out: null }
  let count = 0
  let failed = 0
  for (const total of totals ?? []) {
    count += total.count
    const part = total.status ? PART_OF[total.status] : 'moving'
    if (part === 'failed') failed += total.count
    if (!currency || !total.type || !total.direction || !total.currency || !total.amount || !DONE.has(part)) continue
    const flow = flowOf({ type: total.type, direction: total.direction })
    amounts[flow] = {
      amount: (amounts[flow]?.amount ?? 0n) + BigInt(total.amount.decimal.replace('.', '')),
      decimals: total.currency.decimals,
    }
  }
  return { sent: amounts.out, received: amounts.in, count, failed: count > 0 ? failed / count : null }
}

/** `↑ 12.4 %`, or null where there is nothing to compare with. */
export const changeText = (now: number | bigint, before: number | bigint): string | null => {
  if (Number(before) === 0) return null
  const change = (Number(now) / Number(before) - 1) * 100
  return `${change < 0 ? '↓' : '↑'} ${Math.abs(change).toFixed(1)} %`
}

export const percentText = (part: number) => `${(part * 100).toFixed(1)}\u202f%`

export interface Balance {
  readonly code: string
  readonly name: string
  readonly decimals: number
  readonly available: bigint
  readonly total: bigint
}

/** The platform's own accounts, added up by currency. */
export const balancesOf = (query: HomeQuery): Balance[] => {
  const balances = new Map<string, Balance>()
  for (const { currency, balance, totalBalance } of query.balances?.nodes ?? []) {
    const sum = balances.get(currency.code)
    balances.set(currency.code, {
      ...currency,
      decimals: balance.currency.decimals,
      available: (sum?.available ?? 0n) + BigInt(balance.amount),
      total: (sum?.total ?? 0n) + BigInt(totalBalance.amount),
    })
  }
  return [...balances.values()]
}

export const heldText = ({ available, total, decimals }: Balance) =>
  total > available ? `${figuresOf(total - available, decimals)} held` : 'none held'
