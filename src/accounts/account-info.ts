// How to pay into an account or wallet: the form of `accountOrWalletInfo` and of an external account's `accountInfo`.
export const ACCOUNT_TYPES = [
  'USD_ACCOUNT',
  'BRL_ACCOUNT',
  'MXN_ACCOUNT',
  'DKK_ACCOUNT',
  'EUR_ACCOUNT',
  'INR_ACCOUNT',
  'NGN_ACCOUNT',
  'CAD_ACCOUNT',
  'GBP_ACCOUNT',
  'HKD_ACCOUNT',
  'IDR_ACCOUNT',
  'MYR_ACCOUNT',
  'PHP_ACCOUNT',
  'SGD_ACCOUNT',
  'THB_ACCOUNT',
  'VND_ACCOUNT',
  'AED_ACCOUNT',
  'KES_ACCOUNT',
  'MWK_ACCOUNT',
  'RWF_ACCOUNT',
  'TZS_ACCOUNT',
  'UGX_ACCOUNT',
  'XOF_ACCOUNT',
  'ZAR_ACCOUNT',
  'ZMW_ACCOUNT',
  'BWP_ACCOUNT',
  'XAF_ACCOUNT',
  'BDT_ACCOUNT',
  'ARS_ACCOUNT',
  'COP_ACCOUNT',
  'EGP_ACCOUNT',
  'GHS_ACCOUNT',
  'GTQ_ACCOUNT',
  'HTG_ACCOUNT',
  'JMD_ACCOUNT',
  'PKR_ACCOUNT',
  'SLV_ACCOUNT',
  'SWIFT_ACCOUNT',
  'CNY_ACCOUNT',
  'SPARK_WALLET',
  'LIGHTNING',
  'SOLANA_WALLET',
  'TRON_WALLET',
  'POLYGON_WALLET',
  'BASE_WALLET',
  'ETHEREUM_WALLET',
  'EMBEDDED_WALLET',
] as const
export type AccountType = (typeof ACCOUNT_TYPES)[number]

/** `USD_ACCOUNT` as `UsdAccount`. */
export const pascalCase = (label: string): string =>
  label.toLowerCase().replaceAll(/(?:^|_)(.)/g, (_match, letter: string) => letter.toUpperCase())

export const BANK_ACCOUNT_KINDS = ['CHECKING', 'SAVINGS'] as const
export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'RANDOM'] as const
export const BENEFICIARY_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const

export interface PostalAddress {
  readonly line1: string
  readonly line2?: string
  readonly city?: string
  readonly state?: string
  readonly postalCode: string
  readonly country: string
}

interface CommonBeneficiary {
  readonly email?: string
  readonly phoneNumber?: string
  readonly countryOfResidence?: string
  readonly address?: PostalAddress
}

export interface IndividualBeneficiary extends CommonBeneficiary {
  readonly beneficiaryType: 'INDIVIDUAL'
  readonly fullName: string
  readonly birthDate?: string
  readonly nationality?: string
  /** Only for a COP_ACCOUNT, like its number. */
  readonly documentType?: string
  readonly documentNumber?: string
}

export interface BusinessBeneficiary extends CommonBeneficiary {
  readonly beneficiaryType: 'BUSINESS'
  readonly legalName: string
  readonly registrationNumber?: string
  readonly taxId?: string
}

/** The holder of a bank or mobile money account (docs/domain/account-types.md#beneficiaries). */
export type Beneficiary = IndividualBeneficiary | BusinessBeneficiary

/** The discriminator and the fields of that type (docs/domain/account-types.md#table-of-account-types). */
export interface AccountInfo {
  readonly accountType: AccountType
  readonly [field: string]: unknown
}

export interface PaymentInstructions {
  readonly accountOrWalletInfo: AccountInfo
  readonly instructionsNotes?: string
  /** True for an account of the platform, false for one of the customer. */
  readonly isPlatformAccount?: boolean
}
