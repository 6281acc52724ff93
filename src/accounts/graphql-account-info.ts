// AccountOrWalletInfo, and the payment instructions made of it.
import { builder, type FieldBuilder } from '#graphql/builder.ts'
import { column } from '#graphql/compiled/field.ts'
import { typeBy } from '#graphql/compiled/parts.ts'
import { enumOf } from '#graphql/enums.ts'
import { CounterpartyFactType, entriesOf } from '#graphql/key-values.ts'
import {
  ACCOUNT_TYPES,
  type AccountInfo,
  type AccountType,
  BANK_ACCOUNT_KINDS,
  type Beneficiary,
  type PaymentInstructions,
  PIX_KEY_TYPES,
  pascalCase,
} from './account-info.ts'
import { BeneficiaryInterface } from './graphql-beneficiary.ts'
import { PAYMENT_RAILS, type PaymentRail } from './payment-rail.ts'
import { INSTRUCTIONS_TEXTS } from './texts.ts'
import { DETAILS, type Detail } from './types/rule.ts'
import { ACCOUNT_TYPE_RULES, detailOf, detailsOf, isAlwaysRequired, isBankAccount } from './types/table.ts'

export const PaymentRailEnum = enumOf('PaymentRail', 'Rail that moves the money.', PAYMENT_RAILS, {
  ACH: 'Automated Clearing House, United States.',
  ACH_COLOMBIA: 'Automated Clearing House, Colombia.',
  BANK_TRANSFER: 'Domestic bank transfer of the country.',
  BRE_B: 'Instant payments, Colombia.',
  CIPS: 'Cross-Border Interbank Payment System, renminbi.',
  FAST: 'Fast and Secure Transfers, Singapore.',
  FASTER_PAYMENTS: 'Instant payments, United Kingdom.',
  FEDNOW: 'Instant payments of the Federal Reserve, United States.',
  INSTAPAY: 'Instant payments, Philippines.',
  MOBILE_MONEY: 'Balance held with a mobile operator.',
  NEFT: 'National Electronic Funds Transfer, India.',
  PAYNOW: 'Instant payments, Singapore.',
  PESONET: 'Batch payments, Philippines.',
  PIX: 'Instant payments, Brazil.',
  RTGS: 'Real-time gross settlement, India.',
  RTP: 'Instant payments of The Clearing House, United States.',
  SEPA: 'Single Euro Payments Area credit transfer.',
  SEPA_INSTANT: 'Single Euro Payments Area instant credit transfer.',
  SPEI: 'Interbank electronic payments, Mexico.',
  SWIFT: 'International wire through correspondent banks.',
  UNIONPAY: 'China UnionPay.',
  UPI: 'Unified Payments Interface, India.',
  WIRE: 'Domestic wire, United States.',
})

const kindOfAccount = (type: AccountType) => {
  const { family, rails } = ACCOUNT_TYPE_RULES[type]
  if (family === 'MOBILE_MONEY') return 'Mobile money account'
  return rails.includes('MOBILE_MONEY') ? 'Bank or mobile money account' : 'Bank account'
}

const describeAccountType = (type: AccountType) => {
  if (type === 'SWIFT_ACCOUNT') return 'Bank account that is paid over SWIFT.'
  if (type === 'EMBEDDED_WALLET') return 'Embedded wallet.'
  if (isBankAccount(type)) return `${kindOfAccount(type)} in ${ACCOUNT_TYPE_RULES[type].currencies.join(', ')}.`
  return `Wallet on ${type.charAt(0)}${type.replace('_WALLET', '').slice(1).toLowerCase()}.`
}

export const AccountTypeEnum = enumOf(
  'AccountType',
  'Discriminator of payment instructions and account details.',
  ACCOUNT_TYPES,
  Object.fromEntries(ACCOUNT_TYPES.map((type) => [type, describeAccountType(type)])) as Record<AccountType, string>,
)

const PixKeyTypeEnum = enumOf('PixKeyType', 'Kind of Pix key.', PIX_KEY_TYPES, {
  CPF: 'Tax number of a person.',
  CNPJ: 'Tax number of a business.',
  EMAIL: 'Email address.',
  PHONE: 'Phone number in Brazil.',
  RANDOM: 'A lower-case UUID.',
})

const BankAccountTypeEnum = enumOf('BankAccountType', 'Kind of bank account.', BANK_ACCOUNT_KINDS, {
  CHECKING: 'Current account.',
  SAVINGS: 'Savings account.',
})

