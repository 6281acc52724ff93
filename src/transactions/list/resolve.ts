// What is looked up before a list is read, because the plan of its page depends on it.
import type { Caller } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { lookUp, query, sql } from '#database/db.ts'
import type { Transaction, TransactionItemType } from '#transactions/transaction.ts'
import { isPlatform } from './conditions.ts'
import type { TransactionFilter } from './filter.ts'
import { admittedTypes, isByParty, type ParentKind } from './kinds.ts'

/**
 * The filters that together replace this one: by customerId instead of platformCustomerId, which over time may have named several customers, and
 * without types that the platform does not have in the direction of the filter. None if nothing can match.
 */
export const resolveFilter = async (
  caller: Caller,
  filter: TransactionFilter,
  parent?: ParentKind,
): Promise<readonly TransactionFilter[]> => {
  const resolving = resolved.get(filter) ?? resolve(caller, filter, parent)
  resolved.set(filter, resolving)
  return resolving
}

/** The filter of a request is one object, so its page and its count share the look-ups. */
const resolved = new WeakMap<TransactionFilter, Promise<readonly TransactionFilter[]>>()

const resolve = async (caller: Caller, filter: TransactionFilter, parent?: ParentKind) => {
  const { platformCustomerId, direction } = filter
  const types = admittedTypes(filter, parent)
  if (types.length === 0) return []
  const [present, customerIds] = await Promise.all([
    direction && isByParty(filter, parent) ? typesIn(caller, direction, types) : types,
    platformCustomerId ? customersNamed(caller, platformCustomerId) : undefined,
  ])
  if (present.length === 0) return []
  const narrowed = present.length < types.length ? { ...filter, types: present } : filter
  if (!customerIds) return [narrowed]
  return customerIds
    .filter((customerId) => !filter.customerId || filter.customerId === customerId)
    .map((customerId) => ({ ...narrowed, customerId, platformCustomerId: null }))
}

const customersNamed = async (caller: Caller, platformCustomerId: string): Promise<readonly string[]> => {
  if (isPlatform(caller, platformCustomerId)) return [platformCustomerId]
  const rows = await query(sql`
    select id from customers where platform_id = ${caller.platformId}::uuid and platform_customer_id = ${platformCustomerId}`)
  return rows.map(([id]) => publicId('Customer', id ?? ''))
}

/**
 * Which of these types the platform has in this direction. Postgres would look for the others among all payments of an account. The range and its
 * order leave one index to Postgres, which would otherwise expect to find the first match soon in any.
 */
const typesIn = async (
  { platformId }: Caller,
  direction: Transaction['direction'],
  types: readonly TransactionItemType[],
): Promise<readonly TransactionItemType[]> => {
  const rows = await lookUp(sql`
    select item.type from unnest(${types}::transaction_item_type[]) as item (type)
    cross join lateral (
      select t.type, t.direction from transactions t
      where t.platform_id = ${platformId}::uuid and (t.type, t.direction) >= (item.type, ${direction}::transaction_direction)
      order by t.type, t.direction limit 1
    ) next
    where next.type = item.type and next.direction = ${direction}::transaction_direction`)
  return types.filter((type) => rows.some(([present]) => present === type))
}
