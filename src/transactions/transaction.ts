// A transaction of any type as the database holds it, and the parts that the interface makes of its columns.
import type { PaymentInstructions } from '#accounts/account-info.ts'
import { DESTINATION_TYPES, type FundingDetails, SOURCE_TYPES } from '#accounts/party.ts'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import type { Caller } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { type Money, money, optionalMoney } from '#core/money.ts'
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
  selectByIds,
  text,
  time,
} from '#database/record.ts'
import type { CounterpartyInformation, RateDetails } from './rate-details.ts'

export const TRANSACTION_ITEM_TYPES = ['INCOMING', 'OUTGOING', 'CARD'] as const
export type TransactionItemType = (typeof TRANSACTION_ITEM_TYPES)[number]
export const TRANSACTION_TYPES = ['INCOMING', 'OUTGOING'] as const

export const TRANSACTION_DIRECTIONS = ['CREDIT', 'DEBIT'] as const
export const DIRECTION_DESCRIPTION =
  "`CREDIT`: money is pushed to the receiver. `DEBIT`: money is taken from the payer's account. Independent of the type: an inbound ACH pull is `INCOMING` with `DEBIT`."

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

export const TransactionRecord = record(
  'transactions',
  {
    id: text,
    type: oneOf(TRANSACTION_ITEM_TYPES),
    direction: oneOf(TRANSACTION_DIRECTIONS),
    status: oneOf(TRANSACTION_LIFECYCLE_STATUSES),
    platformId: text,
    customerId: nullable(text),
    platformCustomerId: nullable(text),
    createdAt: time,
    updatedAt: time,

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

    sentAmount: nullable(amount),
    sentCurrency: nullable(text),
    receivedAmount: nullable(amount),
    receivedCurrency: nullable(text),
    fees: nullable(amount),
    platformFees: nullable(amount),
    exchangeRate: nullable(decimal),
    settledAt: nullable(time),
    receiptDeliveryConfirmedAt: nullable(time),
    agentId: nullable(text),
    description: nullable(text),
    quoteId: nullable(text),
    counterpartyInformation: nullable(json<CounterpartyInformation>()),
    reconciliationReference: nullable(text),
    reconciliationTransactionHash: nullable(text),
    failureReason: nullable(oneOf(FAILURE_REASONS)),
    refundReference: nullable(text),
    refundInitiatedAt: nullable(time),
    refundStatus: nullable(oneOf(REFUND_STATUSES)),
    refundSettledAt: nullable(time),
    refundReason: nullable(oneOf(REFUND_REASONS)),
    paymentInstructions: nullable(json<readonly PaymentInstructions[]>()),
    rateDetails: nullable(json<RateDetails>()),
    paymentRail: nullable(oneOf(PAYMENT_RAILS)),
    railSelectionMode: nullable(oneOf(RAIL_SELECTION_MODES)),
    expectedSettlementAt: nullable(time),
    settlementTimelineSeconds: nullable(integer),

    cardId: nullable(text),
    issuerTransactionToken: nullable(text),
    merchantDescriptor: nullable(text),
    merchantMcc: nullable(text),
    merchantCountry: nullable(text),
    cardCurrency: nullable(text),
    authorizedAmount: nullable(amount),
    settledAmount: nullable(amount),
    refundedAmount: nullable(amount),
    pullCount: nullable(integer),
    pullTotalAmount: nullable(amount),
    pullPendingCount: nullable(integer),
    refundCount: nullable(integer),
    refundTotalAmount: nullable(amount),
    settlementCount: nullable(integer),
    settlementTotalAmount: nullable(amount),
    lastEventAt: nullable(time),
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

const transactionsByIds = (caller: Caller, ids: readonly string[]) => selectByIds(caller, TransactionRecord, ids)

export const transactionId = ({ type, id }: Transaction) =>
  publicId(type === 'CARD' ? 'CardTransaction' : 'Transaction', id)

/** State and failure reason in the narrower enums of the types. CHECK constraints hold that they are of these. */
export const paymentStatus = ({ status }: Transaction) => status as TransactionStatus
export const outgoingStatus = ({ status }: Transaction) => status as (typeof OUTGOING_TRANSACTION_STATUSES)[number]
export const cardStatus = ({ status }: Transaction) => status as (typeof CARD_TRANSACTION_STATUSES)[number]
export const incomingFailureReason = ({ failureReason }: Transaction) =>
  failureReason as (typeof INCOMING_FAILURE_REASONS)[number] | null
export const outgoingFailureReason = ({ failureReason }: Transaction) =>
  failureReason as (typeof OUTGOING_FAILURE_REASONS)[number] | null

/** The customer's id, or for a transaction of the platform itself the id of its configuration. */
export const ownerId = ({ customerId, platformId }: Transaction) =>
  customerId === null ? publicId('PlatformConfig', platformId) : publicId('Customer', customerId)

/** The customer's id in the platform's own system, or for a transaction of the platform itself the id of its configuration. */
export const platformOwnerId = (transaction: Transaction) => transaction.platformCustomerId ?? ownerId(transaction)

/** The column of a part, such as a refund, whose CHECK constraint holds that it is there when the part is. */
export const present = <T>(value: T | null): T => {
  if (value === null) throw new Error('A part of a transaction without a column that it must have')
  return value
}

export const sentMoney = ({ sentAmount, sentCurrency }: Transaction) => optionalMoney(sentAmount, sentCurrency)
export const receivedMoney = ({ receivedAmount, receivedCurrency }: Transaction) =>
  optionalMoney(receivedAmount, receivedCurrency)

/** An amount of a card transaction: all of them are in the currency of the card. */
export const cardMoney = ({ cardCurrency }: Transaction, cardAmount: bigint | null) =>
  optionalMoney(cardAmount, cardCurrency)

/** Received if incoming, sent if outgoing, authorized if card. CHECK constraints hold that it is there. */
export const headlineMoney = (transaction: Transaction): Money => {
  const { type, receivedAmount, receivedCurrency, sentAmount, sentCurrency, authorizedAmount, cardCurrency } =
    transaction
  if (type === 'INCOMING') return money(receivedAmount ?? 0n, receivedCurrency ?? '')
  if (type === 'OUTGOING') return money(sentAmount ?? 0n, sentCurrency ?? '')
  return money(authorizedAmount ?? 0n, cardCurrency ?? '')
}

/** The internal account that funded a card transaction. */
export const cardAccountId = ({ sourceInternalAccountId, destinationInternalAccountId }: Transaction): string =>
  sourceInternalAccountId ?? destinationInternalAccountId ?? ''
