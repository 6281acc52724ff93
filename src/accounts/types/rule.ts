// The form of the table of account types (docs/domain/account-types.md#table-of-account-types).
import type { AccountType, BENEFICIARY_TYPES } from '#accounts/account-info.ts'
import type { PaymentRail } from '#accounts/payment-rail.ts'
import type { Check } from './check.ts'

/** The description of each field. */
export const DETAILS = {
  accountNumber: 'Account number, 1 to 34 characters.',
  address: 'Address of the wallet, in the format of its network.',
  assetType: 'Code of the asset to send, for example `USDC`. Only in payment instructions.',
  bankAccountType: 'Kind of bank account.',
  bankCode: 'Code of the bank, for example the institution number of Canada.',
  bankName: 'Name of the bank.',
  bolt12: 'BOLT 12 offer.',
  branchCode: 'Code of the branch, five digits.',
  clabeNumber: 'CLABE, 18 digits.',
  country: 'Country of the bank, ISO 3166-1 alpha-2.',
  iban: 'International bank account number.',
  ifsc: 'Indian Financial System Code, 11 characters.',
  invoice: 'Invoice to pay.',
  lightningAddress: 'Lightning address, for example `alice@bank.example`.',
  payloadToSign:
    'The text that a session of the wallet stamps, byte for byte. Pass the stamp as `walletSignature` (REST: in the header `Service-Wallet-Signature`) when executing.',
  paymentUrl: 'Page where the payer pays. Only in payment instructions.',
  phoneNumber: 'Phone number of the account, E.164.',
  pixKey: 'Pix key, 1 to 77 characters.',
  pixKeyType: 'Kind of Pix key.',
  provider: 'Mobile money provider.',
  qrCode: 'Text of the Pix QR code. Only in payment instructions.',
  rail: 'Rail to use: `UPI`, `NEFT` or `RTGS`.',
  region: 'Country of the account, ISO 3166-1 alpha-2.',
  routingNumber: 'ABA routing number, nine digits.',
  sortCode: 'Sort code, six digits.',
  swiftCode: 'BIC, 8 or 11 characters.',
  taxId: 'CPF or CNPJ of the holder.',
  vpa: 'UPI address.',
}
export type Detail = keyof typeof DETAILS

export const ACCOUNT_FAMILIES = ['BANK', 'MOBILE_MONEY', 'WALLET'] as const
export type AccountFamily = (typeof ACCOUNT_FAMILIES)[number]

/** A text and its bounds in Unicode characters. */
export interface Field {
  /** The label in forms. */
  readonly label: string
  readonly example: string
  readonly required: boolean
  readonly minLength: number
  readonly maxLength: number
  /** Anchored, for the flags `u` and `v`. Absent for an enum. */
  readonly pattern?: string
  readonly enum?: readonly [string, ...string[]]
  /** The list that `enum` is taken from, if GraphQL has an enum for it. */
  readonly enumOf?: readonly [string, ...string[]]
  readonly check?: Check
}
export type Fields = Readonly<Partial<Record<Detail, Field>>>

/** Alternatives: fields that are given together. */
type Sets = readonly (readonly Detail[])[]

export type BeneficiaryField = 'address' | 'countryOfResidence' | 'documentNumber' | 'documentType' | 'phoneNumber'

export interface AccountTypeRule {
  /** Accounts of the families BANK and MOBILE_MONEY belong to a beneficiary, wallets do not. */
  readonly family: AccountFamily
  /** Currencies that an account of the type may have. Empty means any. */
  readonly currencies: readonly string[]
  /** Where such accounts are held, for forms. Empty means anywhere. */
  readonly countries: readonly string[]
  readonly rails: readonly PaymentRail[]
  readonly fields: Fields
  /** At least one of these sets is complete, and none is given in part. */
  readonly oneSetOf?: Sets
  /** No more than one of the sets. */
  readonly exactlyOne?: boolean
  /** A rail reaches the account if one of its sets is complete. A rail without an entry always does. */
  readonly railNeeds?: Readonly<Partial<Record<PaymentRail, Sets>>>
  /** Fields of an individual besides the name, which no other type accepts. */
  readonly individual?: {
    readonly required?: readonly BeneficiaryField[]
    readonly optional?: readonly BeneficiaryField[]
  }
  /** Whether accounts of the type can be added, or occur only in payment instructions. */
  readonly creatable: boolean
  /** The fields that a payment instruction has in addition or, with `only`, instead. */
  readonly instruction: { readonly reference: boolean; readonly fields?: Fields; readonly only?: readonly Detail[] }
}

export type BeneficiaryType = (typeof BENEFICIARY_TYPES)[number]
export type AccountTypeRules = Readonly<Record<AccountType, AccountTypeRule>>
