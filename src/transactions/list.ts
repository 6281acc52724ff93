// Pages of transactions: of the whole platform, or of several parents at once. One statement each, whatever the number of rows and parents.
import { type Caller, requirePermission } from '#core/caller.ts'
import { join, query, type Sql, sql } from '#core/db.ts'
import { beyondCursor, listKey, orderAndLimit, type Page, pageOf, readOrder, type Window } from '#core/page.ts'
import { conditionsOf, isPlatform, type ParentKind, type TransactionFilter } from './filter.ts'
import { type Transaction, TransactionRecord } from './transaction.ts'

const { columns, read } = TransactionRecord

export const listTransactions = async (
  caller: Caller,
  filter: TransactionFilter,
  window: Window,
): Promise<Page<Transaction>> => {
  requirePermission(caller, 'VIEW')
  const list = listKey(caller.platformId, 'transactions', filter, window.sortOrder)
  const beyond = beyondCursor(window, list)
  const rows = await query(
    filter.platformCustomerId && !filter.customerId && !isPlatform(caller, filter.platformCustomerId)
      ? throughCustomers(caller, filter, beyond, window)
      : pageWhere(conditionsOf(caller, filter), beyond, window),
  )
  return pageOf(
    rows.map((row) => read(row)),
    window,
    list,
  )
}

/** The page of each parent, in their order; an error in the place of a parent to whose list the cursor does not belong. */
export const listTransactionsOf = async (
  caller: Caller,
  parent: ParentKind,
  parentIds: readonly string[],
  filter: TransactionFilter,
  window: Window,
): Promise<(Page<Transaction> | Error)[]> => {
  requirePermission(caller, 'VIEW')
  const lists = parentIds.map((id) =>
    listKey(caller.platformId, `transactions of ${parent} ${id}`, filter, window.sortOrder),
  )
  const starts = lists.map((list) => startOf(window, list))
  // All readable starts are one: without a cursor there is none, and a cursor belongs to one list.
  const beyond = starts.find((start) => !(start instanceof Error))
  const asked = parentIds.filter((_, index) => starts[index] === beyond || !window.cursor)
  const found = new Map<unknown, Transaction[]>(asked.map((id) => [id, []]))
  if (beyond && !(beyond instanceof Error)) {
    const rows = await query(sql`
      select parent.id, ${columns} from unnest(${asked}::uuid[]) as parent (id)
      cross join lateral (${pageWhere(conditionsOf(caller, filter, parent), beyond, window)}) t
      order by parent.id, ${readOrder(window)}`)
    for (const row of rows) found.get(row[0])?.push(read(row, 1))
  }
  return starts.map((start, index) =>
    start instanceof Error ? start : pageOf(found.get(parentIds[index]) ?? [], window, lists[index] ?? ''),
  )
}

const startOf = (window: Window, list: string): Sql | Error => {
  try {
    return beyondCursor(window, list)
  } catch (error) {
    return error as Error
  }
}

/** One short range of an index per alternative, merged. */
const pageWhere = (alternatives: readonly Sql[], beyond: Sql, window: Window): Sql => {
  const ranges = alternatives.map(
    (conditions) => sql`select ${columns} from transactions t where ${conditions} ${beyond} ${orderAndLimit(window)}`,
  )
  const [only, ...others] = ranges
  return only && others.length === 0
    ? only
    : sql`select ${columns} from ((${join(ranges, ') union all (')})) t ${orderAndLimit(window)}`
}

/** A platformCustomerId may have named several customers over time: a page of each, merged. */
const throughCustomers = (caller: Caller, filter: TransactionFilter, beyond: Sql, window: Window): Sql => sql`
  select ${columns} from customers c
  cross join lateral (${pageWhere(conditionsOf(caller, filter, 'Customer', sql`c.id`), beyond, window)}) t
  where c.platform_id = ${caller.platformId}::uuid and c.platform_customer_id = ${filter.platformCustomerId}
  ${orderAndLimit(window)}`
