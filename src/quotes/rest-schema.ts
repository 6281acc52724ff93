import { z } from 'zod'
import { paymentInstructionsSchema } from '#accounts/rest-schema.ts'
import { destinationSchema, sourceSchema } from '#accounts/rest-schema-party.ts'
import { idOf } from '#core/input.ts'
import { currencySchema, time } from '#rest/schema.ts'
import { counterpartySchema, exchangeRateSchema, rateDetailsSchema } from '#transactions/rest-schema.ts'
import { QUOTE_STATUSES } from './quote.ts'

export const quoteSchema = z
  .object({
    id: idOf('Quote'),
    status: z.enum(QUOTE_STATUSES).describe('State of the quote.'),
    createdAt: time('When it was made.'),
    expiresAt: time('Until when it can be executed, or its funds be pushed.'),
    source: sourceSchema,
    destination: destinationSchema,
    sendingCurrency: currencySchema.describe('Currency of the sender.'),
    receivingCurrency: currencySchema.describe('Currency of the recipient.'),
    totalSendingAmount: z.int().min(0).describe('With fees, in the smallest unit of the sending currency.'),
    totalReceivingAmount: z.int().min(0).describe('In the smallest unit of the receiving currency.'),
    exchangeRate: exchangeRateSchema,
    feesIncluded: z.int().min(0).describe('All fees, in the smallest unit of the sending currency.'),
    transactionId: idOf('Transaction').describe('The payment, which is there from the beginning.'),
    platformFeesIncluded: z.int().min(0).optional().describe('The platform’s part of `feesIncluded`.'),
    paymentInstructions: z
      .array(paymentInstructionsSchema)
      .optional()
      .describe('Where to push the funds to; for a wallet, what its owner signs as `payloadToSign`.'),
    counterpartyInformation: counterpartySchema.optional(),
    rateDetails: rateDetailsSchema.optional(),
  })
  .meta({ id: 'Quote', description: 'A fixed price for a payment, for some minutes.' })
