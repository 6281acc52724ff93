// Transactions as REST returns them. A field without a value is absent (undefined), unless the specification types it "or null".

import { destinationOf, type Source, sourceOf } from '#accounts/party/party.ts'
import { destinationBody, sourceBody } from '#accounts/party/rest-body.ts'
import { publicId } from '#core/ids.ts'
import type { Money } from '#core/money.ts'
import type { BodyOf } from '#rest/schema.ts'
import { cardMoney, headlineMoney, receivedMoney, sentMoney } from './amounts.ts'
import { cardAccountId, ownerId, platformOwnerId, transactionId } from './public-ids.ts'
import type { cardSchema, incomingSchema, outgoingSchema, transactionSchema } from './rest-schema.ts'
import {
  cardStatus,
  incomingFailureReason,
  outgoingFailureReason,
  outgoingStatus,
  paymentStatus,
  type Transaction,
} from './transaction.ts'

export const transactionBody = (transaction: Transaction): BodyOf<typeof transactionSchema> => {
  switch (transaction.type) {
    case 'INCOMING':
      return incomingBody(transaction)
    case 'OUTGOING':
      return outgoingBody(transaction)
    case 'CARD':
      return cardBody(transaction)
  }
}

const incomingBody = (transaction: Transaction): BodyOf<typeof incomingSchema> => ({
  ...paymentBody(transaction, {
    type: 'INCOMING',
    status: paymentStatus(transaction),
    source: ifPresent(sourceOfTransaction(transaction), sourceBody),
    sentAmount: ifPresent(sentMoney(transaction), amountBody),
  }),
  receivedAmount: amountBody(headlineMoney(transaction)),
  fees: integer(transaction.fees),
  reconciliationInstructions: reconciliationBody(transaction),
  failureReason: present(incomingFailureReason(transaction)),
})

const outgoingBody = (transaction: Transaction): BodyOf<typeof outgoingSchema> => ({
  ...paymentBody(transaction, {
    type: 'OUTGOING',
    status: outgoingStatus(transaction),
    // A CHECK constraint ensures that it has one.
    source: sourceBody(sourceOfTransaction(transaction) as Source),
    sentAmount: amountBody(headlineMoney(transaction)),
  }),
  receivedAmount: ifPresent(receivedMoney(transaction), amountBody),
  fees: integer(transaction.fees),
  platformFees: integer(transaction.platformFees),
  reconciliationInstructions: reconciliationBody(transaction),
  paymentInstructions: present(transaction.paymentInstructions),
  rateDetails: present(transaction.rateDetails),
  failureReason: present(outgoingFailureReason(transaction)),
  paymentRail: transaction.paymentRail,
  railSelectionMode: transaction.railSelectionMode,
  expectedSettlementAt: transaction.expectedSettlementAt,
  settlementTimelineSeconds: transaction.settlementTimelineSeconds,
})

/** Fields of incoming and outgoing payments. */
const paymentBody = <T, S, F, A>(
  transaction: Transaction,
  { type, status, source, sentAmount }: { type: T; status: S; source: F; sentAmount: A },
) => ({
  id: transactionId(transaction),
  status,
  type,
  direction: transaction.direction,
  source,
  destination: destinationBody(destinationOf(transaction, transaction.destinationCurrency)),
  customerId: ownerId(transaction),
  platformCustomerId: platformOwnerId(transaction),
  settledAt: present(transaction.settledAt),
  createdAt: transaction.createdAt,
  updatedAt: transaction.updatedAt,
  receiptDeliveryConfirmedAt: present(transaction.receiptDeliveryConfirmedAt),
  agentId: transaction.agentId === null ? undefined : publicId('Agent', transaction.agentId),
  description: present(transaction.description),
  sentAmount,
  exchangeRate: present(transaction.exchangeRate),
  quoteId: transaction.quoteId === null ? undefined : publicId('Quote', transaction.quoteId),
  refund: refundBody(transaction),
  counterpartyInformation: present(transaction.counterpartyInformation),
})

const sourceOfTransaction = (transaction: Transaction) =>
  sourceOf(transaction, transaction.sourceCurrency, transaction.sourceCustomerId)

/** CHECK constraints ensure that the required fields are set. */
const cardBody = (transaction: Transaction): BodyOf<typeof cardSchema> => ({
  type: 'CARD',
  id: transactionId(transaction),
  cardId: transaction.cardId === null ? undefined : publicId('Card', transaction.cardId),
  customerId: ownerId(transaction),
  platformCustomerId: platformOwnerId(transaction),
  issuerTransactionToken: present(transaction.issuerTransactionToken),
  status: cardStatus(transaction),
  direction: transaction.direction,
  merchant: {
    descriptor: transaction.merchantDescriptor ?? '',
    mcc: present(transaction.merchantMcc),
    country: present(transaction.merchantCountry),
  },
  authorizedAmount: amountBody(headlineMoney(transaction)),
  settledAmount: ifPresent(cardMoney(transaction, transaction.settledAmount), amountBody),
  refundedAmount: ifPresent(cardMoney(transaction, transaction.refundedAmount), amountBody),
  accountId: publicId('InternalAccount', cardAccountId(transaction)),
  pullSummary: pullSummaryBody(transaction),
  refundSummary: summaryBody(transaction.refundCount, transaction.refundTotalAmount),
  settlementSummary: summaryBody(transaction.settlementCount, transaction.settlementTotalAmount),
  authorizedAt: transaction.createdAt,
  lastEventAt: present(transaction.lastEventAt),
  createdAt: transaction.createdAt,
  updatedAt: transaction.updatedAt,
})

const refundBody = (transaction: Transaction) => {
  const { refundReference: reference, refundInitiatedAt: initiatedAt, refundStatus: status } = transaction
  // A CHECK constraint ensures that all three are set, or none.
  if (reference === null || initiatedAt === null || status === null) return undefined
  return {
    reference,
    initiatedAt,
    status,
    settledAt: present(transaction.refundSettledAt),
    reason: present(transaction.refundReason),
  }
}

const reconciliationBody = ({ reconciliationReference, reconciliationTransactionHash }: Transaction) =>
  reconciliationReference === null && reconciliationTransactionHash === null
    ? undefined
    : { reference: present(reconciliationReference), transactionHash: present(reconciliationTransactionHash) }

/** A CHECK constraint ensures that both are set, or neither. */
const summaryBody = (count: number | null, totalAmount: bigint | null) =>
  count === null || totalAmount === null ? undefined : { count, totalAmount: Number(totalAmount) }

const pullSummaryBody = ({ pullCount, pullTotalAmount, pullPendingCount }: Transaction) => {
  const summary = summaryBody(pullCount, pullTotalAmount)
  return summary && { ...summary, pendingCount: present(pullPendingCount) }
}

/** Exact: the database keeps amounts within ±2^53. */
const amountBody = ({ amount, currency }: Money) => ({ amount: Number(amount), currency })

const present = <T>(value: T | null) => value ?? undefined

const ifPresent = <T, B>(value: T | null, bodyOf: (value: T) => B) => (value === null ? undefined : bodyOf(value))

/** Exact, as above. */
const integer = (amount: bigint | null) => (amount === null ? undefined : Number(amount))
