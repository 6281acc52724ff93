// Quotes, made and executed.

import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import type { Caller } from '#core/caller.ts'
import { signatureOf } from '#credentials/signed-retry/graphql.ts'
import { selectWritten } from '#database/record.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { addMutation, payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { IDEMPOTENCY_KEY_DESCRIPTION, makeOnce } from '#idempotency/graphql.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { CRYPTO_NETWORKS } from '#settlement/party-input.ts'
import { createQuote } from './create.ts'
import { executeQuote, executionRequest } from './execute.ts'
import { QuoteNode } from './graphql.ts'
import { LOCKED_SIDES } from './price.ts'
import { type Quote, QuoteRecord } from './quote.ts'
import { PURPOSES_OF_PAYMENT, quoteRequest } from './request.ts'

const LockedSideEnum = enumOf('LockedCurrencySide', 'Which amount of a quote is fixed.', LOCKED_SIDES, {
  SENDING: 'What is sent, fees included.',
  RECEIVING: 'What arrives.',
})

const CryptoNetworkEnum = enumOf(
  'CryptoNetwork',
  'The network over which a stablecoin or BTC is pushed to the service.',
  CRYPTO_NETWORKS,
  {
    SOLANA: 'Solana.',
    TRON: 'Tron.',
    POLYGON: 'Polygon.',
    BASE: 'Base.',
    ETHEREUM: 'Ethereum.',
    LIGHTNING: 'Lightning. The quote lives for 1 minute.',
    SPARK: 'Spark. The quote lives for 15 minutes.',
  },
)

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
    cryptoNetwork: t.field({
      type: CryptoNetworkEnum,
      description: 'Required for a stablecoin. BTC takes LIGHTNING unless it is SPARK.',
    }),
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
    remittanceInformation: t.string({
      description: 'What the receiver is to read, at most 80 characters. Kept for the payout, and shown nowhere.',
    }),
    purposeOfPayment: t.field({
      type: PurposeOfPaymentEnum,
      description: 'What the payment is for. Kept for the payout, and shown nowhere.',
    }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
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
const quoteBody = ({ source, destination, idempotencyKey: _, ...rest }: QuoteInput) =>
  withoutNulls({
    source: source.realtimeFunding
      ? { sourceType: 'REALTIME_FUNDING', ...source.realtimeFunding }
      : { sourceType: 'ACCOUNT', accountId: source.accountId },
    destination: { destinationType: 'ACCOUNT', ...destination },
    ...rest,
    lockedCurrencyAmount: Number(rest.lockedCurrencyAmount),
  })

const writtenQuote = (caller: Caller, id: string) => selectWritten(caller, QuoteRecord, id)

addMutation('createQuote', {
  callers: 'ALL',
  description: 'Makes a quote, and the `PENDING` transaction that moves with it.',
  input: CreateQuoteInput,
  check: quoteRequest,
  forms: [{ source: {} }, { source: { realtimeFunding: {} } }],
  payload: payloadOf('CreateQuotePayload', 'Result of `createQuote`.', [CreateQuoteSuccess], [400, 403, 404, 409]),
  placeOf: ({ source }, field) =>
    `input.${source.realtimeFunding ? field.replace(/^source\./, 'source.realtimeFunding.') : field}`,
  resolve: async (given, { caller }) => {
    const input = quoteBody(given)
    const call = { operation: 'createQuote', key: given.idempotencyKey, input, schema: quoteRequest } as const
    const quote = await makeOnce(caller, call, (record) => createQuote(caller, input, record), writtenQuote)
    return { __typename: 'CreateQuoteSuccess', quote }
  },
})

export const ExecuteQuoteInput = builder.inputType('ExecuteQuoteInput', {
  description: 'Input of `executeQuote`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`Quote:<uuid>`.' }),
    walletSignature: t.string({
      description:
        "Only for a wallet: stamp by a session of it over `EmbeddedWalletInfo.payloadToSign` in the quote's `paymentInstructions`. The HTTP header `Service-Wallet-Signature` is accepted instead when the operation has one mutation field.",
    }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
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
    'Executes a quote from an internal account. `ConflictError` when it has expired (`QUOTE_EXPIRED`), was executed (`QUOTE_ALREADY_EXECUTED`), or waits for approval (`QUOTE_UNDER_APPROVAL`).',
  input: ExecuteQuoteInput,
  payload: payloadOf(
    'ExecuteQuotePayload',
    'Result of `executeQuote`.',
    [ExecuteQuoteSuccess],
    [400, 401, 403, 404, 409],
  ),
  usesCredential: true,
  resolve: async ({ id, walletSignature, idempotencyKey: key }, { caller }, headers) => {
    const call = { operation: 'executeQuote', key, input: { id }, schema: executionRequest } as const
    const execute = (record: RecordResult) => executeQuote(caller, id, signatureOf(walletSignature, headers), record)
    return { __typename: 'ExecuteQuoteSuccess', quote: await makeOnce(caller, call, execute, writtenQuote) }
  },
})
