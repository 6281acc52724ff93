import type { Caller } from '#core/caller.ts'
import { json, nullable, oneOf, type RecordOf, record, selectByIds, selectByOwner, text, time } from '#core/record.ts'
import { ACCOUNT_TYPES, type AccountInfo } from './account-info.ts'

export const EXTERNAL_ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'UNDER_REVIEW', 'INACTIVE'] as const

/** Without `customerId` the account is the platform's own. */
export const ExternalAccountRecord = record('external_accounts', {
  id: text,
  customerId: nullable(text),
  status: oneOf(EXTERNAL_ACCOUNT_STATUSES),
  currency: text,
  accountType: oneOf(ACCOUNT_TYPES),
  accountInfo: json<Record<string, unknown>>(),
  createdAt: time,
  updatedAt: time,
})
export type ExternalAccount = RecordOf<typeof ExternalAccountRecord>

export const accountInfoOf = (account: ExternalAccount): AccountInfo => ({
  accountType: account.accountType,
  ...account.accountInfo,
})

export const externalAccountsByIds = (caller: Caller, ids: readonly string[]) =>
  selectByIds(caller, ExternalAccountRecord, ids)

export const externalAccountsOfCustomers = (caller: Caller, customerIds: readonly string[]) =>
  selectByOwner(caller, ExternalAccountRecord, 'customerId', customerIds)
