// Counts transactions. Whole UTC months and days come from counters if they support the filter. The other rows are counted one by one.
import type { Caller } from '#core/caller.ts'
import { parseId } from '#core/ids.ts'
import { readCount, readCountsOf } from '#database/counting.ts'
import { join, lookUp, nothing, query, type Sql, sql } from '#database/db.ts'
import { readingOfAll } from '#database/page.ts'
import { when } from '#database/record-list.ts'
import { TransactionRecord } from '#transactions/transaction.ts'
import {
  accountAsParty,
  besidesParent,
  conditionsOf,
  countedConditionsOf,
  partyNamed,
  planningOf,
  type Term,
} from './conditions.ts'
import type { TransactionFilter } from './filter.ts'
import { admittedTypes, isAccount, type ParentKind } from './kinds.ts'
import { resolveFilter } from './resolve.ts'
import { foundBySearch, isBySearch } from './search.ts'

/** Null if counting exceeds the statement timeout. */
export const countTransactions = async (caller: Caller, filter: TransactionFilter): Promise<number | null> => {
  TransactionRecord.requireView(caller)
  const filters = await resolveFilter(caller, filter)
  if (filters.length === 0) return 0
  const counts = filters.map((each) => {
    const [rest, parent] = parentIn(each)
    return countOf(caller, rest, (dates) => rowsOf(caller, { ...each, ...dates }), parent)
  })
  const count = sql`${amongFound(caller, filter)} select ${join(counts, ' + ')}`
  // The counters of a whole platform are few rows, so planning the statement each time would cost more than running it.
  return readCount(readingOfAll(caller, filter) === 'PLANNED_ONCE' ? lookUp(count) : query(count))
}

/** Returns the count of each parent, in order. All are null if counting exceeds the statement timeout. */
export const countTransactionsOf = async (
  caller: Caller,
  parent: ParentKind,
  parentIds: readonly string[],
  given: TransactionFilter,
): Promise<(number | null)[]> => {
  TransactionRecord.requireView(caller)
  const filter = besidesParent(given, parent, parentIds)
  const filters = await resolveFilter(caller, filter, parent)
  if (filters.length === 0) return parentIds.map(() => 0)
  const countOfParent = (id: Sql) =>
    join(
      filters.map((each) => {
        const rows = (dates: Dates) => rowsOf(caller, { ...each, ...dates }, parent, id)
        return countOf(caller, each, rows, ofParent(parent, id))
      }),
      ' + ',
    )
  const among = amongFound(caller, filter, parent, parentIds)
  const terms = filters.flatMap((each) => countedConditionsOf(caller, each, parent))
  const counts =
    planningOf(filter, parentIds.length, terms.length) === 'APART'
      ? join(
          parentIds.map((id) => sql`select ${id}::uuid, ${countOfParent(sql`${id}::uuid`)}`),
          ' union all ',
        )
      : sql`select parent.id, ${countOfParent(sql`parent.id`)} from unnest(${parentIds}::uuid[]) as parent (id)`
  return readCountsOf(parentIds, query(sql`${among} ${counts}`))
}

/** Names the matches of a search `among`, for `rowsOf`. They are read once for all parents. */
const amongFound = (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
  parentIds: readonly string[] = [],
): Sql => {
  if (!isBySearch(filter)) return nothing
  const found = foundBySearch(caller, filter, parent, parentIds)
  return parentIds.length > 1
    ? sql`with among as materialized (${found})`
    : sql`with among as not materialized (${found})`
}

const rowsOf = (caller: Caller, filter: TransactionFilter, parent?: ParentKind, parentId?: Sql): Sql =>
  isBySearch(filter)
    ? sql`(select count(*) from among t where ${join(conditionsOf(caller, { ...filter, search: null }, parent, parentId), ' or ')})`
    : rowsWhere(countedConditionsOf(caller, filter, parent, parentId))

const rowsWhere = (terms: readonly Term[]): Sql =>
  join(
    terms.map(({ condition, isSubtracted }) => {
      const count = sql`(select count(*) from transactions t where ${condition})`
      return isSubtracted ? sql`-${count}` : count
    }),
    ' + ',
  )

/** What counts the transactions of one period by type, direction and status. */
interface Counters {
  readonly table: Sql
  /** The column with the first day of the period, in this table and in that of the changes not yet added to it. */
  readonly period: Sql
  /** Moves the date to the first day of a period: 0 is its own period, 1 is the next one. */
  readonly move: (date: Date, later: number) => void
}

const inMonths = (table: Sql): Counters => ({
  table,
  period: sql`month`,
  move: (date, later) => date.setUTCMonth(date.getUTCMonth() + later, 1),
})

const PLATFORM_MONTHS = inMonths(sql`platform_transaction_counts`)
const CUSTOMER_MONTHS = inMonths(sql`customer_transaction_counts`)
/** These counters are by currency, too. */
const PLATFORM_DAYS: Counters = {
  table: sql`platform_transaction_days`,
  period: sql`day`,
  move: (date, later) => date.setUTCDate(date.getUTCDate() + later),
}
/** These counters are of all time, which has no first day. So no range of dates contains a whole period. */
const PARENTS: Counters = {
  table: sql`parent_transaction_counts`,
  period: nothing,
  move: (date) => date.setTime(Number.NaN),
}

/** The counters of a parent, and the conditions for it in them and in the changes that are not yet added to them. */
interface Counted {
  readonly counters: Counters
  readonly counted: Sql
  readonly changed: Sql
}

