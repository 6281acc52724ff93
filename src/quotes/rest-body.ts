// Quotes as the specification writes them. A field without a value is absent (undefined).

import { destinationPart, sourcePart } from '#accounts/party/rest-body.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { publicId } from '#core/ids.ts'
import { required, valueIn } from '#rest/parts.ts'
import type { BodyOf } from '#rest/schema.ts'
import { challengeBody } from '#sca/challenge/rest-body.ts'
import type { QuoteParts } from './find.ts'
import { QuoteRecord } from './quote.ts'
import type { quoteSchema } from './rest-schema.ts'

// A quote always has a source.
const source = required(sourcePart(QuoteRecord, { currency: 'sendingCurrency', customerId: 'customerId' }))
const destination = destinationPart(QuoteRecord, { currency: 'receivingCurrency' })

export const quoteBody = ({ quote, transactionId, scaChallenge }: QuoteParts): BodyOf<typeof quoteSchema> => ({
  id: publicId('Quote', quote.id),
  status: quote.status,
  createdAt: quote.createdAt,
  expiresAt: quote.expiresAt,
  source: valueIn(source, QuoteRecord.rowOf(quote)),
  destination: valueIn(destination, QuoteRecord.rowOf(quote)),
  sendingCurrency: currencyOf(quote.sendingCurrency),
  receivingCurrency: currencyOf(quote.receivingCurrency),
  totalSendingAmount: Number(quote.totalSendingAmount),
  totalReceivingAmount: Number(quote.totalReceivingAmount),
  exchangeRate: quote.exchangeRate,
  feesIncluded: Number(quote.feesIncluded),
  transactionId: publicId('Transaction', transactionId),
  platformFeesIncluded: quote.platformFeesIncluded === null ? undefined : Number(quote.platformFeesIncluded),
  paymentInstructions: quote.paymentInstructions ?? undefined,
  counterpartyInformation: quote.counterpartyInformation ?? undefined,
  rateDetails: quote.rateDetails ?? undefined,
  scaChallenge: scaChallenge && challengeBody(scaChallenge),
})
