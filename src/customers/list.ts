import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { idOf, labelOf, parse, textOf } from '#core/input.ts'
import { nothing, query, type Sql, sql } from '#database/db.ts'
import { readPage } from '#database/list.ts'
import { listKey, type Page, type Window } from '#database/page.ts'
import { CUSTOMER_TYPES, type Customer, CustomerRecord } from './customer.ts'

const CustomerFilterInput = z.object({
  customerType: labelOf(CUSTOMER_TYPES).nullish(),
  umaAddress: textOf(320).nullish(),
  search: textOf(254, 0).nullish(),
})
type CustomerFilter = z.infer<typeof CustomerFilterInput>

/** Customers of the platform that are not deleted. */
export const listCustomers = async (caller: Caller, input: unknown, window: Window): Promise<Page<Customer>> => {
  CustomerRecord.requireView(caller)
  const filter = parse(CustomerFilterInput, input ?? {}, 'filter')
  const list = listKey(caller, 'customers', filter, window.sortOrder)
  return readPage(CustomerRecord, list, window, [matches(caller, filter)])
}

/** How many customers match, whatever the page. */
export const countCustomers = async (caller: Caller, input: unknown): Promise<number> => {
  CustomerRecord.requireView(caller)
  const filter = parse(CustomerFilterInput, input ?? {}, 'filter')
  const [row] = await query(sql`select count(*) from customers t where ${matches(caller, filter)}`)
  return Number(row?.[0])
}

const matches = (caller: Caller, { customerType, umaAddress, search }: CustomerFilter): Sql => {
  const prefix = search && `${search.replace(/[\\%_]/g, '\\$&')}%`
  return sql`${CustomerRecord.visibleTo(caller)} and not t.is_deleted
    ${customerType ? sql`and t.customer_type = ${customerType}::customer_type` : nothing}
    ${umaAddress ? sql`and lower(t.uma_address) = lower(${umaAddress})` : nothing}
    ${
      prefix
        ? sql`and (lower(t.name) like lower(${prefix}) or lower(t.email) like lower(${prefix}) or lower(t.platform_customer_id) like lower(${prefix}))`
        : nothing
    }`
}

const CustomerLookupInput = z.union([z.object({ id: idOf('Customer') }), z.object({ platformCustomerId: textOf(255) })])

/** The bare uuid of the customer that the lookup names, else null. A platformCustomerId names the customer that is not deleted. */
export const findCustomerId = async (caller: Caller, input: unknown): Promise<string | null> => {
  CustomerRecord.requireView(caller)
  const lookup = parse(CustomerLookupInput, input, 'by')
  if ('id' in lookup) return lookup.id.slice('Customer:'.length)
  const [row] = await query(sql`
    select t.id from customers t
    where ${CustomerRecord.visibleTo(caller)} and t.platform_customer_id = ${lookup.platformCustomerId} and not t.is_deleted`)
  return row?.[0] ?? null
}
