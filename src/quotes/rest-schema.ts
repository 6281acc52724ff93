import { z } from 'zod'
import { destinationSchema, sourceSchema } from '#accounts/party/rest-schema.ts'
import { paymentInstructionsSchema } from '#accounts/rest-schema.ts'
import { idOf } from '#core/input.ts'
import { currencySchema, timeSchema } from '#rest/schema.ts'
import { scaChallengeSchema } from '#sca/challenge/rest-schema.ts'
import { counterpartySchema, rateDetailsSchema } from '#transactions/rest-schema.ts'
import { QUOTE_STATUSES, QUOTE_TEXTS, QuoteRecord } from './quote.ts'

const { texts } = QuoteRecord
export const quoteSchema = z
  .object({
    id: idOf('Quote').describe(texts.id),
    status: z.enum(QUOTE_STATUSES).describe(texts.status),
    createdAt: timeSchema(texts.createdAt),
    expiresAt: timeSchema(texts.expiresAt),
    source: sourceSchema.describe(QUOTE_TEXTS.source),
    destination: destinationSchema.describe(QUOTE_TEXTS.destination),
    sendingCurrency: currencySchema.describe(texts.sendingCurrency),
    receivingCurrency: currencySchema.describe(texts.receivingCurrency),
    totalSendingAmount: z.int().min(0).describe(texts.totalSendingAmount),
    totalReceivingAmount: z.int().min(0).describe(texts.totalReceivingAmount),
    exchangeRate: z.number().gt(0).describe(texts.exchangeRate),
    feesIncluded: z.int().min(0).describe(texts.feesIncluded),
    transactionId: idOf('Transaction').describe(QUOTE_TEXTS.transactionId),
    platformFeesIncluded: z.int().min(0).optional().describe(texts.platformFeesIncluded),
    paymentInstructions: z.array(paymentInstructionsSchema).optional().describe(texts.paymentInstructions),
    counterpartyInformation: counterpartySchema.optional().describe(texts.counterpartyInformation),
    rateDetails: rateDetailsSchema.optional().describe(texts.rateDetails),
    scaChallenge: scaChallengeSchema.optional().describe(QUOTE_TEXTS.scaChallenge),
  })
  .meta({ id: 'Quote', description: 'Price and terms of a payment, valid until the quote expires.' })
