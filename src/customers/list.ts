// Customers of the platform, by filter and by name.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { countryCode } from '#core/codes/countries.ts'
import { partsOfId } from '#core/ids.ts'
import { anyOf, idOf, labelOf, parse, textOf } from '#core/input.ts'
import { creationAndChangeRanges, inOrder } from '#core/time-filters.ts'
import { query, type Sql, sql } from '#database/db.ts'
import { findById } from '#database/record.ts'
import { anyStartsWith, isOneOf, isWithin, recordList, when } from '#database/record-list.ts'
import {
  CUSTOMER_TYPES,
  type Customer,
  CustomerRecord,
  requireDetails,
  unknownCustomer,
  VERIFICATION_STATUSES,
} from './customer.ts'

export const CustomerFilterInput = z
  .object({
    customerType: labelOf(CUSTOMER_TYPES).nullish().describe('Only persons or only businesses.'),
    verificationStatuses: anyOf(VERIFICATION_STATUSES).describe(
      'Only these statuses of the verification. An empty list means no filter.',
    ),
    platformCustomerId: textOf(255).nullish().describe("The customer's exact ID in the platform's own system."),
    umaAddress: textOf(320).nullish().describe('The exact UMA address, ignoring case.'),
    region: countryCode.nullish().describe('The exact country as ISO 3166-1 alpha-2.'),
    currency: textOf(16)
      .nullish()
      .describe(
        'Currency code. Only customers with an internal account in this currency. Embedded wallets do not count.',
      ),
    search: textOf(254, 0)
      .nullish()
      .describe('Start of the name, email address or platform customer ID, ignoring case.'),
    ...creationAndChangeRanges,
    isIncludingDeleted: z
      .boolean({ error: 'must be true or false' })
      .nullish()
      .describe('Whether to include deleted customers. Default: false.'),
  })
  .refine(...inOrder('createdAfter', 'createdBefore'))
  .refine(...inOrder('updatedAfter', 'updatedBefore'))
/** The conditions that REST offers. */
export const CUSTOMER_PARAMETERS = [
  'platformCustomerId',
  'customerType',
  'region',
  'currency',
  'umaAddress',
  'createdAfter',
  'createdBefore',
  'updatedAfter',
  'updatedBefore',
  'isIncludingDeleted',
] as const

type CustomerFilter = z.infer<typeof CustomerFilterInput>

const SEARCHED = ['name', 'email', 'platform_customer_id']

const matches = (filter: CustomerFilter): Sql[] => [
  ...(filter.isIncludingDeleted ? [] : [sql`not t.is_deleted`]),
  ...when(filter.customerType, (type) => sql`t.customer_type = ${type}::customer_type`),
  ...isOneOf('verification_status', 'verification_status', filter.verificationStatuses),
  ...when(filter.platformCustomerId, (id) => sql`t.platform_customer_id = ${id}`),
  ...when(filter.umaAddress, (address) => sql`lower(t.uma_address) = lower(${address})`),
  ...when(filter.region, (region) => sql`t.region = ${region}`),
  ...when(filter.currency, holdsAccountIn),
  ...when(filter.search || null, (text) => anyStartsWith(SEARCHED, text)),
  ...isWithin('created_at', filter.createdAfter, filter.createdBefore),
  ...isWithin('updated_at', filter.updatedAfter, filter.updatedBefore),
]

const holdsAccountIn = (currency: string): Sql => sql`exists (
  select from internal_accounts a
  where a.platform_id = t.platform_id and a.customer_id = t.id and a.currency = ${currency} and a.type <> 'EMBEDDED_WALLET')`

const everyCustomer = recordList(CustomerRecord, { name: 'customers', filter: CustomerFilterInput, matches })

/** A filter reveals details of the customer: 403 for an agent that may not see them. */
const requireFilter = (caller: Caller, filter: CustomerFilter): void => {
  if (Object.values(filter).some((value) => value !== null && value !== undefined)) requireDetails(caller)
}

export const customerList: typeof everyCustomer = {
  ...everyCustomer,
  page: async (caller, filter, window, as) => {
    requireFilter(caller, filter)
    return everyCustomer.page(caller, filter, window, as)
  },
  count: async (caller, filter) => {
    requireFilter(caller, filter)
    return everyCustomer.count(caller, filter)
  },
}

/** Finds deleted customers too. 404 `USER_NOT_FOUND` for an unknown or malformed id. */
export const readCustomer = (caller: Caller, id: string): Promise<Customer> =>
  findById(caller, CustomerRecord, 'Customer', id, unknownCustomer)

const CustomerLookupInput = z.union([z.object({ id: idOf('Customer') }), z.object({ platformCustomerId: textOf(255) })])

/** The bare uuid of the customer that the lookup names, or null. A platformCustomerId names the customer that is not deleted. */
export const findCustomerId = async (caller: Caller, input: unknown): Promise<string | null> => {
  CustomerRecord.requireView(caller)
  const lookup = parse(CustomerLookupInput, input, 'by')
  if ('id' in lookup) return partsOfId(lookup.id).uuid
  const [row] = await query(sql`
    select t.id from customers t
    where ${CustomerRecord.visibleTo(caller)} and t.platform_customer_id = ${lookup.platformCustomerId} and not t.is_deleted`)
  return row?.[0] ?? null
}
