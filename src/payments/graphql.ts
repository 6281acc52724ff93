// Quotes and transfers, made and executed.
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import { requirePlatform } from '#core/caller.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { addMutation, payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { QuoteNode } from '#quotes/graphql.ts'
import { LOCKED_SIDES } from '#quotes/price.ts'
import type { Quote } from '#quotes/quote.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import type { Transaction } from '#transactions/transaction.ts'
import { createQuote } from './create-quote.ts'
import { executeQuote } from './execute-quote.ts'
import { CRYPTO_NETWORKS, PURPOSES_OF_PAYMENT, quoteRequest } from './quote-request.ts'
import { transferInOf, transferInRequest, transferOutOf, transferOutRequest } from './transfer.ts'

const LockedSideEnum = enumOf('LockedCurrencySide', 'Which amount of a quote is fixed.', LOCKED_SIDES, {
  SENDING: 'What is sent, fees included.',
  RECEIVING: 'What arrives.',
})

const CryptoNetworkEnum = enumOf('CryptoNetwork', 'Where a stablecoin is pushed to the service.', CRYPTO_NETWORKS, {
  SOLANA: 'Solana.',
  TRON: 'Tron.',
  POLYGON: 'Polygon.',
  BASE: 'Base.',
  ETHEREUM: 'Ethereum.',
})

const PurposeOfPaymentEnum = enumOf('PurposeOfPayment', 'What a payment is for.', PURPOSES_OF_PAYMENT, {
  GIFT: 'A gift.',
  SELF: "The sender's own account elsewhere.",
  GOODS_OR_SERVICES: 'Goods or services.',
  EDUCATION: 'Education.',
  HEALTH_OR_MEDICAL: 'Health or medical care.',
  REAL_ESTATE_PURCHASE: 'Purchase of real estate.',
  TAX_PAYMENT: 'Taxes.',
  LOAN_PAYMENT: 'A loan.',
  UTILITY_BILL: 'A utility bill.',
  DONATION: 'A donation.',
  TRAVEL: 'Travel.',
  FAMILY_SUPPORT: 'Support of the family.',
  SALARY_PAYMENT: 'A salary.',
  OTHER: 'Anything else.',
})

const FundingInput = builder.inputType('RealtimeFundingInput', {
  description: 'Money that is pushed to the service after the quote is made.',
  fields: (t) => ({
    currency: t.string({ required: true, description: 'Currency code.' }),
    cryptoNetwork: t.field({ type: CryptoNetworkEnum, description: 'Needed for a stablecoin.' }),
    customerId: t.id({ description: '`Customer:<uuid>` of the payer.' }),
  }),
})

const QuoteSourceInput = builder.inputType('QuoteSourceInput', {
  description: 'Exactly one of the fields.',
  isOneOf: true,
  fields: (t) => ({
    accountId: t.id({ description: '`InternalAccount:<uuid>` that is debited.' }),
    realtimeFunding: t.field({ type: FundingInput, description: 'A push from outside.' }),
  }),
})

const AccountDestinationInput = builder.inputType('AccountDestinationInput', {
  description: 'An account that is paid.',
  fields: (t) => ({
    accountId: t.id({ required: true, description: '`InternalAccount:<uuid>` or `ExternalAccount:<uuid>`.' }),
    paymentRail: t.field({ type: PaymentRailEnum, description: 'One of the rails of an external account.' }),
  }),
})

const CreateQuoteInput = builder.inputType('CreateQuoteInput', {
  description: 'Input of `createQuote`.',
  fields: (t) => ({
    source: t.field({ type: QuoteSourceInput, required: true, description: 'Where the money comes from.' }),
    destination: t.field({ type: AccountDestinationInput, required: true, description: 'Where it goes.' }),
    lockedCurrencySide: t.field({ type: LockedSideEnum, required: true, description: 'Which amount is fixed.' }),
    lockedCurrencyAmount: t.field({
      type: 'Int64',
      required: true,
      description: 'The fixed amount, in the smallest unit of its side.',
    }),
    immediatelyExecute: t.boolean({ description: 'Not for wallets, real-time funding and agents.' }),
    description: t.string({ description: 'Memo of the transaction.' }),
    remittanceInformation: t.string({ description: 'What the receiver reads, at most 80 characters.' }),
    purposeOfPayment: t.field({ type: PurposeOfPaymentEnum, description: 'What the payment is for.' }),
  }),
})

const CreateQuoteSuccess = builder.objectRef<{ readonly quote: Quote }>('CreateQuoteSuccess').implement({
  description: 'The quote is made. REST: 201.',
  fields: (t) => ({
    quote: t.expose('quote', { type: QuoteNode, nullable: false, description: 'Price and terms, for a while.' }),
  }),
})

type QuoteInput = typeof CreateQuoteInput.$inferInput

/** As the body of the REST interface has it. */
const requestOf = ({ source, destination, ...rest }: QuoteInput) => ({
  source: source.realtimeFunding
    ? { sourceType: 'REALTIME_FUNDING', ...source.realtimeFunding }
    : { sourceType: 'ACCOUNT', accountId: source.accountId },
  destination: { destinationType: 'ACCOUNT', ...destination },
  ...rest,
  lockedCurrencyAmount: Number(rest.lockedCurrencyAmount),
})

