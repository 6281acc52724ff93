import { z } from 'zod'
import { idempotencyKey } from '#idempotency/idempotency.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, failures, idempotencyHeader, type Operations, pathId, signatureHeader } from '#rest/operation.ts'
import { incomingSchema, outgoingSchema } from '#transactions/rest-schema.ts'
import { transferInRequest, transferOutRequest } from '#transfers/transfer.ts'
import { quoteRequest } from './request.ts'
import { quoteSchema } from './rest-schema-quote.ts'

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
export const transferOutBody = body(
  transferOutRequest.meta({ id: 'TransferOutRequest', description: 'Without an amount: all that can be spent.' }),
  {
    source: { accountId: ADA.dollars },
    destination: { accountId: ADA.dollarsOutside, paymentRail: 'ACH' },
    amount: 2_500,
    remittanceInformation: 'Invoice 42',
  },
)
export const transferInBody = body(
  transferInRequest.meta({ id: 'TransferInRequest', description: 'From an account that lets itself be debited.' }),
  { source: { accountId: ADA.dollarsOutside }, destination: { accountId: ADA.dollars }, amount: 2_500 },
)
export const once = idempotencyHeader(idempotencyKey)
export const signedOnce = once.extend(signatureHeader.shape)

const quotes = ['Quotes']
const transfers = ['Transfers']

export const paymentOperations: Operations = {
  '/quotes': {
    post: {
      operationId: 'createQuote',
      summary: 'Fix a price',
      description: 'Price and terms hold for some minutes. The payment is there at once, and waits.',
      tags: quotes,
      requestParams: { header: once },
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
      requestParams: { path: pathId('Quote'), header: signedOnce },
      requestBody: executionBody,
      responses: { 200: answer('The quote, under way.', quoteSchema), ...failures(404, 409, 501) },
    },
  },
  '/transfer-out': {
    post: {
      operationId: 'transferOut',
      summary: 'Pay out in one currency',
      tags: transfers,
      requestParams: { header: once },
      requestBody: transferOutBody,
      responses: { 201: answer('The payment, pending.', outgoingSchema), ...failures(404, 409) },
    },
  },
  '/transfer-in': {
    post: {
      operationId: 'transferIn',
      summary: 'Pull money in, in one currency',
      tags: transfers,
      requestParams: { header: once },
      requestBody: transferInBody,
      responses: { 201: answer('The payment, pending.', incomingSchema), ...failures(404, 409) },
    },
  },
}
