// Lists of accounts: those of customers, and the platform's own.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { anyOf, bothOf, idOf, labelOf, textOf } from '#core/input.ts'
import { join, query, type Sql, sql } from '#database/db.ts'
import { findById } from '#database/record.ts'
import { filterOf, isOneOf, recordList, refersTo, when } from '#database/record-list.ts'
import { EXTERNAL_ACCOUNT_STATUSES, type ExternalAccount, ExternalAccountRecord } from './external-account.ts'
import {
  INTERNAL_ACCOUNT_STATUSES,
  INTERNAL_ACCOUNT_TYPES,
  type InternalAccount,
  InternalAccountRecord,
} from './internal-account.ts'

export const ACCOUNT_OWNERS = ['CUSTOMER', 'PLATFORM'] as const
export type AccountOwner = (typeof ACCOUNT_OWNERS)[number]

const STATUSES = 'Accounts with any of these statuses. An empty list means no filter.'

const ofAccounts = z.object({
  owner: labelOf(ACCOUNT_OWNERS).nullish().describe("Only customers' accounts, or only the platform's own."),
  customerId: idOf('Customer').nullish().describe('Accounts of this customer.'),
  currency: textOf(16).nullish().describe('Accounts in this currency, by its code.'),
})

export const InternalAccountFilterInput = ofAccounts.extend({
  type: labelOf(INTERNAL_ACCOUNT_TYPES).nullish().describe('Accounts of this type.'),
  types: anyOf(INTERNAL_ACCOUNT_TYPES).describe('Accounts of any of these types. An empty list means no filter.'),
  statuses: anyOf(INTERNAL_ACCOUNT_STATUSES).describe(STATUSES),
})

export const ExternalAccountFilterInput = ofAccounts.extend({
  statuses: anyOf(EXTERNAL_ACCOUNT_STATUSES).describe(STATUSES),
})

/** The conditions that REST offers. Where the accounts of one owner are listed, there is no `customerId`. */
export const INTERNAL_ACCOUNT_PARAMETERS = ['currency', 'type'] as const
export const EXTERNAL_ACCOUNT_PARAMETERS = ['currency'] as const

const matches = ({ owner, customerId, currency }: z.infer<typeof ofAccounts>): Sql[] => [
  ...when(owner, (of) => (of === 'PLATFORM' ? sql`t.customer_id is null` : sql`t.customer_id is not null`)),
  ...refersTo('customer_id', customerId),
  ...when(currency, (code) => sql`t.currency = ${code}`),
]

const internalConditions = (filter: z.infer<typeof InternalAccountFilterInput>): Sql[] => [
  ...matches(filter),
  ...isOneOf('type', 'internal_account_type', bothOf(filter.type, filter.types)),
  ...isOneOf('status', 'internal_account_status', filter.statuses),
]

const parents = { Customer: 'customer_id' } as const

export const internalAccountList = recordList(InternalAccountRecord, {
  name: 'internal accounts',
  filter: InternalAccountFilterInput,
  matches: internalConditions,
  parents,
})

export const externalAccountList = recordList(ExternalAccountRecord, {
  name: 'external accounts',
  filter: ExternalAccountFilterInput,
  matches: (filter) => [
    sql`t.deleted_at is null`,
    ...matches(filter),
    ...isOneOf('status', 'external_account_status', filter.statuses),
  ],
  parents,
})

/** Returns all of the platform's own accounts, newest first, without pages: there is about one per currency. Throws 400 for a malformed filter. */
export const listPlatformAccounts = async (caller: Caller, input: object): Promise<InternalAccount[]> => {
  InternalAccountRecord.requireView(caller)
  const conditions = internalConditions(filterOf(internalAccountList, { ...input, owner: 'PLATFORM' }, ''))
  const rows = await query(sql`
    select ${InternalAccountRecord.columns} from internal_accounts t
    where ${join([InternalAccountRecord.visibleTo(caller), ...conditions], ' and ')} order by t.created_at desc, t.id desc`)
  return rows.map((row) => InternalAccountRecord.read(row))
}

/** `field` is given where the input names several accounts. */
export const unknownAccount = (field?: string) =>
  new ApiError('REFERENCE_NOT_FOUND', 'There is no such account', field === undefined ? undefined : { field })

/** Throws 404 `REFERENCE_NOT_FOUND` if the id is unknown or malformed, the account is deleted, or it does not belong to `owner`. */
export const readExternalAccount = async (
  caller: Caller,
  id: string,
  owner: AccountOwner = 'CUSTOMER',
): Promise<ExternalAccount> => {
  const account = await findById(caller, ExternalAccountRecord, 'ExternalAccount', id, unknownAccount)
  if (account.deletedAt !== null || (account.customerId === null) !== (owner === 'PLATFORM')) {
    throw unknownAccount()
  }
  return account
}
