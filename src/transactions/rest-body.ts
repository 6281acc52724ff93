// Transactions as REST returns them. A field without a value is absent, unless the specification types it "or null".

import type { PaymentInstructions } from '#accounts/account-info.ts'
import { destinationPart, sourcePart } from '#accounts/party/rest-body.ts'
import {
  byLabel,
  columnsOf,
  constant,
  firstOf,
  ifAll,
  ifAny,
  jsonAt,
  moneyAt,
  object,
  orNull,
  type Part,
  placeIn,
  publicIdAt,
  required,
  valueIn,
} from '#rest/parts.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { CounterpartyInformation, RateDetails } from './rate-details.ts'
import type { cardSchema, incomingSchema, outgoingSchema, transactionSchema } from './rest-schema.ts'
import {
  type CARD_TRANSACTION_STATUSES,
  type INCOMING_FAILURE_REASONS,
  type OUTGOING_FAILURE_REASONS,
  type OUTGOING_TRANSACTION_STATUSES,
  type Transaction,
  TransactionRecord,
  type TransactionStatus,
} from './transaction.ts'

const column = columnsOf(TransactionRecord)
const at = (name: keyof Transaction) => placeIn(TransactionRecord, name)
/** An enum of a type of transactions. A CHECK constraint ensures that the label is in it. */
const narrow = <T extends string>(part: Part<string | undefined>) => part as Part<T | undefined>

/** A transaction of the platform itself has no customer. It names the platform's configuration instead. */
const customerId = required(
  firstOf(publicIdAt('Customer', at('customerId')), publicIdAt('PlatformConfig', at('platformId'))),
)
const owner = { customerId, platformCustomerId: firstOf(column('platformCustomerId'), customerId) }

const refund = ifAll(
  [at('refundReference'), at('refundInitiatedAt'), at('refundStatus')],
  object({
    reference: required(column('refundReference')),
    initiatedAt: required(column('refundInitiatedAt')),
    status: required(column('refundStatus')),
    settledAt: column('refundSettledAt'),
    reason: column('refundReason'),
  }),
)

const reconciliationInstructions = ifAny(
  object({
    reference: column('reconciliationReference'),
    transactionHash: column('reconciliationTransactionHash'),
  }),
)

const id = required(publicIdAt('Transaction', at('id')))

/** Fields of incoming and outgoing payments. */
const payment = {
  direction: column('direction'),
  destination: destinationPart(TransactionRecord, { currency: 'destinationCurrency' }),
  ...owner,
  settledAt: column('settledAt'),
  createdAt: column('createdAt'),
  updatedAt: column('updatedAt'),
  receiptDeliveryConfirmedAt: column('receiptDeliveryConfirmedAt'),
  agentId: publicIdAt('Agent', at('agentId')),
  description: column('description'),
  exchangeRate: column('exchangeRate'),
  quoteId: publicIdAt('Quote', at('quoteId')),
  fees: column('fees'),
  refund,
  reconciliationInstructions,
  counterpartyInformation: jsonAt<CounterpartyInformation>(at('counterpartyInformation')),
}

const source = sourcePart(TransactionRecord, { currency: 'sourceCurrency', customerId: 'sourceCustomerId' })
const sentAmount = moneyAt(at('sentAmount'), at('sentCurrency'))
const receivedAmount = moneyAt(at('receivedAmount'), at('receivedCurrency'))

const incoming: Part<BodyOf<typeof incomingSchema>> = object({
  id,
  status: required(narrow<TransactionStatus>(column('status'))),
  type: constant('INCOMING'),
  source,
  ...payment,
  sentAmount,
  receivedAmount: required(receivedAmount),
  failureReason: narrow<(typeof INCOMING_FAILURE_REASONS)[number]>(column('failureReason')),
})

const outgoing: Part<BodyOf<typeof outgoingSchema>> = object({
  id,
  status: required(narrow<(typeof OUTGOING_TRANSACTION_STATUSES)[number]>(column('status'))),
  type: constant('OUTGOING'),
  source: required(source),
  ...payment,
  sentAmount: required(sentAmount),
  receivedAmount,
  platformFees: column('platformFees'),
  paymentInstructions: jsonAt<readonly PaymentInstructions[]>(at('paymentInstructions')),
  rateDetails: jsonAt<RateDetails>(at('rateDetails')),
  failureReason: narrow<(typeof OUTGOING_FAILURE_REASONS)[number]>(column('failureReason')),
  paymentRail: orNull(column('paymentRail')),
  railSelectionMode: orNull(column('railSelectionMode')),
  expectedSettlementAt: orNull(column('expectedSettlementAt')),
  settlementTimelineSeconds: orNull(column('settlementTimelineSeconds')),
})

const summary = (prefix: 'refund' | 'settlement') =>
  ifAll(
    [at(`${prefix}Count`), at(`${prefix}TotalAmount`)],
    object({
      count: required(column(`${prefix}Count`)),
      totalAmount: required(column(`${prefix}TotalAmount`)),
    }),
  )

const pullSummary = ifAll(
  [at('pullCount'), at('pullTotalAmount')],
  object({
    count: required(column('pullCount')),
    totalAmount: required(column('pullTotalAmount')),
    pendingCount: column('pullPendingCount'),
  }),
)

/** All amounts of a card transaction are in the currency of the card. */
const cardMoney = (amount: 'authorizedAmount' | 'settledAmount' | 'refundedAmount') =>
  moneyAt(at(amount), at('cardCurrency'))

const card: Part<BodyOf<typeof cardSchema>> = object({
  type: constant('CARD'),
  id: required(publicIdAt('CardTransaction', at('id'))),
  cardId: publicIdAt('Card', at('cardId')),
  ...owner,
  issuerTransactionToken: column('issuerTransactionToken'),
  status: required(narrow<(typeof CARD_TRANSACTION_STATUSES)[number]>(column('status'))),
  direction: column('direction'),
  merchant: object({
    descriptor: firstOf(column('merchantDescriptor'), constant('')),
    mcc: column('merchantMcc'),
    country: column('merchantCountry'),
  }),
  authorizedAmount: required(cardMoney('authorizedAmount')),
  settledAmount: cardMoney('settledAmount'),
  refundedAmount: cardMoney('refundedAmount'),
  // The internal account that funded it.
  accountId: required(
    firstOf(
      publicIdAt('InternalAccount', at('sourceInternalAccountId')),
      publicIdAt('InternalAccount', at('destinationInternalAccountId')),
    ),
  ),
  pullSummary,
  refundSummary: summary('refund'),
  settlementSummary: summary('settlement'),
  authorizedAt: column('createdAt'),
  lastEventAt: column('lastEventAt'),
  createdAt: column('createdAt'),
  updatedAt: column('updatedAt'),
})

const transactionPart: Part<BodyOf<typeof transactionSchema>> = required(
  byLabel(at('type'), { INCOMING: incoming, OUTGOING: outgoing, CARD: card }),
)

/** The JSON text of `transactionBody`. */
export const transactionText = (transaction: Transaction): string =>
  transactionPart(TransactionRecord.rowOf(transaction)) as string

export const transactionBody = (transaction: Transaction): BodyOf<typeof transactionSchema> =>
  valueIn(transactionPart, TransactionRecord.rowOf(transaction))
