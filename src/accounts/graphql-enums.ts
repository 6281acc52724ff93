// The enums of accounts.
import { enumOf } from '#graphql/enums.ts'
import { BENEFICIARY_VERIFICATION_STATUSES, EXTERNAL_ACCOUNT_STATUSES } from './external-account.ts'
import { INTERNAL_ACCOUNT_STATUSES, INTERNAL_ACCOUNT_TYPES } from './internal-account.ts'
import { ACCOUNT_OWNERS } from './list.ts'

export const InternalAccountTypeEnum = enumOf(
  'InternalAccountType',
  'Kind of an account held by the service.',
  INTERNAL_ACCOUNT_TYPES,
  {
    INTERNAL_FIAT: 'Fiat balance.',
    INTERNAL_CRYPTO: 'Custodial crypto balance.',
    EMBEDDED_WALLET: 'Wallet whose actions the customer signs; it has credentials.',
  },
)

const INTERNAL_STATES = {
  PENDING: 'Being opened.',
  ACTIVE: 'Sends and receives.',
  CLOSED: 'Closed for good.',
  FROZEN: 'Stopped until it is released.',
  FAILED: 'Could not be opened.',
}

const EXTERNAL_STATES = {
  PENDING: 'Being checked.',
  ACTIVE: 'Can be paid.',
  UNDER_REVIEW: 'A person looks at it.',
  INACTIVE: 'Cannot be paid.',
}

export const InternalAccountStatusEnum = enumOf(
  'InternalAccountStatus',
  'State of an account held by the service. Only `ACTIVE` accounts send and receive.',
  INTERNAL_ACCOUNT_STATUSES,
  INTERNAL_STATES,
)

export const ExternalAccountStatusEnum = enumOf(
  'ExternalAccountStatus',
  'State of an account outside the service.',
  EXTERNAL_ACCOUNT_STATUSES,
  EXTERNAL_STATES,
)

export const BeneficiaryVerificationStatusEnum = enumOf(
  'BeneficiaryVerificationStatus',
  'Whether the name that the platform gave is that of the holder of the account.',
  BENEFICIARY_VERIFICATION_STATUSES,
  {
    MATCHED: 'It is.',
    PARTIAL_MATCH: 'It is close to it.',
    NOT_MATCHED: 'It is not.',
    UNSUPPORTED: 'The bank does not tell.',
    CHECKED_BY_RECEIVING_FI: 'The receiving institution checks it.',
    PENDING: 'Not known yet.',
  },
)

export const AccountStatusEnum = enumOf(
  'AccountStatus',
  'Every state that an account of either kind can be in. For table columns that span the kinds.',
  [...new Set([...INTERNAL_ACCOUNT_STATUSES, ...EXTERNAL_ACCOUNT_STATUSES])],
  {
    ...INTERNAL_STATES,
    ...EXTERNAL_STATES,
    PENDING: 'Being opened or checked.',
    ACTIVE: 'Sends and receives, or can be paid.',
  },
)

export const AccountOwnerEnum = enumOf('AccountOwner', 'Whose an account is.', ACCOUNT_OWNERS, {
  CUSTOMER: "A customer's.",
  PLATFORM: "The platform's own.",
})
