import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { inputOf } from '#graphql/input-of.ts'
import { ITEMS_OF_LIST } from '#graphql/limits/cost.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import type { SentArgs } from '#graphql/limits/sent-args.ts'
import { CurrencyType, MoneyType } from '#graphql/money.ts'
import {
  TransactionDirectionEnum,
  TransactionItemTypeEnum,
  TransactionLifecycleStatusEnum,
} from '#transactions/graphql-enums.ts'
import {
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
} from '#transactions/transaction.ts'
import {
  daysOf,
  STATISTICS_DIMENSIONS,
  STATISTICS_INTERVALS,
  type StatisticsInput,
  statisticsInput,
  type TransactionBucket,
  type TransactionStatistics,
  TransactionStatisticsFilterInput,
  transactionStatistics,
} from './statistics.ts'

const StatisticsIntervalEnum = enumOf('StatisticsInterval', 'Length of a bucket of statistics.', STATISTICS_INTERVALS, {
  DAY: 'A UTC day.',
  WEEK: 'Seven UTC days from Monday on.',
  MONTH: 'A calendar month in UTC.',
})

const StatisticsDimensionEnum = enumOf('StatisticsDimension', 'How statistics can be grouped.', STATISTICS_DIMENSIONS, {
  TYPE: '`TransactionNode.type`.',
  DIRECTION: '`TransactionNode.direction`.',
  STATUS: '`TransactionNode.status`: the current state.',
  CURRENCY: 'Currency of `TransactionNode.amount`.',
})

const TransactionStatisticsFilterType = inputOf(
  'TransactionStatisticsFilter',
  'All given conditions must hold.',
  TransactionStatisticsFilterInput,
)

const ungrouped = (dimension: string) => `Null unless grouped by \`${dimension}\`.`

const TransactionBucketType = builder.objectRef<TransactionBucket>('TransactionBucket').implement({
  description: 'The transactions of one interval and one group.',
  fields: (t) => ({
    start: t.expose('start', {
      type: 'Date',
      description:
        'First UTC day of the interval. The first interval may begin before `startDate`, but it counts only the days from `startDate` on. Null in totals and without an interval.',
    }),
    type: t.expose('type', { type: TransactionItemTypeEnum, description: ungrouped('TYPE') }),
    direction: t.expose('direction', { type: TransactionDirectionEnum, description: ungrouped('DIRECTION') }),
    status: t.expose('status', { type: TransactionLifecycleStatusEnum, description: ungrouped('STATUS') }),
    currency: t.expose('currency', { type: CurrencyType, description: ungrouped('CURRENCY') }),
    count: t.expose('count', { type: 'Int64', nullable: false, description: 'Number of transactions.' }),
    amount: t.expose('amount', {
      type: MoneyType,
      description:
        'Sum of `TransactionNode.amount`. Null unless grouped by `CURRENCY`: different currencies do not add up. For a sum that may exceed an Int64, select `decimal` without `amount`: beyond the range, `amount` fails with `AMOUNT_OUT_OF_RANGE`, and the object is null.',
    }),
  }),
})

const TransactionStatisticsType = builder.objectRef<TransactionStatistics>('TransactionStatistics').implement({
  description: 'Counts and sums of transactions. Groups without transactions are left out.',
  fields: (t) => ({
    buckets: t.expose('buckets', {
      type: [TransactionBucketType],
      nullable: false,
      description: 'One per interval and group, oldest first. Without an interval, the same as `totals`.',
    }),
    totals: t.expose('totals', {
      type: [TransactionBucketType],
      nullable: false,
      description: 'The same groups over the whole range.',
    }),
  }),
})

/** Buckets that this many days can touch. */
const BUCKETS = {
  DAY: (days: number) => days,
  WEEK: (days: number) => Math.ceil(days / 7) + 1,
  MONTH: (days: number) => Math.ceil(days / 28) + 1,
}

/** Groups that there can be. The number of currencies is assumed, as that of items in a list is. */
const GROUPS: Record<StatisticsInput['groupBy'][number], (filter: StatisticsInput['filter']) => number> = {
  TYPE: (filter) => filter?.types?.length ?? TRANSACTION_ITEM_TYPES.length,
  DIRECTION: (filter) => (filter?.direction ? 1 : TRANSACTION_DIRECTIONS.length),
  STATUS: (filter) => filter?.statuses?.length ?? TRANSACTION_LIFECYCLE_STATUSES.length,
  CURRENCY: (filter) => filter?.currencies?.length ?? ITEMS_OF_LIST,
}

/** Every group of every bucket and of the totals, and one for ten days of counters. Zero for what is refused before anything is read. */
const rowsOf = (args: SentArgs): number => {
  const { data } = statisticsInput.safeParse(args)
  if (!data) return 0
  const { interval, groupBy, filter } = data
  const days = daysOf(data)
  const groups = groupBy.reduce((product, dimension) => product * GROUPS[dimension](filter), 1)
  return Math.ceil(days / 10) + groups * (1 + (interval ? BUCKETS[interval](days) : 0))
}

const { startDate, endDate, interval, groupBy, filter } = statisticsInput.shape

builder.queryField('transactionStatistics', (t) =>
  t.field({
    type: TransactionStatisticsType,
    description:
      "Counts and sums of the platform's transactions by day of creation, type, direction, status and currency. Days are UTC days. The figures are exact and never lag behind the transactions. The cost is one node for each possible group in each interval; a filter for statuses or currencies makes it cheaper. Errors: `FORBIDDEN` for an agent, `INVALID_INPUT` for a range that is too long.",
    args: {
      startDate: t.arg({ type: 'Date', required: true, description: String(startDate.description) }),
      endDate: t.arg({ type: 'Date', required: true, description: String(endDate.description) }),
      interval: t.arg({ type: StatisticsIntervalEnum, description: String(interval.description) }),
      groupBy: t.arg({
        type: [StatisticsDimensionEnum],
        required: true,
        defaultValue: [],
        description: String(groupBy.description),
      }),
      filter: t.arg({ type: TransactionStatisticsFilterType, description: String(filter.description) }),
    },
    extensions: costing({ rows: rowsOf }),
    resolve: (_root, args, { caller }) => transactionStatistics(caller, args),
  }),
)
