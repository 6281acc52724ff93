// Transactions as the specification writes them. A field without a value is absent (undefined), but for those it types "or null".
import { publicId } from '#core/ids.ts'
import type { Money } from '#core/money.ts'
import { type Destination, destinationOf, type Source, sourceOf } from '#quotes/parties.ts'
import {
  cardAccountId,
  cardMoney,
  headlineMoney,
  ownerId,
  platformOwnerId,
  receivedMoney,
  sentMoney,
  type Transaction,
  transactionId,
} from './transaction.ts'

export const transactionBody = (transaction: Transaction): object => {
  switch (transaction.type) {
    case 'INCOMING':
      return incomingBody(transaction)
    case 'OUTGOING':
      return outgoingBody(transaction)
    case 'CARD':
      return cardBody(transaction)
  }
}

const incomingBody = (transaction: Transaction) => ({
  ...paymentBody(transaction),
  receivedAmount: amountBody(receivedMoney(transaction)),
  fees: integer(transaction.fees),
  reconciliationInstructions: reconciliationBody(transaction),
  failureReason: present(transaction.failureReason),
})

const outgoingBody = (transaction: Transaction) => ({
  ...paymentBody(transaction),
  receivedAmount: amountBody(receivedMoney(transaction)),
  fees: integer(transaction.fees),
  platformFees: integer(transaction.platformFees),
  reconciliationInstructions: reconciliationBody(transaction),
  paymentInstructions: present(transaction.paymentInstructions),
  rateDetails: present(transaction.rateDetails),
  failureReason: present(transaction.failureReason),
  paymentRail: transaction.paymentRail,
  railSelectionMode: transaction.railSelectionMode,
  expectedSettlementAt: transaction.expectedSettlementAt,
  settlementTimelineSeconds: transaction.settlementTimelineSeconds,
})

const paymentBody = (transaction: Transaction) => ({
  id: transactionId(transaction),
  status: transaction.status,
  type: transaction.type,
  direction: transaction.direction,
  source: sourceBody(sourceOf(transaction, transaction.sourceCurrency, transaction.sourceCustomerId)),
  destination: destinationBody(destinationOf(transaction, transaction.destinationCurrency)),
  customerId: ownerId(transaction),
  platformCustomerId: platformOwnerId(transaction),
  settledAt: present(transaction.settledAt),
  createdAt: transaction.createdAt,
  updatedAt: transaction.updatedAt,
  receiptDeliveryConfirmedAt: present(transaction.receiptDeliveryConfirmedAt),
  agentId: transaction.agentId === null ? undefined : publicId('Agent', transaction.agentId),
  description: present(transaction.description),
  sentAmount: amountBody(sentMoney(transaction)),
  exchangeRate: present(transaction.exchangeRate),
  quoteId: transaction.quoteId === null ? undefined : publicId('Quote', transaction.quoteId),
  refund: refundBody(transaction),
  counterpartyInformation: present(transaction.counterpartyInformation),
})

const cardBody = (transaction: Transaction) => ({
  type: transaction.type,
  id: transactionId(transaction),
  cardId: transaction.cardId === null ? undefined : publicId('Card', transaction.cardId),
  customerId: ownerId(transaction),
  platformCustomerId: platformOwnerId(transaction),
  issuerTransactionToken: present(transaction.issuerTransactionToken),
  status: transaction.status,
  direction: transaction.direction,
  merchant: {
    descriptor: transaction.merchantDescriptor,
    mcc: present(transaction.merchantMcc),
    country: present(transaction.merchantCountry),
  },
  authorizedAmount: amountBody(headlineMoney(transaction)),
  settledAmount: amountBody(cardMoney(transaction, transaction.settledAmount)),
  refundedAmount: amountBody(cardMoney(transaction, transaction.refundedAmount)),
  accountId: publicId('InternalAccount', cardAccountId(transaction)),
  pullSummary: summaryBody(transaction.pullCount, transaction.pullTotalAmount, {
    pendingCount: present(transaction.pullPendingCount),
  }),
  refundSummary: summaryBody(transaction.refundCount, transaction.refundTotalAmount),
  settlementSummary: summaryBody(transaction.settlementCount, transaction.settlementTotalAmount),
  authorizedAt: transaction.createdAt,
  lastEventAt: present(transaction.lastEventAt),
  createdAt: transaction.createdAt,
  updatedAt: transaction.updatedAt,
})

export const sourceBody = (source: Source | null) => {
  switch (source?.sourceType) {
    case undefined:
      return undefined
    case 'ACCOUNT':
      return {
        sourceType: source.sourceType,
        accountId: publicId(source.account.kind, source.account.id),
        customerId: customerBody(source.customerId),
        currency: present(source.currency),
        onChainTransaction: present(source.onChainTransaction),
      }
    case 'UMA_ADDRESS':
      return { sourceType: source.sourceType, umaAddress: source.umaAddress, currency: present(source.currency) }
    case 'REALTIME_FUNDING':
      return {
        sourceType: source.sourceType,
        currency: present(source.currency),
        customerId: customerBody(source.customerId),
        ...source.funding,
        onChainTransaction: present(source.onChainTransaction),
      }
  }
}

export const destinationBody = (destination: Destination) =>
  destination.destinationType === 'ACCOUNT'
    ? {
        destinationType: destination.destinationType,
        accountId: publicId(destination.account.kind, destination.account.id),
        currency: present(destination.currency),
        paymentRail: present(destination.paymentRail),
        onChainTransaction: present(destination.onChainTransaction),
      }
    : {
        destinationType: destination.destinationType,
        umaAddress: destination.umaAddress,
        currency: present(destination.currency),
      }

const refundBody = (transaction: Transaction) =>
  transaction.refundReference === null
    ? undefined
    : {
        reference: transaction.refundReference,
        initiatedAt: present(transaction.refundInitiatedAt),
        status: present(transaction.refundStatus),
        settledAt: present(transaction.refundSettledAt),
        reason: present(transaction.refundReason),
      }

const reconciliationBody = ({ reconciliationReference, reconciliationTransactionHash }: Transaction) =>
  reconciliationReference === null && reconciliationTransactionHash === null
    ? undefined
    : { reference: present(reconciliationReference), transactionHash: present(reconciliationTransactionHash) }

const summaryBody = (count: number | null, totalAmount: bigint | null, more?: object) =>
  count === null ? undefined : { count, totalAmount: integer(totalAmount), ...more }

const amountBody = (money: Money | null) =>
  money ? { amount: integer(money.amount), currency: money.currency } : undefined

const customerBody = (customerId: string | null) => (customerId === null ? undefined : publicId('Customer', customerId))

const present = <T>(value: T | null) => value ?? undefined

/** Exact: the database keeps amounts within ±2^53. */
const integer = (amount: bigint | null) => (amount === null ? undefined : Number(amount))