const ofCustomer = (id: Sql): Counted => {
  const isOf = sql`customer_id = ${id}`
  return { counters: CUSTOMER_MONTHS, counted: isOf, changed: isOf }
}

const ofOther = (parent: Sql): Counted => ({
  counters: PARENTS,
  counted: sql`parent_id = ${parent}`,
  changed: sql`${parent} = any(parent_ids)`,
})

const ofParent = (kind: ParentKind, id: Sql): Counted => {
  if (kind === 'Customer') return ofCustomer(id)
  if (isAccount(kind)) return ofOther(accountAsParty(kind, id))
  return ofOther(kind === 'Agent' ? sql`agent_as_parent(${id})` : sql`card_as_parent(${id})`)
}

/** Undefined for the platform itself, which has no counters of its own transactions. */
const parentNamed = (name: string): Counted | undefined => {
  const id = parseId(name)
  switch (id?.kind) {
    case 'Customer':
    case 'Agent':
    case 'Card':
      return ofParent(id.kind, sql`${id.uuid}::uuid`)
    case 'PlatformConfig':
      return undefined
    default:
      return ofOther(partyNamed(name))
  }
}

/** The one parent that the filter names, and the rest of the filter. */
const parentIn = (filter: TransactionFilter): readonly [TransactionFilter, Counted?] => {
  const { customerId, accountIdentifier, agentId, cardId, ...rest } = filter
  const [name, ...others] = [customerId, accountIdentifier, agentId, cardId].filter((id) => typeof id === 'string')
  const parent = name === undefined || others.length > 0 ? undefined : parentNamed(name)
  return parent ? [rest, parent] : [filter]
}

type Dates = Pick<TransactionFilter, 'startDate' | 'endDate'>

/**
 * Counts with the counters of the platform, or of the parent, and with `rows` what these do not count. An agent sees the transactions of its
 * customer only.
 */
const countOf = (
  caller: Caller,
  filter: TransactionFilter,
  rows: (between: Dates) => Sql,
  parent = caller.scheme === 'AGENT' ? ofCustomer(sql`${caller.customerId}::uuid`) : undefined,
): Sql => {
  const { types, statuses, direction, currency, startDate, endDate, ...unknown } = filter
  const isOfCustomer = parent?.counters === CUSTOMER_MONTHS
  const isKnown = Object.values(unknown).every((value) => value === null || value === undefined)
  if (!isKnown || (parent && currency) || (caller.scheme === 'AGENT' && !isOfCustomer))
    return rows({ startDate, endDate })

  const conditions = [sql`platform_id = ${caller.platformId}::uuid`]
  if (caller.scheme === 'AGENT') conditions.push(sql`customer_id = ${caller.customerId}::uuid`)
  if (types) conditions.push(sql`type = any(${admittedTypes(filter)}::transaction_item_type[])`)
  if (statuses) conditions.push(sql`status = any(${statuses}::transaction_lifecycle_status[])`)
  if (direction) conditions.push(sql`direction = ${direction}::transaction_direction`)
  if (currency) conditions.push(sql`currency = ${currency}`)

  /** The whole periods of the coarsest counters, and what remains before and after them by the finer ones. */
  const adding = (between: Dates, [counters, ...finer]: readonly Counters[]): readonly Sql[] => {
    if (!counters) return [rows(between)]
    const whole = wholePeriods(between, counters)
    if (!whole) return adding(between, finer)
    const { table, period } = counters
    const { start, end, hasStartEdge, hasEndEdge } = whole
    const within = [...conditions]
    if (between.startDate) within.push(sql`${period} >= to_timestamp(${start / 1000}::float8)::date`)
    if (between.endDate) within.push(sql`${period} < to_timestamp(${end / 1000}::float8)::date`)
    const counted = join([...within, ...when(parent, (of) => of.counted)], ' and ')
    const changed = join([...within, ...when(parent, (of) => of.changed)], ' and ')
    return [
      sql`(select coalesce(sum(count), 0) from ${table} where ${counted})`,
      sql`(select coalesce(sum(change), 0) from transaction_count_deltas where ${changed})`,
      ...(hasStartEdge ? adding({ ...between, endDate: new Date(start - 1).toISOString() }, finer) : []),
      ...(hasEndEdge ? adding({ ...between, startDate: new Date(end).toISOString() }, finer) : []),
    ]
  }
  const ofPlatform = currency ? [PLATFORM_DAYS] : [PLATFORM_MONTHS, PLATFORM_DAYS]
  return join(adding({ startDate, endDate }, parent ? [parent.counters] : ofPlatform), ' + ')
}

/** The whole periods between the dates, from `start` to before `end`, and whether parts of others remain. Undefined if there is no whole one. */
const wholePeriods = ({ startDate, endDate }: Dates, { move }: Counters) => {
  const startOf = (time: number, later = 0) => {
    const date = new Date(time)
    move(date, later)
    return date.setUTCHours(0, 0, 0, 0)
  }
  // Rows have millisecond precision: `from` is the first possible time in the range, and `to` the first one after it.
  const from = startDate ? Date.parse(startDate) + (startDate.endsWith('000Z') ? 0 : 1) : Number.NEGATIVE_INFINITY
  const to = endDate ? Date.parse(endDate) + 1 : Number.POSITIVE_INFINITY
  const start = startDate ? startOf(from - 1, 1) : from
  const end = endDate ? startOf(to) : to
  return start < end ? { start, end, hasStartEdge: from < start, hasEndEdge: end < to } : undefined
}
