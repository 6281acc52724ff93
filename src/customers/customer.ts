import { type Caller, requireAgentPermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { sql } from '#database/db.ts'
import { flag, json, listOf, nullable, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import type { Profile } from './profile/profile.ts'

export const CUSTOMER_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const
export type CustomerType = (typeof CUSTOMER_TYPES)[number]
export const VERIFICATION_STATUSES = ['UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD'] as const

const currencyCodes = listOf<string>([])

export const CustomerRecord = record(
  'customers',
  {
    id: text.describe('`Customer:<uuid>`.'),
    platformCustomerId: text.describe("The customer's ID in the platform's own system."),
    customerType: oneOf(CUSTOMER_TYPES).describe('Type of the customer: person or business.'),
    name: nullable(text).describe('Full name of a person, legal name of a business.'),
    email: nullable(text).describe('Email address. One-time codes by email are sent to it.'),
    phoneNumber: nullable(text).describe(
      'Phone number as E.164, for example `+14155550123`. One-time codes by SMS are sent to it.',
    ),
    umaAddress: text.describe('UMA address, for example `$alice@bank.example`.'),
    region: nullable(text).describe(
      'Country as ISO 3166-1 alpha-2. It decides which rules apply to payments. Defaults to the country of the address.',
    ),
    currencies: nullable(currencyCodes).describe(
      'Currencies that the customer uses. Its approval opens an account in each.',
    ),
    profile: nullable(json<Profile>()),
    verificationStatus: oneOf(VERIFICATION_STATUSES).describe(
      'Status of the identity (KYC) or business (KYB) verification.',
    ),
    verifiedEmail: nullable(text),
    verifiedPhoneNumber: nullable(text),
    isDeleted: flag.describe('Whether the customer was deleted.'),
    createdAt: time.describe('When the customer was created.'),
    updatedAt: time.describe('When the customer was last changed.'),
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

/** `field` is given where the input names more than the customer. */
export const unknownCustomer = (field?: string) =>
  new ApiError('USER_NOT_FOUND', 'There is no such customer', field === undefined ? undefined : { field })
