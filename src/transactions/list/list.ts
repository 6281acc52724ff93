// Pages of transactions: all of the platform's, or those of several parents.
import type { Caller } from '#core/caller.ts'
import { join, nothing, type Sql, sql } from '#database/db.ts'
import { type Listable, readPage, readPagesOf } from '#database/list.ts'
import {
  isAscending,
  type ListKey,
  listKey,
  type Page,
  type Reading,
  readingOfAll,
  type Window,
} from '#database/page.ts'
import type { RecordList } from '#database/record-list.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import {
  amountRange,
  areFewerThan,
  besidesParent,
  type Criteria,
  conditionsOf,
  named,
  type Planning,
  planningOf,
} from './conditions.ts'
import { countTransactions, countTransactionsOf } from './count.ts'
import { type TransactionFilter, transactionFilter } from './filter.ts'
import type { ParentKind } from './kinds.ts'
import { resolveFilter } from './resolve.ts'
import { isBySearch, readSearched } from './search.ts'

const WHOLE = TransactionRecord as Listable<unknown>

/** `as` reads the rows in another form, as in every list. */
export const listTransactions = async <T = Transaction>(
  caller: Caller,
  filter: TransactionFilter,
  window: Window,
  as = WHOLE as Listable<T>,
): Promise<Page<T>> => {
  TransactionRecord.requireView(caller)
  const list = listOf(caller, filter, window)
  const few = await fewRows(caller, filter)
  if (!few && isBySearch(filter)) {
    const alternativesWith = (changes: Partial<Criteria>) => alternativesOf(caller, filter, window, undefined, changes)
    const [page] = await readSearched(as, caller, filter, window, [caller.platformId], () => list, alternativesWith)
    if (!page || page instanceof Error) throw page
    return page
  }
  return readTransactions(as, caller, filter, list, window, few)
}

/** Returns a page for each parent, in order. A parent gets an error instead if the cursor belongs to another list. */
export const listTransactionsOf = async <T = Transaction>(
  caller: Caller,
  parent: ParentKind,
  parentIds: readonly string[],
  given: TransactionFilter,
  window: Window,
  as = WHOLE as Listable<T>,
): Promise<(Page<T> | Error)[]> => {
  TransactionRecord.requireView(caller)
  const filter = besidesParent(given, parent, parentIds)
  const listOfParent = (id: string) => listOf(caller, given, window, `${parent} ${id}`)
  const alternatives = await alternativesOf(caller, filter, window, parent)
  const planning = planningOf(filter, parentIds.length, alternatives().length)
  const few = await fewRows(caller, filter, parent, planning)
  if (!few && isBySearch(filter)) {
    const alternativesWith = (changes: Partial<Criteria>) => alternativesOf(caller, filter, window, parent, changes)
    return readSearched(as, caller, filter, window, parentIds, listOfParent, alternativesWith, parent)
  }
  const [only, ...others] = parentIds
  if (only !== undefined && others.length === 0) {
    // For a single parent, Postgres can plan for its number of transactions and pick the best index.
    return [await readTransactions(as, caller, filter, listOfParent(only), window, few, parent, sql`${only}::uuid`)]
  }
  if (few) {
    const among = { select: few, visible: TransactionRecord.visibleTo(caller) }
    return readPagesOf(as, parentIds, listOfParent, window, alternatives, { among, reading: 'BY_VALUE' })
  }
  return readPagesOf(as, parentIds, listOfParent, window, alternatives, { isPlannedEach: planning === 'APART' })
}

export const transactionList: RecordList<Transaction, TransactionFilter, ParentKind> = {
  record: TransactionRecord,
  name: 'transactions',
  orderedBy: 'CREATION',
  filter: transactionFilter,
  page: listTransactions,
  count: countTransactions,
  pagesOf: listTransactionsOf,
  countsOf: countTransactionsOf,
}

/** Fewer matches than these are read and sorted. */
const FEW = 300
/** Makes Postgres expect few matches, and leaves room for those that are added between counting and reading them. */
const WELL_BEYOND_FEW = 10 * FEW

/** `few` selects all rows that may belong to the page, if they are few. */
const readTransactions = async <T>(
  as: Listable<T>,
  caller: Caller,
  filter: TransactionFilter,
  list: ListKey,
  window: Window,
  few: Sql | undefined,
  parent?: ParentKind,
  parentId?: Sql,
): Promise<Page<T>> => {
  const alternatives = (await alternativesOf(caller, filter, window, parent))(parentId)
  if (!few) return readPage(as, list, window, alternatives, parent ? 'IN_ORDER' : readingOfPage(caller, filter))
  return readPage({ ...as, table: sql`(${few})` }, list, window, [sql`(${join(alternatives, ' or ')})`], 'BY_VALUE')
}

/**
 * Selects all transactions that match the range of amounts of the filter, if they are fewer than `FEW`. Without a range, those that match what
 * the filter names, if there are too many parents to plan for each. Postgres cannot estimate well how many these are. Reading in the order of
 * the list could then continue to its end.
 */
const fewRows = async (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
  planning?: Planning,
): Promise<Sql | undefined> => {
  const filters = await resolveFilter(caller, filter, parent)
  if (filters.length === 0) return NO_ROWS
  const range = amountRange(filter)
  const parts = range ? [range] : planning === 'TOO_MANY' ? filters.map(named) : []
  // Makes Postgres read the index of amounts. It may expect many matches, and would then read the whole currency in another index.
  const order = range ? sql`order by t.headline_amount` : nothing
  const tables = parts
    .flatMap((part) => conditionsOf(caller, part))
    .map((condition) => sql`transactions t where ${condition} ${order}`)
  if (tables.length === 0 || !(await areFewerThan(FEW, tables))) return undefined
  const found = tables.map((table) => sql`(select t.* from ${table} limit ${WELL_BEYOND_FEW}::int)`)
  return join(found, ' union all ')
}

const NO_ROWS = sql`select t.* from transactions t where false`

/** Each type and direction has its own range of an index, whichever are asked for. */
const readingOfPage = (caller: Caller, { types, direction, ...filter }: TransactionFilter): Reading =>
  readingOfAll(caller, filter)

const listOf = (caller: Caller, filter: TransactionFilter, { sortOrder }: Window, parent = 'platform') =>
  listKey(caller, `transactions of ${parent}`, filter, sortOrder)

/**
 * The conditions of a page, of which exactly one holds for a matching row, for each parent. `changes` replace fields of the filter, which itself
 * remembers its customers.
 */
const alternativesOf = async (
  caller: Caller,
  filter: TransactionFilter,
  window: Window,
  parent?: ParentKind,
  changes?: Partial<Criteria>,
): Promise<(parentId?: Sql) => readonly Sql[]> => {
  const filters = await resolveFilter(caller, filter, parent)
  return (parentId) => {
    const alternatives = filters.flatMap((each) =>
      conditionsOf(caller, withinCursor({ ...each, ...changes }, window), parent, parentId),
    )
    return alternatives.length > 0 ? alternatives : [sql`false`]
  }
}

/**
 * Drops the date that the cursor makes redundant: the cursor already lies within the dates. With both conditions Postgres would start
 * reading at the date.
 */
const withinCursor = (filter: Criteria, window: Window): Criteria => {
  if (!window.cursor) return filter
  return isAscending(window) ? { ...filter, startDate: null } : { ...filter, endDate: null }
}
