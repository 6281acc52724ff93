// Quotes as the specification writes them. A field without a value is absent (undefined).

import { destinationOf, type Source, sourceOf } from '#accounts/party/party.ts'
import { destinationBody, sourceBody } from '#accounts/party/rest-body.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import { challengeBody } from '#sca/challenge/rest-body.ts'
import type { QuoteParts } from './find.ts'
import type { quoteSchema } from './rest-schema.ts'

export const quoteBody = ({ quote, transactionId, scaChallenge }: QuoteParts): BodyOf<typeof quoteSchema> => ({
  id: publicId('Quote', quote.id),
  status: quote.status,
  createdAt: quote.createdAt,
  expiresAt: quote.expiresAt,
  // A quote always has one.
  source: sourceBody(sourceOf(quote, quote.sendingCurrency, quote.customerId) as Source),
  destination: destinationBody(destinationOf(quote, quote.receivingCurrency)),
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
