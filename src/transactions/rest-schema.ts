import { z } from 'zod'
import { paymentInstructionsSchema, paymentRailSchema } from '#accounts/rest-schema.ts'
import { destinationSchema, sourceSchema } from '#accounts/rest-schema-party.ts'
import { idOf } from '#core/input.ts'
import { currencyAmountSchema, discriminator, pageSchema, timeSchema } from '#rest/schema.ts'
import {
  CARD_TRANSACTION_STATUSES,
  DIRECTION_DESCRIPTION,
  INCOMING_FAILURE_REASONS,
  OUTGOING_FAILURE_REASONS,
  OUTGOING_TRANSACTION_STATUSES,
  RAIL_SELECTION_MODES,
  REFUND_REASONS,
  REFUND_STATUSES,
  TRANSACTION_DIRECTIONS,
  TRANSACTION_STATUSES,
} from './transaction.ts'

export const rateDetailsSchema = z
  .object({
    counterpartyMultiplier: z.number().gt(0).describe('From mSATs to the receiving currency.'),
    counterpartyFixedFee: z.int().min(0).describe('In the smallest unit of the receiving currency.'),
    serviceApiMultiplier: z.number().gt(0).describe('From the sending currency to mSATs, with variable fees.'),
    serviceApiFixedFee: z.int().min(0).describe('In the smallest unit of the sending currency.'),
    serviceApiVariableFeeRate: z.number().min(0).describe('A fraction: 0.003 is 0.3 %.'),
    serviceApiVariableFeeAmount: z.number().min(0).describe('In the smallest unit of the sending currency.'),
  })
  .meta({ id: 'OutgoingRateDetails', description: 'How the amount of a UMA payment was computed.' })

export const counterpartySchema = z
  .record(z.string(), z.string())
  .meta({ id: 'CounterpartyInformation', description: 'Facts about the other side, for example FULL_NAME.' })

/** Sending per receiving, in whole units. */
export const exchangeRateSchema = z
  .number()
  .gt(0)
  .describe('Sending currency per receiving currency, in whole units, of the amount net of fees.')

const owner = {
  customerId: idOf('Customer', 'PlatformConfig').describe('The customer, or the platform’s own configuration.'),
  platformCustomerId: z.string().describe('The platform’s own id of the customer.'),
}

const refundSchema = z
  .object({
    reference: z.string().describe('Reference of the refund.'),
    initiatedAt: timeSchema('When the refund began.'),
    status: z.enum(REFUND_STATUSES).describe('State of the refund.'),
    settledAt: timeSchema('When the money was back.').optional(),
    reason: z.enum(REFUND_REASONS).optional().describe('Why it was made.'),
  })
  .meta({ id: 'Refund', description: 'Money on its way back to who sent it. It runs beside the status.' })

const reconciliationSchema = z
  .object({
    reference: z.string().optional().describe('The code that a payment brings so that it is matched.'),
    transactionHash: z.string().optional().describe('Of the settlement transfer between the institutions.'),
  })
  .meta({ id: 'ReconciliationInstructions', description: 'How the payment is matched. At least one of the two.' })

const STATUS = 'State of the transaction.'
const sentAmount = currencyAmountSchema.describe('In the sender’s currency.')
const receivedAmount = currencyAmountSchema.describe('In the recipient’s currency.')

const payment = z.object({
  id: idOf('Transaction'),
  direction: z.enum(TRANSACTION_DIRECTIONS).describe(DIRECTION_DESCRIPTION),
  destination: destinationSchema,
  ...owner,
  settledAt: timeSchema('When the payment was settled, or will be.').optional(),
  createdAt: timeSchema('When it was created.'),
  updatedAt: timeSchema('When it last changed.'),
  receiptDeliveryConfirmedAt: timeSchema('When the platform said that its customer has the receipt.').optional(),
  agentId: idOf('Agent').optional().describe('The agent that initiated it.'),
  description: z.string().optional().describe('Memo.'),
  exchangeRate: exchangeRateSchema.optional(),
  quoteId: idOf('Quote').optional().describe('The quote that it carries out.'),
  fees: z.int().min(0).optional().describe('In the smallest unit of the sending currency.'),
  refund: refundSchema.optional().describe('Only when it was refunded.'),
  reconciliationInstructions: reconciliationSchema.optional(),
  counterpartyInformation: counterpartySchema.optional(),
})

