import { z } from 'zod'
import { onceHeader, signedOnceHeader } from '#idempotency/rest.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, failures, type Operations, pathId } from '#rest/operation.ts'
import { quoteRequest } from './request.ts'
import { quoteSchema } from './rest-schema.ts'

export const quoteBody = body(quoteRequest.meta({ id: 'QuoteRequest', description: 'The quote to create.' }), {
  source: { sourceType: 'ACCOUNT', accountId: ADA.dollars },
  destination: { destinationType: 'ACCOUNT', accountId: ADA.eurosOutside, paymentRail: 'SEPA_INSTANT' },
  lockedCurrencySide: 'RECEIVING',
  lockedCurrencyAmount: 2_500,
  remittanceInformation: 'Invoice 42',
  purposeOfPayment: 'GOODS_OR_SERVICES',
})
/** The body is ignored. */
export const executionBody = body(z.looseObject({}).describe('Optional and ignored.'), {}, false)
const quotes = ['Quotes']

export const quoteOperations: Operations = {
  '/quotes': {
    post: {
      operationId: 'createQuote',
      summary: 'Create a quote',
      description:
        'Fixes price and terms until `expiresAt`. Also creates the payment, which waits for the quote to be executed or funded.',
      tags: quotes,
      requestParams: { header: onceHeader },
      requestBody: quoteBody,
      responses: { 201: answer('The quote.', quoteSchema), ...failures(404, 409, 501) },
    },
  },
  '/quotes/{id}': {
    get: {
      operationId: 'getQuote',
      summary: 'Get a quote',
      tags: quotes,
      requestParams: { path: pathId('Quote') },
      responses: { 200: answer('The quote.', quoteSchema), ...failures(404) },
    },
  },
  '/quotes/{id}/execute': {
    post: {
      operationId: 'executeQuote',
      summary: 'Execute a quote',
      description: 'A quote from a wallet needs a stamp over the `payloadToSign` of its payment instructions.',
      tags: quotes,
      requestParams: { path: pathId('Quote'), header: signedOnceHeader },
      requestBody: executionBody,
      responses: { 200: answer('The quote, which is now being executed.', quoteSchema), ...failures(404, 409, 501) },
    },
  },
}
