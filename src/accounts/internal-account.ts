import type { Caller } from '#core/caller.ts'
import {
  amount,
  flag,
  nullable,
  ofItsCustomer,
  oneOf,
  type RecordOf,
  record,
  selectByIds,
  text,
  time,
} from '#database/record.ts'
import type { PaymentInstructions } from './account-info.ts'

export const INTERNAL_ACCOUNT_TYPES = ['INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET'] as const
export const INTERNAL_ACCOUNT_STATUSES = ['PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED'] as const

/** Without `customerId` the account is the platform's own. */
export const InternalAccountRecord = record(
  'internal_accounts',
  {
    id: text,
    customerId: nullable(text),
    type: oneOf(INTERNAL_ACCOUNT_TYPES),
    status: oneOf(INTERNAL_ACCOUNT_STATUSES),
    currency: text,
    balance: amount,
    totalBalance: amount,
    privateEnabled: nullable(flag),
    createdAt: time,
    updatedAt: time,
  },
  { agentSees: ofItsCustomer, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type InternalAccount = RecordOf<typeof InternalAccountRecord>

export const internalAccountsByIds = (caller: Caller, ids: readonly string[]) =>
  selectByIds(caller, InternalAccountRecord, ids)

/** The ways to pay into the account. None exist yet (docs/domain/customers.md#internal-accounts). */
export const fundingInstructionsOf = (_account: InternalAccount): PaymentInstructions[] => []
