import { z } from 'zod'
import { destinationSchema, sourceSchema } from '#accounts/party/rest-schema.ts'
import { paymentInstructionsSchema, paymentRailSchema } from '#accounts/rest-schema.ts'
import { idOf } from '#core/input.ts'
import { currencyAmountSchema, discriminator, pageSchema, timeSchema } from '#rest/schema.ts'
import { COUNTERPARTY_INFORMATION, RATE_DETAILS, RATE_DETAILS_TEXTS } from './rate-details.ts'
import { TRANSACTION_TEXTS } from './texts.ts'
import {
  CARD_TRANSACTION_STATUSES,
  INCOMING_FAILURE_REASONS,
  OUTGOING_FAILURE_REASONS,
  OUTGOING_TRANSACTION_STATUSES,
  RAIL_SELECTION_MODES,
  REFUND_REASONS,
  REFUND_STATUSES,
  TRANSACTION_DIRECTIONS,
  TRANSACTION_STATUSES,
  TransactionRecord,
} from './transaction.ts'

const { texts } = TransactionRecord

export const rateDetailsSchema = z
  .object({
    counterpartyMultiplier: z.number().gt(0).describe(RATE_DETAILS_TEXTS.counterpartyMultiplier),
    counterpartyFixedFee: z.int().min(0).describe(RATE_DETAILS_TEXTS.counterpartyFixedFee),
    serviceApiMultiplier: z.number().gt(0).describe(RATE_DETAILS_TEXTS.serviceApiMultiplier),
    serviceApiFixedFee: z.int().min(0).describe(RATE_DETAILS_TEXTS.serviceApiFixedFee),
    serviceApiVariableFeeRate: z.number().min(0).describe(RATE_DETAILS_TEXTS.serviceApiVariableFeeRate),
    serviceApiVariableFeeAmount: z
      .number()
      .min(0)
      .meta({ format: 'int64', description: RATE_DETAILS_TEXTS.serviceApiVariableFeeAmount }),
  })
  .meta({ id: 'OutgoingRateDetails', description: RATE_DETAILS })

export const counterpartySchema = z
  .record(z.string(), z.string())
  .meta({ id: 'CounterpartyInformation', description: COUNTERPARTY_INFORMATION })

const owner = {
  customerId: idOf('Customer', 'PlatformConfig').describe(texts.customerId),
  platformCustomerId: z.string().describe(texts.platformCustomerId),
}

const refundSchema = z
  .object({
    reference: z.string().describe(texts.refundReference),
    initiatedAt: timeSchema(texts.refundInitiatedAt),
    status: z.enum(REFUND_STATUSES).describe(texts.refundStatus),
    settledAt: timeSchema(texts.refundSettledAt).optional(),
    reason: z.enum(REFUND_REASONS).optional().describe(texts.refundReason),
  })
  .meta({ id: 'Refund', description: TRANSACTION_TEXTS.refund })

const reconciliationSchema = z
  .object({
    reference: z.string().optional().describe(texts.reconciliationReference),
    transactionHash: z.string().optional().describe(texts.reconciliationTransactionHash),
  })
  .meta({ id: 'ReconciliationInstructions', description: TRANSACTION_TEXTS.reconciliationInstructions })

const direction = z.enum(TRANSACTION_DIRECTIONS).describe(texts.direction)
const source = sourceSchema.describe(TRANSACTION_TEXTS.source)
const sentAmount = currencyAmountSchema.describe(texts.sentAmount)
const receivedAmount = currencyAmountSchema.describe(texts.receivedAmount)

const payment = z.object({
  id: idOf('Transaction').describe(texts.id),
  direction,
  destination: destinationSchema.describe(TRANSACTION_TEXTS.destination),
  ...owner,
  settledAt: timeSchema(texts.settledAt).optional(),
  createdAt: timeSchema(texts.createdAt),
  updatedAt: timeSchema(texts.updatedAt),
  receiptDeliveryConfirmedAt: timeSchema(texts.receiptDeliveryConfirmedAt).optional(),
  agentId: idOf('Agent').optional().describe(texts.agentId),
  description: z.string().optional().describe(texts.description),
  exchangeRate: z.number().gt(0).optional().describe(texts.exchangeRate),
  quoteId: idOf('Quote').optional().describe(texts.quoteId),
  fees: z.int().min(0).optional().describe(texts.fees),
  refund: refundSchema.optional().describe(TRANSACTION_TEXTS.refund),
  reconciliationInstructions: reconciliationSchema.optional().describe(TRANSACTION_TEXTS.reconciliationInstructions),
  counterpartyInformation: counterpartySchema.optional().describe(texts.counterpartyInformation),
})

