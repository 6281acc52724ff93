// The enums of accounts.
import { enumOf } from '#graphql/enums.ts'
import { BENEFICIARY_VERIFICATION_STATUSES, EXTERNAL_ACCOUNT_STATUSES, OWNERSHIP_TYPES } from './external-account.ts'
import { INTERNAL_ACCOUNT_STATUSES, INTERNAL_ACCOUNT_TYPES } from './internal-account.ts'
import { ACCOUNT_OWNERS } from './list.ts'

export const InternalAccountTypeEnum = enumOf(
  'InternalAccountType',
  'Type of an account held by the service.',
  INTERNAL_ACCOUNT_TYPES,
  {
    INTERNAL_FIAT: 'Fiat balance.',
    INTERNAL_CRYPTO: 'Custodial crypto balance.',
    EMBEDDED_WALLET: 'Wallet with credentials. The customer signs its actions.',
  },
)

const INTERNAL_STATES = {
  PENDING: 'Being opened.',
  ACTIVE: 'Can send and receive money.',
  CLOSED: 'Permanently closed.',
  FROZEN: 'Temporarily blocked from sending and receiving.',
  FAILED: 'Could not be opened.',
}

const EXTERNAL_STATES = {
  PENDING: 'Being checked.',
  ACTIVE: 'Can receive money.',
  UNDER_REVIEW: 'Under manual review.',
  INACTIVE: 'Cannot receive money.',
  PENDING_OWNERSHIP_VERIFICATION: 'The owner of the wallet has yet to prove that it holds the key.',
  UNVERIFIED: 'The proof of ownership was wrong or late.',
}

export const InternalAccountStatusEnum = enumOf(
  'InternalAccountStatus',
  'State of an account held by the service. Only an `ACTIVE` account can send or receive money.',
  INTERNAL_ACCOUNT_STATUSES,
  INTERNAL_STATES,
)

export const ExternalAccountStatusEnum = enumOf(
  'ExternalAccountStatus',
  'State of an account outside the service.',
  EXTERNAL_ACCOUNT_STATUSES,
  EXTERNAL_STATES,
)

export const OwnershipTypeEnum = enumOf('AccountOwnershipType', 'Who owns the account.', OWNERSHIP_TYPES, {
  FIRST_PARTY: 'An account of the customer, or of the platform for its own accounts.',
  THIRD_PARTY: 'An account that belongs to someone else.',
})

export const BeneficiaryVerificationStatusEnum = enumOf(
  'BeneficiaryVerificationStatus',
  'Whether the name from the platform matches the name of the account holder.',
  BENEFICIARY_VERIFICATION_STATUSES,
  {
    MATCHED: 'The names match.',
    PARTIAL_MATCH: 'The names are similar.',
    NOT_MATCHED: 'The names do not match.',
    UNSUPPORTED: 'The bank does not verify names.',
    CHECKED_BY_RECEIVING_FI: 'The receiving institution verifies the name.',
    PENDING: 'The result is not known yet.',
  },
)

export const AccountStatusEnum = enumOf(
  'AccountStatus',
  'Every state of internal and external accounts. Use it for a table column that shows both.',
  [...new Set([...INTERNAL_ACCOUNT_STATUSES, ...EXTERNAL_ACCOUNT_STATUSES])],
  {
    ...INTERNAL_STATES,
    ...EXTERNAL_STATES,
    PENDING: 'Being opened or checked.',
    ACTIVE: 'An internal account can send and receive money. An external account can receive it.',
  },
)

enumOf('AccountOwner', 'Owner of an account.', ACCOUNT_OWNERS, {
  CUSTOMER: 'A customer owns the account.',
  PLATFORM: 'The platform itself owns the account.',
})