/** `USD_ACCOUNT` is `UsdAccountInfo`. */
const TYPE_NAMES = Object.fromEntries(ACCOUNT_TYPES.map((type) => [type, `${pascalCase(type)}Info`])) as Record<
  AccountType,
  string
>

export const AccountOrWalletInfo = builder.interfaceRef<AccountInfo>('AccountOrWalletInfo').implement({
  description: 'Account or wallet to pay into, discriminated by `accountType`.',
  fields: (t) => ({
    accountType: t.field({
      type: AccountTypeEnum,
      nullable: false,
      description: 'Kind of account or wallet.',
      ...column('accountType'),
    }),
    fields: t.field({
      type: [CounterpartyFactType],
      nullable: { list: false, items: false },
      description:
        'All fields of the account as pairs of key and text, so that clients can show every type in the same way. Values that are not text are written as JSON.',
      resolve: ({ accountType: _, ...fields }) => entriesOf(fields) ?? [],
    }),
  }),
  ...typeBy('accountType', TYPE_NAMES),
})

const BankAccountInfo = builder.interfaceRef<AccountInfo>('BankAccountInfo').implement({
  description: 'The fields that all bank and mobile money accounts share.',
  interfaces: [AccountOrWalletInfo],
  fields: (t) => ({
    paymentRails: t.field({
      type: [PaymentRailEnum],
      nullable: { list: true, items: false },
      description: 'Rails that reach the account.',
      resolve: ({ paymentRails }) => (paymentRails as readonly PaymentRail[] | undefined) ?? null,
    }),
    reference: t.string({
      description: 'Code to include with the payment. Only in payment instructions.',
      resolve: ({ reference }) => (reference as string | undefined) ?? null,
    }),
    beneficiary: t.field({
      type: BeneficiaryInterface,
      description: 'The holder of the account. Null in payment instructions.',
      resolve: ({ beneficiary }) => (beneficiary as Beneficiary | undefined) ?? null,
    }),
  }),
  ...typeBy('accountType', TYPE_NAMES),
})

const ENUMS = { bankAccountType: BankAccountTypeEnum, pixKeyType: PixKeyTypeEnum, rail: PaymentRailEnum } as const
const enumOfDetail = (name: Detail) => (name in ENUMS ? ENUMS[name as keyof typeof ENUMS] : 'String')

const detailField = (t: FieldBuilder<AccountInfo>, name: Detail) =>
  t.field({
    type: enumOfDetail(name) as 'String',
    // The same on every type that has the field, so that a document over several needs no alias.
    nullable: !isAlwaysRequired(name),
    description: DETAILS[name],
    resolve: (info: AccountInfo) => detailOf(info, name),
  })

const WalletAddressInfo = builder.interfaceRef<AccountInfo>('WalletAddressInfo').implement({
  description: 'The fields that all wallets with an address share.',
  interfaces: [AccountOrWalletInfo],
  fields: (t) => ({
    address: detailField(t, 'address'),
    assetType: detailField(t, 'assetType'),
  }),
  ...typeBy('accountType', TYPE_NAMES),
})

const interfacesOf = (type: AccountType) => {
  if (isBankAccount(type)) return [AccountOrWalletInfo, BankAccountInfo]
  const hasAddress = detailsOf(type).some(({ name }) => name === 'address')
  return hasAddress ? [AccountOrWalletInfo, WalletAddressInfo] : [AccountOrWalletInfo]
}

for (const accountType of ACCOUNT_TYPES) {
  builder.objectType(builder.objectRef<AccountInfo>(TYPE_NAMES[accountType]), {
    description: `\`${accountType}\`. ${describeAccountType(accountType)}`,
    interfaces: interfacesOf(accountType),
    fields: (t) => Object.fromEntries(detailsOf(accountType).map(({ name }) => [name, detailField(t, name)])),
  })
}

export const PaymentInstructionsType = builder.objectRef<PaymentInstructions>('PaymentInstructions').implement({
  description: 'How to pay into an account or wallet.',
  fields: (t) => ({
    accountOrWalletInfo: t.expose('accountOrWalletInfo', {
      type: AccountOrWalletInfo,
      nullable: false,
      description: INSTRUCTIONS_TEXTS.accountOrWalletInfo,
    }),
    instructionsNotes: t.exposeString('instructionsNotes', { description: INSTRUCTIONS_TEXTS.instructionsNotes }),
    isPlatformAccount: t.exposeBoolean('isPlatformAccount', {
      description: INSTRUCTIONS_TEXTS.isPlatformAccount,
    }),
  }),
})
