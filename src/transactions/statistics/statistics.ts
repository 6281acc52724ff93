// Counts and sums of a platform's transactions, from counters by UTC day and currency (docs/domain/transactions.md#statistics).
import { z } from 'zod'
import { type Caller, requirePermission, requirePlatform } from '#core/caller.ts'
import { type Currency, currencyOf } from '#core/codes/currencies.ts'
import { anyOf, currencyCode, labelOf, parse } from '#core/input.ts'
import { type Money, money } from '#core/money.ts'
import { inOrder } from '#core/time-filters.ts'
import { identifier, join, query, type Sql, sql } from '#database/db.ts'
import type { Row } from '#database/row.ts'
import {
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
  type Transaction,
} from '#transactions/transaction.ts'

export const STATISTICS_INTERVALS = ['DAY', 'WEEK', 'MONTH'] as const
export const STATISTICS_DIMENSIONS = ['TYPE', 'DIRECTION', 'STATUS', 'CURRENCY'] as const

const MAX_DAYS_BY_DAY = 400
/** Five years. */
const MAX_DAYS = 1_830
const MILLISECONDS_OF_DAY = 86_400_000

/** The first day that Postgres has is in the year 1. */
const day = z.iso
  .date('must be a date in the years 0001 to 9999, for example 2025-10-13')
  .refine((date) => date > '0001', 'must be a date in the years 0001 to 9999, for example 2025-10-13')

export const TransactionStatisticsFilterInput = z.object({
  types: anyOf(TRANSACTION_ITEM_TYPES).describe('Any of these types. An empty list means no filter.'),
  direction: labelOf(TRANSACTION_DIRECTIONS).nullish().describe('Only transactions in this direction.'),
  statuses: anyOf(TRANSACTION_LIFECYCLE_STATUSES).describe('Any of these states. An empty list means no filter.'),
  currencies: z
    .array(currencyCode)
    .nullish()
    .transform((given) => (given?.length ? [...new Set(given)] : null))
    .describe('Any of these currency codes. An empty list means no filter.'),
})

interface Range {
  readonly startDate: string
  readonly endDate: string
}

/** The number of days, both ends included. */
export const daysOf = ({ startDate, endDate }: Range) =>
  (Date.parse(endDate) - Date.parse(startDate)) / MILLISECONDS_OF_DAY + 1

export const statisticsInput = z
  .object({
    startDate: day.describe('First UTC day of creation, inclusive.'),
    endDate: day.describe(
      `Last UTC day of creation, inclusive. The range is at most ${MAX_DAYS_BY_DAY} days with \`DAY\`, and ${MAX_DAYS} days otherwise.`,
    ),
    interval: labelOf(STATISTICS_INTERVALS).nullish().describe('Length of a bucket. Null returns the totals alone.'),
    groupBy: z
      .array(labelOf(STATISTICS_DIMENSIONS))
      .default([])
      .transform((given) => STATISTICS_DIMENSIONS.filter((dimension) => given.includes(dimension)))
      .describe('Groups to report separately. Amounts are added up only if this includes `CURRENCY`.'),
    filter: TransactionStatisticsFilterInput.nullish().describe('Counts only the transactions that match.'),
  })
  .refine(...inOrder('startDate', 'endDate'))
  .refine((range) => daysOf(range) <= (range.interval === 'DAY' ? MAX_DAYS_BY_DAY : MAX_DAYS), {
    path: ['endDate'],
    error: `must be less than ${MAX_DAYS_BY_DAY} days after startDate with interval DAY, and less than ${MAX_DAYS} days otherwise`,
  })
export type StatisticsInput = z.output<typeof statisticsInput>

export interface TransactionBucket {
  /** The first UTC day; null in totals. */
  readonly start: string | null
  readonly type: Transaction['type'] | null
  readonly direction: Transaction['direction'] | null
  readonly status: Transaction['status'] | null
  readonly currency: Currency | null
  readonly count: bigint
  /** Null unless grouped by CURRENCY. */
  readonly amount: Money | null
}

export interface TransactionStatistics {
  readonly buckets: readonly TransactionBucket[]
  readonly totals: readonly TransactionBucket[]
}

/**
 * Reads the counters and the changes that are not folded into them in one statement, so the figures match the rows of its snapshot exactly.
 * For platforms only: an agent sees its customer's transactions, but the counters cover the whole platform.
 * Throws 403 `FORBIDDEN`, and 400 `INVALID_INPUT`.
 */
export const transactionStatistics = async (caller: Caller, input: unknown): Promise<TransactionStatistics> => {
  requirePermission(caller, 'VIEW')
  const { platformId } = requirePlatform(caller)
  const { startDate, endDate, interval, groupBy, filter } = parse(statisticsInput, input)
  const conditions = [
    sql`platform_id = ${platformId}::uuid and day between ${startDate}::date and ${endDate}::date`,
    ...conditionsOf(filter),
  ]
  const columns = STATISTICS_DIMENSIONS.map((dimension) =>
    groupBy.includes(dimension) ? identifier(dimension.toLowerCase()) : sql`null`,
  )
  const groups = groupBy.map((dimension) => identifier(dimension.toLowerCase()))
  const start = interval ? identifier(`date_trunc('${interval.toLowerCase()}', day::timestamp)::date`) : sql`null`
  const sets = [groups, ...(interval ? [[start, ...groups]] : [])].map((set) =>
    set.length > 0 ? sql`(${join(set)})` : sql`()`,
  )
  const rows = await query(sql`
    select ${join([start, ...columns])}, sum(count), sum(amount) from (
      select platform_id, day, type, direction, status, currency, count, amount from platform_transaction_days
      union all
      select platform_id, day, type, direction, status, currency, change, amount from transaction_count_deltas
    ) t where ${join(conditions, ' and ')}
    group by grouping sets (${join(sets)}) having sum(count) <> 0 order by 1, 2, 3, 4, 5`)
  const read = rows.map(bucketOf)
  const totals = read.filter((bucket) => bucket.start === null)
  return { buckets: interval ? read.filter((bucket) => bucket.start !== null) : totals, totals }
}

const conditionsOf = (filter: StatisticsInput['filter']): readonly Sql[] => {
  const { types, direction, statuses, currencies } = filter ?? {}
  return [
    ...(types ? [sql`type = any(${types}::transaction_item_type[])`] : []),
    ...(direction ? [sql`direction = ${direction}::transaction_direction`] : []),
    ...(statuses ? [sql`status = any(${statuses}::transaction_lifecycle_status[])`] : []),
    ...(currencies ? [sql`currency = any(${currencies}::text[])`] : []),
  ]
}

const bucketOf = ([start = null, type, direction, status, currency, count, amount]: Row): TransactionBucket => ({
  start,
  type: (type ?? null) as TransactionBucket['type'],
  direction: (direction ?? null) as TransactionBucket['direction'],
  status: (status ?? null) as TransactionBucket['status'],
  currency: currency ? currencyOf(currency) : null,
  count: BigInt(count ?? 0),
  amount: currency ? money(BigInt(amount ?? 0), currency) : null,
})