export const incomingSchema = payment
  .extend({
    type: discriminator('INCOMING').describe(texts.type),
    status: z.enum(TRANSACTION_STATUSES).describe(texts.status),
    source: source.optional(),
    sentAmount: sentAmount.optional(),
    receivedAmount,
    failureReason: z.enum(INCOMING_FAILURE_REASONS).optional().describe(texts.failureReason),
  })
  .meta({ id: 'IncomingTransaction', description: 'A payment that the customer receives.' })

export const outgoingSchema = payment
  .extend({
    type: discriminator('OUTGOING').describe(texts.type),
    status: z.enum(OUTGOING_TRANSACTION_STATUSES).describe(texts.status),
    source,
    sentAmount,
    receivedAmount: receivedAmount.optional(),
    platformFees: z.int().min(0).optional().describe(texts.platformFees),
    paymentInstructions: z.array(paymentInstructionsSchema).optional().describe(texts.paymentInstructions),
    rateDetails: rateDetailsSchema.optional().describe(texts.rateDetails),
    failureReason: z.enum(OUTGOING_FAILURE_REASONS).optional().describe(texts.failureReason),
    paymentRail: paymentRailSchema.nullable().describe(texts.paymentRail),
    railSelectionMode: z.enum(RAIL_SELECTION_MODES).nullable().describe(texts.railSelectionMode),
    expectedSettlementAt: z.iso.datetime().nullable().describe(texts.expectedSettlementAt),
    settlementTimelineSeconds: z.int().min(0).nullable().describe(texts.settlementTimelineSeconds),
  })
  .meta({ id: 'OutgoingTransaction', description: 'A payment that the customer sends.' })

const summary = (count: string, totalAmount: string) =>
  z.object({ count: z.int().min(0).describe(count), totalAmount: z.int().describe(totalAmount) })

const pullSummary = summary(texts.pullCount, texts.pullTotalAmount)
  .extend({ pendingCount: z.int().min(0).optional().describe(texts.pullPendingCount) })
  .meta({ id: 'CardPullSummary', description: TRANSACTION_TEXTS.pullSummary })
const refundSummary = summary(texts.refundCount, texts.refundTotalAmount).meta({
  id: 'CardRefundSummary',
  description: TRANSACTION_TEXTS.refundSummary,
})
const settlementSummary = summary(texts.settlementCount, texts.settlementTotalAmount).meta({
  id: 'CardSettlementSummary',
  description: TRANSACTION_TEXTS.settlementSummary,
})

const merchantSchema = z
  .object({
    descriptor: z.string().describe(texts.merchantDescriptor),
    mcc: z.string().optional().describe(texts.merchantMcc),
    country: z.string().optional().describe(texts.merchantCountry),
  })
  .meta({ id: 'CardMerchant', description: TRANSACTION_TEXTS.merchant })

export const cardSchema = z
  .object({
    type: discriminator('CARD').describe(texts.type),
    id: idOf('CardTransaction').describe(texts.id),
    cardId: idOf('Card').optional().describe(texts.cardId),
    ...owner,
    issuerTransactionToken: z.string().optional().describe(texts.issuerTransactionToken),
    status: z.enum(CARD_TRANSACTION_STATUSES).describe(texts.status),
    direction,
    merchant: merchantSchema.describe(TRANSACTION_TEXTS.merchant),
    authorizedAmount: currencyAmountSchema.describe(texts.authorizedAmount),
    settledAmount: currencyAmountSchema.optional().describe(texts.settledAmount),
    refundedAmount: currencyAmountSchema.optional().describe(texts.refundedAmount),
    accountId: idOf('InternalAccount').describe(TRANSACTION_TEXTS.accountId),
    pullSummary: pullSummary.optional().describe(TRANSACTION_TEXTS.pullSummary),
    refundSummary: refundSummary.optional().describe(TRANSACTION_TEXTS.refundSummary),
    settlementSummary: settlementSummary.optional().describe(TRANSACTION_TEXTS.settlementSummary),
    authorizedAt: timeSchema(TRANSACTION_TEXTS.authorizedAt),
    lastEventAt: timeSchema(texts.lastEventAt).optional(),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'CardTransaction', description: 'A card authorization with its pulls, clearings and returns.' })

export const transactionSchema = z
  .discriminatedUnion('type', [incomingSchema, outgoingSchema, cardSchema])
  .meta({ id: 'Transaction', description: 'An incoming, outgoing or card transaction.' })

/** The transactions that transfers and agent actions create. */
export const paymentSchema = z
  .discriminatedUnion('type', [incomingSchema, outgoingSchema])
  .meta({ id: 'Payment', description: 'An incoming or outgoing transaction.' })

export const transactionPageSchema = pageSchema('TransactionPage', transactionSchema)
