// A transaction of any type as the database holds it, and the parts that the interface makes of its columns.
import type { PaymentInstructions } from '#accounts/account-info.ts'
import { DESTINATION_TYPES, type FundingDetails, SOURCE_TYPES } from '#accounts/party/party.ts'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import type { AgentCaller, Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { sql } from '#database/db.ts'
import {
  amount,
  decimal,
  integer,
  json,
  nullable,
  ofItsCustomer,
  oneOf,
  type RecordOf,
  record,
  text,
  time,
} from '#database/record.ts'
import type { CounterpartyField } from '#platforms/settings/currencies.ts'
import {
  COUNTERPARTY_INFORMATION,
  type CounterpartyInformation,
  RATE_DETAILS,
  type RateDetails,
} from './rate-details.ts'
import { EXCHANGE_RATE, PAYMENT_INSTRUCTIONS } from './texts.ts'

export const TRANSACTION_ITEM_TYPES = ['INCOMING', 'OUTGOING', 'CARD'] as const
export type TransactionItemType = (typeof TRANSACTION_ITEM_TYPES)[number]
export const TRANSACTION_TYPES = ['INCOMING', 'OUTGOING'] as const

export const TRANSACTION_DIRECTIONS = ['CREDIT', 'DEBIT'] as const
export const TRANSACTION_STATUSES = [
  'CREATED',
  'PENDING',
  'PENDING_AUTHORIZATION',
  'PROCESSING',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'REFUNDED',
  'EXPIRED',
] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

export const OUTGOING_TRANSACTION_STATUSES = [
  'PENDING',
  'PENDING_AUTHORIZATION',
  'EXPIRED',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
] as const

export const CARD_TRANSACTION_STATUSES = [
  'AUTHORIZED',
  'PARTIALLY_SETTLED',
  'SETTLED',
  'REFUNDED',
  'EXCEPTION',
] as const

/** Every state of every type. */
export const TRANSACTION_LIFECYCLE_STATUSES = [
  ...TRANSACTION_STATUSES,
  'AUTHORIZED',
  'PARTIALLY_SETTLED',
  'SETTLED',
  'EXCEPTION',
] as const

export const INCOMING_FAILURE_REASONS = [
  'LNURLP_FAILED',
  'PAY_REQUEST_FAILED',
  'PAYMENT_APPROVAL_WEBHOOK_ERROR',
  'PAYMENT_APPROVAL_TIMED_OUT',
  'OFFRAMP_FAILED',
  'MISSING_MANDATORY_PAYEE_DATA',
  'QUOTE_EXPIRED',
  'QUOTE_EXECUTION_FAILED',
] as const

export const OUTGOING_FAILURE_REASONS = [
  'QUOTE_EXPIRED',
  'QUOTE_EXECUTION_FAILED',
  'LIGHTNING_PAYMENT_FAILED',
  'FUNDING_AMOUNT_MISMATCH',
  'COUNTERPARTY_POST_TX_FAILED',
] as const

export const FAILURE_REASONS = [
  ...INCOMING_FAILURE_REASONS,
  'LIGHTNING_PAYMENT_FAILED',
  'FUNDING_AMOUNT_MISMATCH',
  'COUNTERPARTY_POST_TX_FAILED',
] as const

export const REFUND_STATUSES = ['PENDING', 'COMPLETED', 'FAILED'] as const
export const REFUND_REASONS = ['TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT'] as const
export const RAIL_SELECTION_MODES = ['AUTO', 'MANUAL'] as const

export const CARD_UNIT = "In the smallest unit of the card's currency."

export const TransactionRecord = record(
  'transactions',
  {
    id: text.describe('`Transaction:<uuid>`, or `CardTransaction:<uuid>` for a card transaction.'),
    type: oneOf(TRANSACTION_ITEM_TYPES).describe('The type of the transaction.'),
    direction: oneOf(TRANSACTION_DIRECTIONS).describe(
      "`DEBIT`: the payer's account is debited. `CREDIT`: money is pushed to the receiver. Independent of `type`: a transfer in is `INCOMING` with `DEBIT`, because the external account is debited.",
    ),
    status: oneOf(TRANSACTION_LIFECYCLE_STATUSES).describe('State of the transaction.'),
    platformId: text,
    customerId: nullable(text).describe(
      "`Customer:<uuid>`, or the platform's `PlatformConfig:<uuid>` for a transaction of the platform itself.",
    ),
    platformCustomerId: nullable(text).describe(
      "The customer's id in the platform's own system, or `PlatformConfig:<uuid>` for a transaction of the platform itself.",
    ),
    createdAt: time.describe('When the transaction was created. A card transaction is created by its authorization.'),
    updatedAt: time.describe('When the transaction last changed.'),

    sourceType: nullable(oneOf(SOURCE_TYPES)),
    sourceInternalAccountId: nullable(text),
    sourceExternalAccountId: nullable(text),
    sourceUmaAddress: nullable(text),
    sourceCurrency: nullable(text),
    sourceCustomerId: nullable(text),
    sourceFunding: nullable(json<FundingDetails>()),
    sourceTransactionHash: nullable(text),
    sourceNetwork: nullable(text),
    destinationType: nullable(oneOf(DESTINATION_TYPES)),
    destinationInternalAccountId: nullable(text),
    destinationExternalAccountId: nullable(text),
    destinationUmaAddress: nullable(text),
    destinationCurrency: nullable(text),
    destinationPaymentRail: nullable(oneOf(PAYMENT_RAILS)),
    destinationTransactionHash: nullable(text),
    destinationNetwork: nullable(text),

    sentAmount: nullable(amount).describe(
      "The amount sent, in the sender's currency. An outgoing transaction always has it.",
    ),
    sentCurrency: nullable(text),
    receivedAmount: nullable(amount).describe(
      "The amount received, in the recipient's currency. An incoming transaction always has it.",
    ),
    receivedCurrency: nullable(text),
    fees: nullable(amount).describe('All fees, in the smallest unit of the sending currency.'),
    platformFees: nullable(amount).describe(
      "The platform's share of `fees`, in the smallest unit of the sending currency.",
    ),
    exchangeRate: nullable(decimal).describe(EXCHANGE_RATE),
    settledAt: nullable(time).describe('When the payment settled, or is expected to settle.'),
    receiptDeliveryConfirmedAt: nullable(time).describe(
      'When the platform confirmed that its customer received the receipt.',
    ),
    agentId: nullable(text).describe('`Agent:<uuid>` of the agent that initiated the transaction, if one did.'),
    description: nullable(text).describe('Memo of the payment.'),
    quoteId: nullable(text).describe('`Quote:<uuid>` of the quote that the payment executes.'),
    counterpartyInformation: nullable(json<CounterpartyInformation>()).describe(COUNTERPARTY_INFORMATION),
    requestedReceiverCustomerInfoFields: nullable(json<readonly CounterpartyField[]>()).describe(
      'What the platform must tell about the receiver when it approves a UMA payment.',
    ),
    reconciliationReference: nullable(text).describe(
      'The code that the payer includes, by which the payment is matched.',
    ),
    reconciliationTransactionHash: nullable(text).describe(
      "Hash of the settlement transfer between the institutions of a UMA payment. It is not a transfer to a customer's wallet.",
    ),
    failureReason: nullable(oneOf(FAILURE_REASONS)).describe('Why the transaction failed. Only when it is `FAILED`.'),
    refundReference: nullable(text).describe('Reference of the refund.'),
    refundInitiatedAt: nullable(time).describe('When the refund started.'),
    refundStatus: nullable(oneOf(REFUND_STATUSES)).describe(
      "State of the refund. It is independent of the transaction's status.",
    ),
    refundSettledAt: nullable(time).describe('When the refund settled.'),
    refundReason: nullable(oneOf(REFUND_REASONS)).describe('Why the payment was refunded.'),
    paymentInstructions: nullable(json<readonly PaymentInstructions[]>()).describe(PAYMENT_INSTRUCTIONS),
    rateDetails: nullable(json<RateDetails>()).describe(RATE_DETAILS),
    paymentRail: nullable(oneOf(PAYMENT_RAILS)).describe(
      'The rail that carries the payment. Null until one is selected, and for payments that use none.',
    ),
    railSelectionMode: nullable(oneOf(RAIL_SELECTION_MODES)).describe(
      'Who selected the rail. Null while there is none.',
    ),
    expectedSettlementAt: nullable(time).describe(
      'When the payment is expected to settle. Null for instant rails, and until a rail is selected.',
    ),
    settlementTimelineSeconds: nullable(integer).describe(
      'Expected seconds from creation to settlement. Null when unknown.',
    ),

    cardId: nullable(text).describe('`Card:<uuid>` that was used.'),
    issuerTransactionToken: nullable(text).describe("The card issuer's own id for the transaction."),
    merchantDescriptor: nullable(text).describe('Name of the merchant as the authorization showed it.'),
    merchantMcc: nullable(text).describe('Merchant category code, four digits (ISO 18245).'),
    merchantCountry: nullable(text).describe('ISO 3166-1 alpha-2.'),
    cardCurrency: nullable(text),
    authorizedAmount: nullable(amount).describe('The amount that the merchant requested.'),
    settledAmount: nullable(amount).describe('Sum of the clearings. Only after the first one.'),
    refundedAmount: nullable(amount).describe("Sum of the merchant's returns. Only after the first one."),
    pullCount: nullable(integer).describe(
      'Number of pulls from the funding account. More than one after a tip, for example.',
    ),
    pullTotalAmount: nullable(amount).describe(`Sum of the pulls. ${CARD_UNIT}`),
    pullPendingCount: nullable(integer).describe(
      'Number of pulls that have not completed yet. If it stays above 0, the card transaction becomes `EXCEPTION`.',
    ),
    refundCount: nullable(integer).describe("Number of the merchant's returns."),
    refundTotalAmount: nullable(amount).describe(`Sum of the returns. ${CARD_UNIT}`),
    settlementCount: nullable(integer).describe('Number of clearings.'),
    settlementTotalAmount: nullable(amount).describe(`Sum of the clearings. ${CARD_UNIT}`),
    lastEventAt: nullable(time).describe('When the latest pull, clearing or return happened.'),
  },
  { agentSees: ofItsCustomer, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type Transaction = RecordOf<typeof TransactionRecord>

/** Incoming and outgoing ones: the kind `Transaction`. */
export const paymentTransactionsByIds = async (caller: Caller, ids: readonly string[]) =>
  (await transactionsByIds(caller, ids)).map((found) => (found?.type === 'CARD' ? null : found))

/** The kind `CardTransaction`. */
export const cardTransactionsByIds = async (caller: Caller, ids: readonly string[]) =>
  (await transactionsByIds(caller, ids)).map((found) => (found?.type === 'CARD' ? found : null))

const transactionsByIds = TransactionRecord.byIds

/** For tables whose rows are as visible to an agent as their transaction. */
export const ofItsTransactions = ({ platformId, customerId }: AgentCaller) => sql`exists (
  select from transactions of
  where of.platform_id = ${platformId}::uuid and of.id = t.transaction_id and of.customer_id = ${customerId}::uuid)`

export const unknownTransaction = () => new ApiError('TRANSACTION_NOT_FOUND', 'There is no such transaction')
