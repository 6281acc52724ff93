import type { Caller } from '#core/caller.ts'
import {
  flag,
  json,
  nullable,
  ofItsCustomer,
  oneOf,
  type RecordOf,
  record,
  selectByIds,
  text,
  time,
} from '#database/record.ts'
import { ACCOUNT_TYPES, type AccountInfo } from './account-info.ts'

export const EXTERNAL_ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'UNDER_REVIEW', 'INACTIVE'] as const

export const BENEFICIARY_VERIFICATION_STATUSES = [
  'MATCHED',
  'PARTIAL_MATCH',
  'NOT_MATCHED',
  'UNSUPPORTED',
  'CHECKED_BY_RECEIVING_FI',
  'PENDING',
] as const

/** Without `customerId` the account is the platform's own. */
export const ExternalAccountRecord = record(
  'external_accounts',
  {
    id: text,
    customerId: nullable(text),
    status: oneOf(EXTERNAL_ACCOUNT_STATUSES),
    currency: text,
    accountType: oneOf(ACCOUNT_TYPES),
    accountInfo: json<Record<string, unknown>>(),
    platformAccountId: nullable(text),
    defaultUmaDepositAccount: flag,
    beneficiaryVerificationStatus: nullable(oneOf(BENEFICIARY_VERIFICATION_STATUSES)),
    beneficiaryVerifiedName: nullable(text),
    createdAt: time,
    updatedAt: time,
  },
  { agentSees: ofItsCustomer, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type ExternalAccount = RecordOf<typeof ExternalAccountRecord>

export const accountInfoOf = (account: ExternalAccount): AccountInfo => ({
  accountType: account.accountType,
  ...account.accountInfo,
})

export const externalAccountsByIds = (caller: Caller, ids: readonly string[]) =>
  selectByIds(caller, ExternalAccountRecord, ids)
