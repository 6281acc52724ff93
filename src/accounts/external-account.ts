import { flag, json, nullable, ofItsCustomer, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { ACCOUNT_TYPES, type AccountInfo } from './account-info.ts'
import { ACCOUNT_TEXTS } from './texts.ts'

export const EXTERNAL_ACCOUNT_STATUSES = [
  'PENDING',
  'ACTIVE',
  'UNDER_REVIEW',
  'INACTIVE',
  'PENDING_OWNERSHIP_VERIFICATION',
  'UNVERIFIED',
] as const

export const OWNERSHIP_TYPES = ['FIRST_PARTY', 'THIRD_PARTY'] as const

export const BENEFICIARY_VERIFICATION_STATUSES = [
  'MATCHED',
  'PARTIAL_MATCH',
  'NOT_MATCHED',
  'UNSUPPORTED',
  'CHECKED_BY_RECEIVING_FI',
  'PENDING',
] as const

/** Without `customerId` the account is the platform's own. Deleted accounts can be read by id, because payments still refer to them. */
export const ExternalAccountRecord = record(
  'external_accounts',
  {
    id: text.describe('`ExternalAccount:<uuid>`.'),
    customerId: nullable(text).describe(ACCOUNT_TEXTS.customerId),
    status: oneOf(EXTERNAL_ACCOUNT_STATUSES).describe(ACCOUNT_TEXTS.status),
    currency: text.describe('Currency of the account.'),
    accountType: oneOf(ACCOUNT_TYPES),
    accountInfo: json<Record<string, unknown>>().describe(
      'The account details: number, bank or address, depending on the account type.',
    ),
    platformAccountId: nullable(text).describe("The account's id in the platform's own system."),
    defaultUmaDepositAccount: flag.describe('Whether UMA payments to the customer are deposited here.'),
    beneficiaryVerificationStatus: nullable(oneOf(BENEFICIARY_VERIFICATION_STATUSES)).describe(
      "Whether the given name matches the account holder's. Only after it was checked.",
    ),
    beneficiaryVerifiedName: nullable(text),
    ownershipType: oneOf(OWNERSHIP_TYPES).describe(
      'Whether the account belongs to the customer itself, or to the platform for its own accounts. A first-party wallet must be verified before it can receive money.',
    ),
    /** A deleted account is INACTIVE and in no list. */
    deletedAt: nullable(time),
    createdAt: time.describe('When the account was created.'),
    updatedAt: time.describe('When the account last changed.'),
  },
  { agentSees: ofItsCustomer, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type ExternalAccount = RecordOf<typeof ExternalAccountRecord>

export const accountInfoOf = (account: Pick<ExternalAccount, 'accountType' | 'accountInfo'>): AccountInfo => ({
  accountType: account.accountType,
  ...account.accountInfo,
})
