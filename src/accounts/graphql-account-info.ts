// AccountOrWalletInfo, and the payment instructions made of it.
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { CounterpartyFactType, entriesOf } from '#graphql/key-values.ts'
import { ACCOUNT_TYPES, type AccountInfo, type AccountType, type PaymentInstructions } from './account-info.ts'
import { PAYMENT_RAILS, type PaymentRail } from './payment-rail.ts'

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

const describeAccountType = (type: AccountType) =>
  type.endsWith('_ACCOUNT')
    ? `Bank or mobile money account, ${type.slice(0, -8)}.`
    : `Wallet, ${type.replace('_WALLET', '').toLowerCase()}.`

const AccountTypeEnum = enumOf(
  'AccountType',
  'Discriminator of payment instructions and account details.',
  ACCOUNT_TYPES,
  Object.fromEntries(ACCOUNT_TYPES.map((type) => [type, describeAccountType(type)])) as Record<AccountType, string>,
)

const TYPE_NAMES: Partial<Record<AccountType, string>> = {
  USD_ACCOUNT: 'UsdAccountInfo',
  SPARK_WALLET: 'SparkWalletInfo',
  EMBEDDED_WALLET: 'EmbeddedWalletInfo',
}

export const AccountOrWalletInfo = builder.interfaceRef<AccountInfo>('AccountOrWalletInfo').implement({
  description: 'Account or wallet to pay into, discriminated by `accountType`.',
  fields: (t) => ({
    accountType: t.field({
      type: AccountTypeEnum,
      nullable: false,
      description: 'Which kind of account or wallet.',
      resolve: ({ accountType }) => accountType,
    }),
  }),
  resolveType: ({ accountType }) => TYPE_NAMES[accountType] ?? 'OtherAccountInfo',
})

const stringField = (name: string) => (info: AccountInfo) => {
  const value = info[name]
  return typeof value === 'string' ? value : null
}

builder.objectType(builder.objectRef<AccountInfo>('UsdAccountInfo'), {
  description: '`USD_ACCOUNT`.',
  interfaces: [AccountOrWalletInfo],
  fields: (t) => ({
    paymentRails: t.field({
      type: [PaymentRailEnum],
      nullable: { list: true, items: false },
      description: 'Rails that reach the account.',
      resolve: ({ paymentRails }) => (paymentRails as PaymentRail[] | undefined) ?? null,
    }),
    accountNumber: t.string({ description: 'Number of the account.', resolve: stringField('accountNumber') }),
    routingNumber: t.string({ description: 'ABA routing number, nine digits.', resolve: stringField('routingNumber') }),
    bankName: t.string({ description: 'Name of the bank.', resolve: stringField('bankName') }),
    reference: t.string({ description: 'Code to include with the payment.', resolve: stringField('reference') }),
  }),
})

builder.objectType(builder.objectRef<AccountInfo>('SparkWalletInfo'), {
  description: '`SPARK_WALLET`.',
  interfaces: [AccountOrWalletInfo],
  fields: (t) => ({
    assetType: t.string({ description: 'BTC or the code of a token.', resolve: stringField('assetType') }),
    address: t.string({ description: 'Spark address.', resolve: stringField('address') }),
    invoice: t.string({ description: 'Spark invoice.', resolve: stringField('invoice') }),
  }),
})

builder.objectType(builder.objectRef<AccountInfo>('EmbeddedWalletInfo'), {
  description: '`EMBEDDED_WALLET`: the wallet that pays, once its owner has signed.',
  interfaces: [AccountOrWalletInfo],
  fields: (t) => ({
    payloadToSign: t.string({
      nullable: false,
      description:
        'What a session of the wallet stamps, byte for byte. The stamp is the `walletSignature` of the execution.',
      resolve: ({ payloadToSign }) => payloadToSign as string,
    }),
  }),
})

builder.objectType(builder.objectRef<AccountInfo>('OtherAccountInfo'), {
  description: 'Any account type without a type of its own yet.',
  interfaces: [AccountOrWalletInfo],
  fields: (t) => ({
    fields: t.field({
      type: [CounterpartyFactType],
      nullable: { list: false, items: false },
      description: 'The fields of the account type. Values that are no text are written as JSON.',
      resolve: ({ accountType: _, ...fields }) => entriesOf(fields) ?? [],
    }),
  }),
})

export const PaymentInstructionsType = builder.objectRef<PaymentInstructions>('PaymentInstructions').implement({
  description: 'How to pay into an account or wallet.',
  fields: (t) => ({
    accountOrWalletInfo: t.expose('accountOrWalletInfo', {
      type: AccountOrWalletInfo,
      nullable: false,
      description: 'Where to pay.',
    }),
    instructionsNotes: t.exposeString('instructionsNotes', { description: 'Human-readable.' }),
    isPlatformAccount: t.exposeBoolean('isPlatformAccount', {
      description: 'True for an account of the platform, false for one of the customer.',
    }),
  }),
})
