import { amount, flag, nullable, ofItsCustomer, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { ACCOUNT_TEXTS } from './texts.ts'

export const INTERNAL_ACCOUNT_TYPES = ['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'] as const
export const INTERNAL_ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED'] as const

/** Without `customerId` the account is the platform's own. */
export const InternalAccountRecord = record(
  'internal_accounts',
  {
    id: text.describe('`InternalAccount:<uuid>`.'),
    customerId: nullable(text).describe(ACCOUNT_TEXTS.customerId),
    type: oneOf(INTERNAL_ACCOUNT_TYPES).describe(
      'Kind of account. An `EMBEDDED_WALLET` has credentials, with which its owner signs.',
    ),
    status: oneOf(INTERNAL_ACCOUNT_STATUSES).describe(ACCOUNT_TEXTS.status),
    currency: text.describe('Currency of the account.'),
    balance: amount.describe('Spendable balance, excluding pending and held money.'),
    totalBalance: amount.describe('Balance including pending and held money.'),
    privateEnabled: nullable(flag).describe(`${ACCOUNT_TEXTS.privateEnabled} Only for wallets.`),
    createdAt: time.describe('When the account was created.'),
    updatedAt: time.describe('When the account last changed.'),
  },
  { agentSees: ofItsCustomer, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type InternalAccount = RecordOf<typeof InternalAccountRecord>
