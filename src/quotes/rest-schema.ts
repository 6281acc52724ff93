import { z } from 'zod'
import { paymentInstructionsSchema } from '#accounts/rest-schema.ts'
import { destinationSchema, sourceSchema } from '#accounts/rest-schema-party.ts'
import { idOf } from '#core/input.ts'
import { currencySchema, timeSchema } from '#rest/schema.ts'
import { counterpartySchema, exchangeRateSchema, rateDetailsSchema } from '#transactions/rest-schema.ts'
import { QUOTE_STATUSES, SCA_FACTORS, SCA_PURPOSES } from './quote.ts'

const scaChallengeSchema = z
  .object({
    id: idOf('ScaChallenge'),
    expiresAt: timeSchema('Until when it can be passed.'),
    factor: z.enum(SCA_FACTORS).describe('The factor to pass it with.'),
    availableFactors: z.array(z.enum(SCA_FACTORS)).describe('The factors that the customer has.'),
    purpose: z.enum(SCA_PURPOSES).describe('What is authorized.'),
    passkeyAssertionOptions: z
      .looseObject({})
      .nullable()
      .describe('WebAuthn options for a passkey; null for other factors.'),
    passkeyAllowedOrigins: z
      .array(z.string())
      .nullable()
      .describe('Origins where a passkey may be used; null for other factors.'),
  })
  .meta({
    id: 'ScaChallenge',
    description: 'Strong Customer Authentication to pass before money moves. Only while PENDING_AUTHORIZATION.',
  })

export const quoteSchema = z
  .object({
    id: idOf('Quote'),
    status: z.enum(QUOTE_STATUSES).describe('State of the quote.'),
    createdAt: timeSchema('When it was made.'),
    expiresAt: timeSchema('Until when it can be executed, or its funds be pushed.'),
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
    scaChallenge: scaChallengeSchema.optional(),
  })
  .meta({ id: 'Quote', description: 'A fixed price for a payment, for some minutes.' })
