// Pages of transactions: all of the platform's, or those of several parents.
import type { Caller } from '#core/caller.ts'
import { join, query, type Sql, sql } from '#database/db.ts'
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
  byCustomerId,
  type Criteria,
  conditionsOf,
  named,
  type Planning,
  planningOf,
} from './conditions.ts'
import { countTransactions, countTransactionsOf } from './count.ts'
import { type TransactionFilter, transactionFilter } from './filter.ts'
import { admittedTypes, type ParentKind } from './kinds.ts'
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
  const few = await fewIds(caller, filter)
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
  filter: TransactionFilter,
  window: Window,
  as = WHOLE as Listable<T>,
): Promise<(Page<T> | Error)[]> => {
  TransactionRecord.requireView(caller)
  const listOfParent = (id: string) => listOf(caller, filter, window, `${parent} ${id}`)
  const alternatives = await alternativesOf(caller, filter, window, parent)
  const planning = planningOf(filter, parentIds.length, alternatives().length)
  const few = await fewIds(caller, filter, parent, planning)
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
    const visible = TransactionRecord.visibleTo(caller)
    const among = { select: sql`select t.* from transactions t where ${areAmong(caller, few)}`, visible }
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

/** A range of amounts with fewer matches sorts them. */
const FEW = 300

/**
 * Postgres cannot estimate well how many rows match a range of amounts in a currency. Reading in the order of the list could then continue to its
 * end. So the ids of few matches are found first.
 */
const readTransactions = async <T>(
  as: Listable<T>,
  caller: Caller,
  filter: TransactionFilter,
  list: ListKey,
  window: Window,
  few: readonly string[] | undefined,
  parent?: ParentKind,
  parentId?: Sql,
): Promise<Page<T>> => {
  const alternatives = (await alternativesOf(caller, filter, window, parent))(parentId)
  if (few) {
    const among = sql`${areAmong(caller, few)} and (${join(alternatives, ' or ')})`
    return readPage(as, list, window, [among], 'BY_VALUE')
  }
  return readPage(as, list, window, alternatives, parent ? 'IN_ORDER' : readingOfPage(caller, filter))
}

/**
 * The ids of all transactions that match the range of amounts of the filter, if they are fewer than `FEW`. Without a range, of those that match what
 * the filter names, if there are too many parents to plan for each.
 */
const fewIds = async (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
  planning?: Planning,
): Promise<readonly string[] | undefined> => {
  if (admittedTypes(filter, parent).length === 0) return []
  const filters = await byCustomerId(caller, filter)
  if (filters.length === 0) return []
  const conditions = filters.flatMap((each) => {
    const part = amountRange(each) ?? (planning === 'TOO_MANY' ? named(each) : undefined)
    return part ? conditionsOf(caller, part) : []
  })
  if (conditions.length === 0 || !(await areFewerThan(FEW, conditions))) return undefined
  // The index of the currency lacks `updated_at`. Postgres expects far more amounts in a range than there are, and would otherwise read that index
  // to its end.
  const found = conditions.map(
    (condition) => sql`(select t.id, t.updated_at from transactions t where ${condition} limit ${FEW}::int)`,
  )
  const rows = await query(join(found, ' union all '))
  return rows.length < FEW ? rows.map(([id]) => id ?? '') : undefined
}

const areAmong = (caller: Caller, ids: readonly string[]): Sql =>
  sql`${TransactionRecord.visibleTo(caller)} and t.id = any(${ids}::uuid[])`

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
  const filters = await byCustomerId(caller, filter)
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
