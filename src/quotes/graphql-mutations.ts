// The mutations that create and execute quotes.
import { CRYPTO_NETWORKS } from '#accounts/funding/networks.ts'
import { PaymentRailEnum } from '#accounts/graphql-account-info.ts'
import type { Caller } from '#core/caller.ts'
import { signatureOf } from '#credentials/signed-retry/graphql.ts'
import { selectWritten } from '#database/record.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { inputOf } from '#graphql/input-of.ts'
import { addMutation, withoutNulls } from '#graphql/mutation.ts'
import { IDEMPOTENCY_KEY_DESCRIPTION, makeOnce } from '#idempotency/graphql.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { CustomerInfoFieldEnum } from '#platforms/settings/graphql.ts'
import { requirePayer } from '#settlement/payer.ts'
import { createQuote } from './create.ts'
import { executeQuote, executionRequest } from './execute.ts'
import { QuoteNode } from './graphql.ts'
import { QUOTE_TEXTS, QuoteRecord } from './quote.ts'
import { PURPOSES_OF_PAYMENT, quoteRequest } from './request.ts'

export const CryptoNetworkEnum = enumOf(
  'CryptoNetwork',
  'Network over which a stablecoin or BTC is sent to the service.',
  CRYPTO_NETWORKS,
  {
    SOLANA: 'Solana.',
    TRON: 'Tron.',
    POLYGON: 'Polygon.',
    BASE: 'Base.',
    ETHEREUM: 'Ethereum.',
    LIGHTNING: 'Lightning. The quote is valid for 1 minute.',
    SPARK: 'Spark. The quote is valid for 15 minutes.',
  },
)

enumOf('PurposeOfPayment', 'Purpose of a payment.', PURPOSES_OF_PAYMENT, {
  GIFT: 'Gift.',
  SELF: "The sender's own account elsewhere.",
  GOODS_OR_SERVICES: 'Goods or services.',
  EDUCATION: 'Education.',
  HEALTH_OR_MEDICAL: 'Health or medical care.',
  REAL_ESTATE_PURCHASE: 'Purchase of real estate.',
  TAX_PAYMENT: 'Taxes.',
  LOAN_PAYMENT: 'Loan payment.',
  UTILITY_BILL: 'Utility bill.',
  DONATION: 'Donation.',
  TRAVEL: 'Travel.',
  FAMILY_SUPPORT: 'Support for family members.',
  SALARY_PAYMENT: 'Salary.',
  OTHER: 'Another purpose.',
})

const FundingInput = builder.inputType('RealtimeFundingInput', {
  description: 'Funding by a payment that the payer sends to the service after the quote is created.',
  fields: (t) => ({
    currency: t.string({ required: true, description: 'Currency code.' }),
    cryptoNetwork: t.field({
      type: CryptoNetworkEnum,
      description: 'Required for a stablecoin. The default for BTC is `LIGHTNING`.',
    }),
    customerId: t.id({ description: '`Customer:<uuid>` of the payer.' }),
  }),
})

const QuoteSourceInput = builder.inputType('QuoteSourceInput', {
  description: 'Set exactly one of the fields.',
  isOneOf: true,
  fields: (t) => ({
    accountId: t.id({ description: '`InternalAccount:<uuid>` to debit.' }),
    realtimeFunding: t.field({ type: FundingInput, description: 'A payment from outside the service.' }),
  }),
})

const AccountDestinationInput = builder.inputType('AccountDestinationInput', {
  description: 'The account to pay.',
  fields: (t) => ({
    accountId: t.id({ required: true, description: '`InternalAccount:<uuid>` or `ExternalAccount:<uuid>`.' }),
    paymentRail: t.field({
      type: PaymentRailEnum,
      description: 'The rail to use. Must be one of the rails of the external account.',
    }),
  }),
})

const SenderInfoInput = builder.inputType('SenderInfoInput', {
  description: 'A fact about the sender.',
  fields: (t) => ({
    name: t.field({ type: CustomerInfoFieldEnum, required: true, description: 'Name of the fact.' }),
    value: t.string({ required: true, description: 'The fact.' }),
  }),
})

const UmaDestinationInput = builder.inputType('UmaDestinationInput', {
  description: 'The UMA address to pay.',
  fields: (t) => ({
    umaAddress: t.string({ required: true, description: 'For example `$alice@bank.example`.' }),
    currency: t.string({
      description: 'Code of the currency that is received. Defaults to the first currency of the look-up.',
    }),
  }),
})

