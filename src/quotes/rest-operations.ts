import { onceHeader, signedOnceHeader } from '#idempotency/rest.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, emptyAnswer, failures, type Operations, pathId } from '#rest/operation.ts'
import { quoteAuthorization } from './authorization/authorize.ts'
import { executionRequest } from './execute.ts'
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
export const executionBody = body(
  executionRequest.omit({ id: true }).meta({ id: 'ExecutionRequest', description: 'Optional.' }),
  {},
  false,
)
export const createdQuote = {
  201: answer('The quote.', quoteSchema),
  202: answer(
    'The quote waits for Strong Customer Authentication. Its payment instructions are withheld until then.',
    quoteSchema,
  ),
  ...failures(404, 409, 412, 423, 424, 501),
}
const quotes = ['Quotes']

export const quoteOperations: Operations = {
  '/quotes': {
    post: {
      operationId: 'createQuote',
      'x-graphql': ['Mutation.createQuote'],
      summary: 'Create a quote',
      description:
        'Fixes price and terms until `expiresAt`. Also creates the payment, which waits for the quote to be executed or funded.',
      tags: quotes,
      requestParams: { header: onceHeader },
      requestBody: quoteBody,
      responses: createdQuote,
    },
  },
  '/quotes/{quoteId}': {
    get: {
      operationId: 'getQuote',
      'x-graphql': ['Query.node ... on Quote'],
      summary: 'Get a quote',
      tags: quotes,
      requestParams: { path: pathId('quoteId', 'Quote') },
      responses: { 200: answer('The quote.', quoteSchema), ...failures(404) },
    },
  },
  '/quotes/{quoteId}/execute': {
    post: {
      operationId: 'executeQuote',
      'x-graphql': ['Mutation.executeQuote'],
      summary: 'Execute a quote',
      description: 'A quote from a wallet needs a stamp over the `payloadToSign` of its payment instructions.',
      tags: quotes,
      requestParams: { path: pathId('quoteId', 'Quote'), header: signedOnceHeader },
      requestBody: executionBody,
      responses: {
        200: answer('The quote, which is being executed or waits for its SCA challenge.', quoteSchema),
        ...failures(404, 409, 423),
      },
    },
  },
  '/quotes/{quoteId}/authorize': {
    post: {
      operationId: 'authorizeQuote',
      'x-graphql': ['Mutation.authorizeQuote'],
      summary: 'Pass the SCA challenge of a quote',
      description:
        'Starts the payment, or shows the payment instructions of a quote that is funded in real time. A wrong proof is 400. After five wrong proofs, the challenge is 429.',
      tags: quotes,
      requestParams: { path: pathId('quoteId', 'Quote'), header: onceHeader },
      requestBody: body(
        quoteAuthorization
          .omit({ id: true })
          .meta({ id: 'AuthorizationRequest', description: 'The proof that the challenge asks for.' }),
        { code: '123456' },
      ),
      responses: { 200: answer('The quote.', quoteSchema), ...failures(404, 409, 423) },
    },
  },
  '/quotes/{quoteId}/authorize/resend': {
    post: {
      operationId: 'resendQuoteCode',
      'x-graphql': ['Mutation.resendQuoteCode'],
      summary: 'Send the code of an SCA challenge again',
      description: 'Only for `SMS_OTP`, and 30 seconds after the last code. This does not extend the challenge.',
      tags: quotes,
      requestParams: { path: pathId('quoteId', 'Quote') },
      responses: { 204: emptyAnswer('A new code was sent. The earlier one is void.'), ...failures(404, 409, 423) },
    },
  },
}
