import { type Caller, requireAgentPermission } from '#core/caller.ts'
import { sql } from '#database/db.ts'
import { flag, nullable, oneOf, type RecordOf, record, selectByIds, text, time } from '#database/record.ts'

export const CUSTOMER_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const
export const VERIFICATION_STATUSES = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'] as const

export const CustomerRecord = record(
  'customers',
  {
    id: text,
    platformCustomerId: text,
    customerType: oneOf(CUSTOMER_TYPES),
    name: nullable(text),
    email: nullable(text),
    phoneNumber: nullable(text),
    umaAddress: nullable(text),
    region: nullable(text),
    verificationStatus: oneOf(VERIFICATION_STATUSES),
    isDeleted: flag,
    createdAt: time,
    updatedAt: time,
  },
  { agentSees: ({ customerId }) => sql`t.id = ${customerId}::uuid` },
)
export type Customer = RecordOf<typeof CustomerRecord>

/**
 * An agent sees the id, the platform's id and the name of its customer. Everything else is 403 `FORBIDDEN` to it without
 * VIEW_TRANSACTIONS.
 */
export const requireDetails = (caller: Caller): void => {
  if (caller.scheme === 'AGENT') requireAgentPermission(caller, 'VIEW_TRANSACTIONS')
}

export const customersByIds = (caller: Caller, ids: readonly string[]) => selectByIds(caller, CustomerRecord, ids)
