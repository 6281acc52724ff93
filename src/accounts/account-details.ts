// The fields of each account type, as one table (docs/domain/account-types.md#table-of-account-types).
import type { AccountInfo, AccountType } from './account-info.ts'

/** What each field says, wherever it occurs. */
export const DETAILS = {
  accountNumber: 'Account number, 1 to 34 characters.',
  address: 'Address of the wallet, as its network writes it.',
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
    'What a session of the wallet stamps, byte for byte. The stamp is the `walletSignature` of the execution.',
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

const NUMBER_AND_BIC = 'bankName* accountNumber* swiftCode*'
const NUMBER_OR_PHONE = 'bankName* accountNumber phoneNumber'
const MOBILE_MONEY = 'phoneNumber* provider*'
const CHAIN = 'address* assetType'

/** `*` marks what an account of the type always has. Payment instructions may have more than external accounts. */
const FIELDS: Readonly<Record<AccountType, string>> = {
  USD_ACCOUNT: 'accountNumber* routingNumber* bankName',
  EUR_ACCOUNT: 'iban* swiftCode',
  DKK_ACCOUNT: 'iban* swiftCode',
  GBP_ACCOUNT: 'sortCode* accountNumber*',
  MXN_ACCOUNT: 'clabeNumber*',
  BRL_ACCOUNT: 'pixKey* pixKeyType* taxId* qrCode',
  INR_ACCOUNT: 'vpa accountNumber ifsc rail bankName',
  CAD_ACCOUNT: 'bankCode* branchCode* accountNumber*',
  AED_ACCOUNT: 'iban* swiftCode',
  NGN_ACCOUNT: 'bankName* accountNumber*',
  ZAR_ACCOUNT: 'bankName* accountNumber*',
  PHP_ACCOUNT: 'bankName* accountNumber*',
  HKD_ACCOUNT: NUMBER_AND_BIC,
  MYR_ACCOUNT: NUMBER_AND_BIC,
  THB_ACCOUNT: NUMBER_AND_BIC,
  VND_ACCOUNT: NUMBER_AND_BIC,
  IDR_ACCOUNT: `${NUMBER_AND_BIC} phoneNumber*`,
  SGD_ACCOUNT: 'bankName accountNumber* swiftCode*',
  COP_ACCOUNT: `${NUMBER_OR_PHONE} bankAccountType paymentUrl`,
  CNY_ACCOUNT: NUMBER_OR_PHONE,
  GHS_ACCOUNT: NUMBER_OR_PHONE,
  SLV_ACCOUNT: 'bankName accountNumber phoneNumber bankAccountType',
  BDT_ACCOUNT: `${NUMBER_OR_PHONE} branchCode swiftCode`,
  EGP_ACCOUNT: 'bankName* iban phoneNumber',
  PKR_ACCOUNT: 'bankName* iban accountNumber phoneNumber',
  GTQ_ACCOUNT: 'bankName* accountNumber* bankAccountType*',
  JMD_ACCOUNT: 'bankName* accountNumber* branchCode* bankAccountType*',
  BWP_ACCOUNT: MOBILE_MONEY,
  MWK_ACCOUNT: MOBILE_MONEY,
  UGX_ACCOUNT: MOBILE_MONEY,
  KES_ACCOUNT: MOBILE_MONEY,
  RWF_ACCOUNT: MOBILE_MONEY,
  TZS_ACCOUNT: MOBILE_MONEY,
  ZMW_ACCOUNT: MOBILE_MONEY,
  XAF_ACCOUNT: `${MOBILE_MONEY} region*`,
  XOF_ACCOUNT: `${MOBILE_MONEY} region*`,
  HTG_ACCOUNT: 'phoneNumber*',
  SWIFT_ACCOUNT: 'country* swiftCode* bankName* accountNumber iban',
  ARS_ACCOUNT: 'accountNumber*',
  SOLANA_WALLET: CHAIN,
  TRON_WALLET: CHAIN,
  POLYGON_WALLET: CHAIN,
  BASE_WALLET: CHAIN,
  ETHEREUM_WALLET: CHAIN,
  SPARK_WALLET: `${CHAIN} invoice`,
  LIGHTNING: 'invoice bolt12 lightningAddress',
  EMBEDDED_WALLET: 'payloadToSign*',
}

/** The fields of an account type, in the order of the table. */
export const detailsOf = (type: AccountType) =>
  FIELDS[type].split(' ').map((field) => ({ name: field.replace('*', '') as Detail, isRequired: field.endsWith('*') }))

const all = Object.keys(FIELDS).flatMap((type) => detailsOf(type as AccountType))
const optional = new Set(all.flatMap(({ name, isRequired }) => (isRequired ? [] : [name])))

/** Whether every type with this field requires it. */
export const isAlwaysRequired = (name: Detail) => !optional.has(name)

/** Bank and mobile money accounts are reached over payment rails and belong to a beneficiary. Wallets have neither. */
export const isBankAccount = (type: AccountType) => type.endsWith('_ACCOUNT')

/** The text of a field, null when the account does not have it. */
export const detailOf = (info: AccountInfo, name: Detail): string | null => {
  const value = info[name]
  return typeof value === 'string' ? value : null
}
