// Pages of transactions, of the whole platform or of several parents.
import { type Caller, requirePermission } from '#core/caller.ts'
import { query, sql } from '#core/db.ts'
import { readPage, readPagesOf, selectPage } from '#core/list.ts'
import { beyondCursor, listKey, orderAndLimit, type Page, pageOf, type Window } from '#core/page.ts'
import { conditionsOf, isPlatform, type ParentKind, type TransactionFilter } from './filter.ts'
import { type Transaction, TransactionRecord } from './transaction.ts'

export const listTransactions = async (
  caller: Caller,
  filter: TransactionFilter,
  window: Window,
): Promise<Page<Transaction>> => {
  requirePermission(caller, 'VIEW')
  const { customerId, platformCustomerId } = filter
  return platformCustomerId && !customerId && !isPlatform(caller, platformCustomerId)
    ? listThroughCustomers(caller, filter, window)
    : readPage(TransactionRecord, listOf(caller, filter, window), window, conditionsOf(caller, filter))
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
  const listOfParent = (id: string) => listOf(caller, filter, window, `${parent} ${id}`)
  return readPagesOf(TransactionRecord, parentIds, listOfParent, window, conditionsOf(caller, filter, parent))
}

const listOf = (caller: Caller, filter: TransactionFilter, { sortOrder }: Window, parent = 'platform') =>
  listKey(caller.platformId, `transactions of ${parent}`, filter, sortOrder)

/** A platformCustomerId may have named several customers over time: a page of each, merged. */
const listThroughCustomers = async (caller: Caller, filter: TransactionFilter, window: Window) => {
  const { columns, read } = TransactionRecord
  const list = listOf(caller, filter, window)
  const ofCustomer = conditionsOf(caller, filter, 'Customer', sql`c.id`)
  const rows = await query(sql`
    select ${columns} from customers c
    cross join lateral (${selectPage(TransactionRecord, ofCustomer, beyondCursor(window, list), window)}) t
    where c.platform_id = ${caller.platformId}::uuid and c.platform_customer_id = ${filter.platformCustomerId}
    ${orderAndLimit(window)}`)
  return pageOf(
    rows.map((row) => read(row)),
    window,
    list,
  )
}
