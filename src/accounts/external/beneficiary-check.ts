// Compares the name from the platform with that of the account holder (docs/domain/customers.md#beneficiary-check).
import type { AccountInfo, Beneficiary } from '#accounts/account-info.ts'
import type { BENEFICIARY_VERIFICATION_STATUSES } from '#accounts/external-account.ts'
import type { Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { type MagicEffect, type MagicTable, outcomeOf } from '#core/magic-values.ts'
import { type AccountSuffix, keyOf, suffixOf } from './suffix.ts'

type Status = (typeof BENEFICIARY_VERIFICATION_STATUSES)[number]

export interface BeneficiaryCheck {
  /** Null if no check was made. */
  readonly beneficiaryVerificationStatus: Status | null
  readonly beneficiaryVerifiedName: string | null
}

const becomes = (outcome: Status): MagicEffect<Status | null> => ({ effect: `${outcome}.`, outcome })

const OUTCOMES = {
  '102': becomes('NOT_MATCHED'),
  '103': becomes('PARTIAL_MATCH'),
  '104': becomes('PENDING'),
  '105': { effect: 'The bank does not know the account: 400 `INVALID_BANK_ACCOUNT`.', outcome: null },
  '106': becomes('UNSUPPORTED'),
  '107': becomes('CHECKED_BY_RECEIVING_FI'),
} satisfies Partial<Record<AccountSuffix, MagicEffect<Status | null>>>

/** Null: the bank refuses the account. */
export const BENEFICIARY_CHECKS: MagicTable<Status | null> = {
  name: 'BENEFICIARY_CHECK',
  place: 'The number, IBAN, address or key of an external account with a beneficiary, when it is created.',
  match: 'SUFFIX',
  values: OUTCOMES,
  otherwise: becomes('MATCHED'),
}

const NOT_CHECKED: BeneficiaryCheck = { beneficiaryVerificationStatus: null, beneficiaryVerifiedName: null }

/**
 * The sandbox decides by the suffix of the account. Production has no check yet. Throws 400 `INVALID_BANK_ACCOUNT` if the bank refuses
 * the account.
 */
export const checkBeneficiary = (
  environment: Environment,
  info: Omit<AccountInfo, 'accountType'>,
): BeneficiaryCheck => {
  const beneficiary = info['beneficiary'] as Beneficiary | undefined
  if (beneficiary === undefined || environment === 'PRODUCTION') return NOT_CHECKED
  const beneficiaryVerificationStatus = outcomeOf(BENEFICIARY_CHECKS, suffixOf(info))
  if (beneficiaryVerificationStatus === null) {
    const field = `accountInfo.${keyOf(info)}`
    throw new ApiError('INVALID_BANK_ACCOUNT', `${field} is not known to the bank`, { field })
  }
  const name = beneficiary.beneficiaryType === 'INDIVIDUAL' ? beneficiary.fullName : beneficiary.legalName
  return { beneficiaryVerificationStatus, beneficiaryVerifiedName: verifiedName(name, beneficiaryVerificationStatus) }
}

/** For a partial match, the bank returns the first name as an initial. */
const verifiedName = (name: string, status: Status): string | null => {
  if (status === 'MATCHED') return name
  return status === 'PARTIAL_MATCH' ? name.replace(/^(\S)\S* /, '$1. ') : null
}