const CreateQuoteInput = inputOf(
  'CreateQuoteInput',
  'Input of `createQuote`.',
  quoteRequest.omit({ source: true, destination: true, lookupId: true, senderCustomerInfo: true }),
  (t) => ({
    source: t.field({ type: QuoteSourceInput, required: true, description: QUOTE_TEXTS.source }),
    destination: t.field({
      type: AccountDestinationInput,
      description: `${QUOTE_TEXTS.destination} Required unless \`umaDestination\` is given.`,
    }),
    umaDestination: t.field({
      type: UmaDestinationInput,
      description: 'A UMA address that receives the money, instead of `destination`. It needs `lookupId`.',
    }),
    lookupId: t.id({ description: '`LookupRequest:<uuid>` of the look-up of the UMA address.' }),
    senderCustomerInfo: t.field({
      type: [SenderInfoInput],
      description:
        'Facts about the sender that the receiver of a UMA payment asks for. They replace those of the customer.',
    }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
  }),
)

type QuoteInput = typeof CreateQuoteInput.$inferInput

/** Undefined, which is refused, if both are given. */
const destinationOf = (account: QuoteInput['destination'], uma: QuoteInput['umaDestination']) => {
  if (uma) return account ? undefined : { destinationType: 'UMA_ADDRESS', ...uma }
  return { destinationType: 'ACCOUNT', ...account }
}

/** Converts the input to the shape of the REST body. */
const quoteBody = ({
  source,
  destination,
  umaDestination,
  senderCustomerInfo,
  idempotencyKey: _,
  ...rest
}: QuoteInput) => {
  return withoutNulls({
    source: source.realtimeFunding
      ? { sourceType: 'REALTIME_FUNDING', ...source.realtimeFunding }
      : { sourceType: 'ACCOUNT', accountId: source.accountId },
    destination: destinationOf(destination, umaDestination),
    ...(senderCustomerInfo && {
      senderCustomerInfo: Object.fromEntries(senderCustomerInfo.map(({ name, value }) => [name, value])),
    }),
    ...rest,
    lockedCurrencyAmount: Number(rest.lockedCurrencyAmount),
  })
}

const writtenQuote = (caller: Caller, id: string) => selectWritten(caller, QuoteRecord, id)

addMutation('createQuote', {
  callers: 'ALL',
  description:
    'Creates a quote and its `PENDING` transaction. Errors: `INVALID_AMOUNT` if nothing would arrive, `AMOUNT_OUT_OF_RANGE`, `INVALID_CURRENCY`, `SELF_PAYMENT`, `QUOTE_REQUEST_FAILED` without a current rate or an account for the fee of the platform, `USER_NOT_READY` unless the customer is approved and the accounts are active, or without a second factor that the payment needs, `ACCOUNT_LOCKED` for a customer who must authorize the payment but is locked, `USER_NOT_FOUND`, `REFERENCE_NOT_FOUND`, `NOT_IMPLEMENTED`, and for a UMA address `LOOKUP_REQUEST_NOT_FOUND`, `COUNTERPARTY_NOT_ALLOWED`, `MISSING_MANDATORY_USER_INFO` and those of the institution. With `immediatelyExecute`, also those of `executeQuote`. REST: `POST /quotes`.',
  input: CreateQuoteInput,
  check: quoteRequest,
  forms: [{ source: {} }, { source: { realtimeFunding: {} } }, { source: {}, umaDestination: {} }],
  statuses: [400, 403, 404, 409, 412, 423, 424],
  placeOf: ({ source, umaDestination }, field) => {
    const place = umaDestination ? field.replace(/^destination\./, 'umaDestination.') : field
    return `input.${source.realtimeFunding ? place.replace(/^source\./, 'source.realtimeFunding.') : place}`
  },
  resolve: async (given, { caller }) => {
    requirePayer(caller, 'CREATE_QUOTES')
    const input = quoteBody(given)
    const call = { operation: 'createQuote', key: given.idempotencyKey, input, schema: quoteRequest } as const
    const create = async (record: RecordResult) => writtenQuote(caller, await createQuote(caller, input, record))
    return { quote: await makeOnce(caller, call, QuoteRecord, create) }
  },
  success: {
    description: 'The quote is created. REST: 201.',
    fields: (t) => ({
      quote: t.expose('quote', { type: QuoteNode, nullable: false, description: 'The new quote.' }),
    }),
  },
})

export const ExecuteQuoteInput = inputOf('ExecuteQuoteInput', 'Input of `executeQuote`.', executionRequest, (t) => ({
  walletSignature: t.string({
    description:
      "Only for a wallet: the stamp of one of its sessions over `EmbeddedWalletInfo.payloadToSign` in the quote's `paymentInstructions`. The HTTP header `Service-Wallet-Signature` is accepted instead if the operation has only one mutation field.",
  }),
  idempotencyKey: t.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
}))

addMutation('executeQuote', {
  description:
    'Executes a quote from an internal account. `ConflictError` if the quote has expired (`QUOTE_EXPIRED`), was already executed (`QUOTE_ALREADY_EXECUTED`), or is waiting for approval (`QUOTE_UNDER_APPROVAL`). Other errors: `INVALID_AMOUNT` with the reason `INSUFFICIENT_BALANCE`, after which the quote stays `PENDING`, `INVALID_INPUT` for a quote that is funded in real time, `USER_NOT_READY` and `ACCOUNT_LOCKED` as for `createQuote`, `QUOTE_REQUEST_FAILED` without an account for the fee of the platform, `QUOTE_NOT_FOUND`, and for a wallet `WALLET_SIGNATURE_MISSING`, `WALLET_SIGNATURE_MALFORMED` or `WALLET_SIGNATURE_INVALID`. REST: `POST /quotes/{quoteId}/execute`.',
  input: ExecuteQuoteInput,
  statuses: [400, 401, 403, 404, 409, 423],
  usesCredential: true,
  resolve: async ({ walletSignature, idempotencyKey: key, ...input }, { caller }, headers) => {
    const call = { operation: 'executeQuote', key, input, schema: executionRequest } as const
    const signature = signatureOf(walletSignature, headers)
    const execute = async (record: RecordResult) =>
      writtenQuote(caller, await executeQuote(caller, input, signature, record))
    return { quote: await makeOnce(caller, call, QuoteRecord, execute) }
  },
  success: {
    description: 'The quote is being executed, or waits for its SCA challenge. REST: 200.',
    fields: (t) => ({
      quote: t.expose('quote', {
        type: QuoteNode,
        nullable: false,
        description: 'The quote, which is `PROCESSING`, in a later state, or `PENDING_AUTHORIZATION`.',
      }),
    }),
  },
})
