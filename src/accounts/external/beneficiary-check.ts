// Compares the name from the platform with that of the account holder (docs/domain/customers.md#beneficiary-check).
import type { AccountInfo, Beneficiary } from '#accounts/account-info.ts'
import type { BENEFICIARY_VERIFICATION_STATUSES } from '#accounts/external-account.ts'
import type { Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { keyOf, suffixOf } from './suffix.ts'

type Status = (typeof BENEFICIARY_VERIFICATION_STATUSES)[number]

export interface BeneficiaryCheck {
  /** Null if no check was made. */
  readonly beneficiaryVerificationStatus: Status | null
  readonly beneficiaryVerifiedName: string | null
}

const OUTCOMES: Readonly<Record<string, Status>> = {
  '102': 'NOT_MATCHED',
  '103': 'PARTIAL_MATCH',
  '104': 'PENDING',
  '106': 'UNSUPPORTED',
  '107': 'CHECKED_BY_RECEIVING_FI',
}
const REFUSED = '105'

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
  const suffix = suffixOf(info)
  if (suffix === REFUSED) {
    const field = `accountInfo.${keyOf(info)}`
    throw new ApiError('INVALID_BANK_ACCOUNT', `${field} is not known to the bank`, { field })
  }
  const name = beneficiary.beneficiaryType === 'INDIVIDUAL' ? beneficiary.fullName : beneficiary.legalName
  const beneficiaryVerificationStatus = OUTCOMES[suffix] ?? 'MATCHED'
  return { beneficiaryVerificationStatus, beneficiaryVerifiedName: verifiedName(name, beneficiaryVerificationStatus) }
}

/** For a partial match, the bank returns the first name as an initial. */
const verifiedName = (name: string, status: Status): string | null => {
  if (status === 'MATCHED') return name
  return status === 'PARTIAL_MATCH' ? name.replace(/^(\S)\S* /, '$1. ') : null
}