addMutation('createQuote', {
  callers: 'ALL',
  description: 'Makes a quote, and the `PENDING` transaction that moves with it.',
  input: CreateQuoteInput,
  check: quoteRequest,
  forms: [{ source: {} }, { source: { realtimeFunding: {} } }],
  payload: payloadOf('CreateQuotePayload', 'Result of `createQuote`.', [CreateQuoteSuccess], [400, 403, 404]),
  placeOf: ({ source }, field) =>
    `input.${source.realtimeFunding ? field.replace(/^source\./, 'source.realtimeFunding.') : field}`,
  resolve: async (input, { caller }) => ({
    __typename: 'CreateQuoteSuccess',
    quote: await createQuote(caller, withoutNulls(requestOf(input))),
  }),
})

export const ExecuteQuoteInput = builder.inputType('ExecuteQuoteInput', {
  description: 'Input of `executeQuote`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`Quote:<uuid>`.' }),
    walletSignature: t.string({
      description:
        "Only for a wallet: stamp by a session of it over `EmbeddedWalletInfo.payloadToSign` in the quote's `paymentInstructions`. The HTTP header `Service-Wallet-Signature` is accepted instead when the operation has one mutation field.",
    }),
  }),
})

const ExecuteQuoteSuccess = builder.objectRef<{ readonly quote: Quote }>('ExecuteQuoteSuccess').implement({
  description: 'The money is on its way. REST: 200.',
  fields: (t) => ({
    quote: t.expose('quote', { type: QuoteNode, nullable: false, description: 'The quote, `PROCESSING` or further.' }),
  }),
})

addMutation('executeQuote', {
  description:
    'Executes a quote from an internal account. `ConflictError` when it has expired (`QUOTE_EXPIRED`) or was executed (`QUOTE_ALREADY_EXECUTED`).',
  input: ExecuteQuoteInput,
  payload: payloadOf(
    'ExecuteQuotePayload',
    'Result of `executeQuote`.',
    [ExecuteQuoteSuccess],
    [400, 401, 403, 404, 409],
  ),
  usesCredential: true,
  resolve: async ({ id, walletSignature }, { caller }, { signature }) => ({
    __typename: 'ExecuteQuoteSuccess',
    quote: await executeQuote(requirePlatform(caller), id, walletSignature || signature),
  }),
})

const TransferSuccess = builder.objectRef<{ readonly transaction: Transaction }>('TransferSuccess').implement({
  description: 'The transfer is under way. REST: 201.',
  fields: (t) => ({
    transaction: t.expose('transaction', { type: PaymentInterface, nullable: false, description: 'The transfer.' }),
  }),
})

const TransferPayload = payloadOf(
  'TransferPayload',
  'Result of `transferOut` and `transferIn`.',
  [TransferSuccess],
  [400, 403, 404],
)

const AMOUNT = "Smallest unit of the accounts' currency."

export const TransferOutInput = builder.inputType('TransferOutInput', {
  description: 'Input of `transferOut`.',
  fields: (t) => ({
    sourceAccountId: t.id({ required: true, description: '`InternalAccount:<uuid>` that is debited.' }),
    destinationAccountId: t.id({ required: true, description: '`ExternalAccount:<uuid>` of the same currency.' }),
    paymentRail: t.field({ type: PaymentRailEnum, description: 'One of the rails of the external account.' }),
    amount: t.field({ type: 'Int64', description: `${AMOUNT} All that can be spent when absent.` }),
    remittanceInformation: t.string({ description: 'What the receiver reads, at most 80 characters.' }),
  }),
})

addMutation('transferOut', {
  description: 'Pays from an internal account to an external one of the same currency.',
  input: TransferOutInput,
  check: transferOutRequest,
  payload: TransferPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (input, { caller }) => ({
    __typename: 'TransferSuccess',
    transaction: await transferOutOf(requirePlatform(caller), transferOutBody(input)),
  }),
})

/** As the body of the REST interface has it. */
export const transferOutBody = (input: typeof TransferOutInput.$inferInput) => {
  const { sourceAccountId, destinationAccountId, paymentRail, amount, ...rest } = input
  const source = { accountId: sourceAccountId }
  const destination = { accountId: destinationAccountId, paymentRail }
  return withoutNulls({ source, destination, amount: numberOf(amount), ...rest })
}

export const TransferInInput = builder.inputType('TransferInInput', {
  description: 'Input of `transferIn`.',
  fields: (t) => ({
    sourceAccountId: t.id({ required: true, description: '`ExternalAccount:<uuid>` that can be debited.' }),
    destinationAccountId: t.id({ required: true, description: '`InternalAccount:<uuid>` of the same currency.' }),
    amount: t.field({ type: 'Int64', required: true, description: AMOUNT }),
  }),
})

addMutation('transferIn', {
  description: 'Pulls money from an external account into an internal one of the same currency.',
  input: TransferInInput,
  check: transferInRequest,
  payload: TransferPayload,
  placeOf: (_input, field) => placeOfTransfer(field),
  resolve: async (input, { caller }) => ({
    __typename: 'TransferSuccess',
    transaction: await transferInOf(requirePlatform(caller), transferInBody(input)),
  }),
})

export const transferInBody = (input: typeof TransferInInput.$inferInput) => ({
  source: { accountId: input.sourceAccountId },
  destination: { accountId: input.destinationAccountId },
  amount: numberOf(input.amount),
})

export const placeOfTransfer = (field: string) =>
  `input.${field.replace(/^(source|destination)\.accountId$/, '$1AccountId').replace(/^destination\./, '')}`

/** Exact: the scalar holds no greater integer than a number does. */
const numberOf = (amount: bigint | number | null | undefined) => (amount == null ? undefined : Number(amount))
