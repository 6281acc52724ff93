import { z } from 'zod'
import { onceHeader, signedOnceHeader } from '#idempotency/rest.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, failures, type Operations, pathId } from '#rest/operation.ts'
import { quoteRequest } from './request.ts'
import { quoteSchema } from './rest-schema.ts'

export const quoteBody = body(
  quoteRequest.meta({ id: 'QuoteRequest', description: 'Amounts are in the smallest unit of the locked side.' }),
  {
    source: { sourceType: 'ACCOUNT', accountId: ADA.dollars },
    destination: { destinationType: 'ACCOUNT', accountId: ADA.eurosOutside, paymentRail: 'SEPA_INSTANT' },
    lockedCurrencySide: 'RECEIVING',
    lockedCurrencyAmount: 2_500,
    remittanceInformation: 'Invoice 42',
    purposeOfPayment: 'GOODS_OR_SERVICES',
  },
)
/** Nothing is read of it. */
export const executionBody = body(z.looseObject({}).describe('May be left out.'), {}, false)
const quotes = ['Quotes']

export const quoteOperations: Operations = {
  '/quotes': {
    post: {
      operationId: 'createQuote',
      summary: 'Fix a price',
      description: 'Price and terms hold for some minutes. The payment is there at once, and waits.',
      tags: quotes,
      requestParams: { header: onceHeader },
      requestBody: quoteBody,
      responses: { 201: answer('The quote.', quoteSchema), ...failures(404, 409, 501) },
    },
  },
  '/quotes/{id}': {
    get: {
      operationId: 'getQuote',
      summary: 'Read a quote',
      tags: quotes,
      requestParams: { path: pathId('Quote') },
      responses: { 200: answer('The quote.', quoteSchema), ...failures(404) },
    },
  },
  '/quotes/{id}/execute': {
    post: {
      operationId: 'executeQuote',
      summary: 'Move the money of a quote',
      description: 'A wallet’s quote needs the stamp over the `payloadToSign` of its payment instructions.',
      tags: quotes,
      requestParams: { path: pathId('Quote'), header: signedOnceHeader },
      requestBody: executionBody,
      responses: { 200: answer('The quote, under way.', quoteSchema), ...failures(404, 409, 501) },
    },
  },
}
