// Pages of transactions: all of the platform's, or those of several parents.
import type { Caller } from '#core/caller.ts'
import { join, query, type Sql, sql } from '#database/db.ts'
import { type Listable, readPage, readPageAmongNext, readPagesOf } from '#database/list.ts'
import { type ListKey, listKey, type Page, type Reading, readingOfAll, type Window } from '#database/page.ts'
import type { RecordList } from '#database/record-list.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { admittedTypes, byCustomerId, conditionsOf, isSearched, type ParentKind, unestimatedIn } from './conditions.ts'
import { countTransactions, countTransactionsOf } from './count.ts'
import { type TransactionFilter, transactionFilter } from './filter.ts'

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
  return readTransactions(as, caller, filter, list, window)
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
  const [only, ...others] = parentIds
  if (only !== undefined && others.length === 0) {
    // For a single parent, Postgres can plan for its number of transactions and pick the best index.
    return [await readTransactions(as, caller, filter, listOfParent(only), window, parent, sql`${only}::uuid`)]
  }
  const alternatives = await alternativesOf(caller, filter, window, parent)
  return readPagesOf(as, parentIds, listOfParent, window, alternatives, readingOf(filter))
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

/** A search or a range of amounts with fewer than `FEW` matches sorts them. A search with more filters the next `NEAR` rows of the list. */
const FEW = 300
const NEAR = 5_000

/**
 * Postgres cannot estimate well how many rows match a search or a range of amounts in a currency. Reading in the order of the list could
 * then continue to its end. So the ids of few matches are found first, and common matches of a search among the next rows of the list. If
 * there are too few of them there, the page uses the index of the texts, and sorts every match.
 */
const readTransactions = async <T>(
  as: Listable<T>,
  caller: Caller,
  filter: TransactionFilter,
  list: ListKey,
  window: Window,
  parent?: ParentKind,
  parentId?: Sql,
): Promise<Page<T>> => {
  const { search } = filter
  const alternatives = await alternativesOf(caller, filter, window, parent, parentId)
  const unestimated = unestimatedIn(filter, parent)
  if (unestimated.length > 0) {
    const ids = await firstIds(caller, unestimated)
    if (ids.length < FEW) {
      const among = sql`${TransactionRecord.visibleTo(caller)} and t.id = any(${ids}::uuid[]) and (${join(alternatives, ' or ')})`
      return readPage(as, list, window, [among], 'BY_VALUE')
    }
    if (search) {
      const others = await alternativesOf(caller, { ...filter, search: null }, window, parent, parentId)
      const found = isSearched(search, admittedTypes(filter, parent))
      const near = await readPageAmongNext(as, list, window, others, found, NEAR)
      if (near) return near
    }
  }
  return readPage(as, list, window, alternatives, parent ? readingOf(filter) : readingOfPage(caller, filter))
}

/** Up to `FEW` ids of transactions that match any of the conditions. An id may be repeated. */
const firstIds = async (caller: Caller, conditions: readonly Sql[]): Promise<string[]> => {
  const found = conditions.map(
    (condition) =>
      sql`(select t.id from transactions t where ${TransactionRecord.visibleTo(caller)} and ${condition} limit ${FEW}::int)`,
  )
  const rows = await query(sql`select id from (${join(found, ' union all ')}) t limit ${FEW}::int`)
  return rows.map(([id]) => id ?? '')
}

const readingOf = ({ search }: TransactionFilter): Reading => (search ? 'BY_VALUE' : 'IN_ORDER')

/** Each type and direction has its own range of an index, whichever are asked for. */
const readingOfPage = (caller: Caller, { types, direction, ...filter }: TransactionFilter): Reading =>
  filter.search ? 'BY_VALUE' : readingOfAll(caller, filter)

const listOf = (caller: Caller, filter: TransactionFilter, { sortOrder }: Window, parent = 'platform') =>
  listKey(caller, `transactions of ${parent}`, filter, sortOrder)

const alternativesOf = async (
  caller: Caller,
  filter: TransactionFilter,
  window: Window,
  parent?: ParentKind,
  parentId?: Sql,
): Promise<readonly Sql[]> => {
  const filters = await byCustomerId(caller, filter)
  const alternatives = filters.flatMap((each) => conditionsOf(caller, withinCursor(each, window), parent, parentId))
  return alternatives.length > 0 ? alternatives : [sql`false`]
}

/**
 * Drops the date that the cursor makes redundant: the cursor already lies within the dates. With both conditions Postgres would start
 * reading at the date.
 */
const withinCursor = (filter: TransactionFilter, { cursor, sortOrder, backward }: Window): TransactionFilter => {
  if (!cursor) return filter
  return (sortOrder === 'ASC') !== backward ? { ...filter, startDate: null } : { ...filter, endDate: null }
}