export const incomingSchema = payment
  .extend({
    type: discriminator('INCOMING'),
    status: z.enum(TRANSACTION_STATUSES).describe(STATUS),
    source: sourceSchema.optional(),
    sentAmount: sentAmount.optional(),
    receivedAmount,
    failureReason: z.enum(INCOMING_FAILURE_REASONS).optional().describe('Only when FAILED.'),
  })
  .meta({ id: 'IncomingTransaction', description: 'Money that comes in.' })

export const outgoingSchema = payment
  .extend({
    type: discriminator('OUTGOING'),
    status: z.enum(OUTGOING_TRANSACTION_STATUSES).describe(STATUS),
    source: sourceSchema,
    sentAmount,
    receivedAmount: receivedAmount.optional(),
    platformFees: z.int().min(0).optional().describe('The platform’s part of `fees`, contained in it.'),
    paymentInstructions: z
      .array(paymentInstructionsSchema)
      .optional()
      .describe('How it is funded: where to push the money, or what the owner of the wallet signs.'),
    rateDetails: rateDetailsSchema.optional(),
    failureReason: z.enum(OUTGOING_FAILURE_REASONS).optional().describe('Only when FAILED.'),
    paymentRail: paymentRailSchema.nullable().describe('Null before one is resolved, and where none is used.'),
    railSelectionMode: z
      .enum(RAIL_SELECTION_MODES)
      .nullable()
      .describe('MANUAL when the platform named the rail. Null when none is resolved.'),
    expectedSettlementAt: z.iso
      .datetime()
      .nullable()
      .describe('When it is to be settled. Null for instant rails, and before a rail is resolved.'),
    settlementTimelineSeconds: z.int().min(0).nullable().describe('From creation to settlement. Null when unknown.'),
  })
  .meta({ id: 'OutgoingTransaction', description: 'Money that goes out.' })

const summary = z.object({
  count: z.int().min(0).describe('How many there were.'),
  totalAmount: z.int().describe('In the smallest unit of the card’s currency.'),
})

export const cardSchema = z
  .object({
    type: discriminator('CARD'),
    id: idOf('CardTransaction'),
    cardId: idOf('Card').optional().describe('`Card:<uuid>` that was used.'),
    ...owner,
    issuerTransactionToken: z.string().optional().describe('The issuer’s id of it, opaque.'),
    status: z.enum(CARD_TRANSACTION_STATUSES).describe(STATUS),
    direction: z.enum(TRANSACTION_DIRECTIONS).describe(DIRECTION_DESCRIPTION),
    merchant: z
      .object({
        descriptor: z.string().describe('As the authorization had it.'),
        mcc: z.string().optional().describe('Merchant category code, four digits (ISO 18245).'),
        country: z.string().optional().describe('ISO 3166-1 alpha-2.'),
      })
      .meta({ id: 'CardMerchant', description: 'Where the card was used.' }),
    authorizedAmount: currencyAmountSchema.describe('What the merchant asked for.'),
    settledAmount: currencyAmountSchema.optional().describe('Sum of the clearings. Absent before the first.'),
    refundedAmount: currencyAmountSchema.optional().describe('Sum of the returns. Absent before the first.'),
    accountId: idOf('InternalAccount').describe('The account that funded it.'),
    pullSummary: summary
      .extend({ pendingCount: z.int().min(0).optional().describe('Pulls that have not ended.') })
      .meta({ id: 'CardPullSummary', description: 'Pulls from the funding account. More than one after a tip.' })
      .optional(),
    refundSummary: summary.meta({ id: 'CardRefundSummary', description: 'Returns by the merchant.' }).optional(),
    settlementSummary: summary.meta({ id: 'CardSettlementSummary', description: 'Clearings.' }).optional(),
    authorizedAt: timeSchema('When the authorization was approved.'),
    lastEventAt: timeSchema('Of the latest pull, clearing or return.').optional(),
    createdAt: timeSchema('Equals `authorizedAt`.'),
    updatedAt: timeSchema('When it last changed.'),
  })
  .meta({ id: 'CardTransaction', description: 'An authorization of a card, with all that followed from it.' })

export const transactionSchema = z
  .discriminatedUnion('type', [incomingSchema, outgoingSchema, cardSchema])
  .meta({ id: 'Transaction', description: 'Money in, money out, or use of a card.' })

/** What transfers and the actions of agents make. */
export const paymentSchema = z
  .discriminatedUnion('type', [incomingSchema, outgoingSchema])
  .meta({ id: 'Payment', description: 'Money in or money out.' })

export const transactionPageSchema = pageSchema('TransactionPage', transactionSchema)
