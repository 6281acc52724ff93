// How the operations of REST are described: the parts that many of them share.
import { z } from 'zod'
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { MAX_BODY_BYTES } from '#core/body.ts'
import { CHALLENGE, missingCredentials } from '#core/challenge.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import type { Kind } from '#core/ids.ts'
import { idOf } from '#core/input.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#database/page.ts'
import { QUERY_SORT_ORDERS } from './query.ts'
import { errorSchema } from './schema.ts'

/** Operations by path and method. Paths are relative to the version. */
export type Operations = ZodOpenApiPathsObject

const requestId = z
  .string()
  .meta({ description: 'The request, to be quoted to support.', header: { id: 'X-Request-Id' } })

export const answer = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
  headers: z.object({ 'x-request-id': requestId }),
  content: { 'application/json': { schema } },
})

export const emptyAnswer = (description: string): ZodOpenApiResponseObject => ({
  description,
  headers: z.object({ 'x-request-id': requestId }),
})

const failure = (
  id: string,
  description: string,
  example: ApiError,
  headers: z.ZodRawShape = {},
): ZodOpenApiResponseObject => ({
  description,
  content: { 'application/json': { schema: errorSchema, example: example.toBody() } },
  headers: z.object({ 'x-request-id': requestId, ...headers }),
  id,
})

const TIMED_OUT = 'There was no answer in time. A change may have been made all the same.'

/** By status, each with an error that is answered so. */
const FAILURES = {
  400: failure(
    'BadRequest',
    'The request is ill-formed, or asks for what cannot be done.',
    invalidInput('amount', 'amount must be from 1 to 9000000000000000', { minimum: 1, maximum: 9e15 }),
  ),
  401: failure('Unauthorized', 'API credentials or the proof are missing or wrong.', missingCredentials(), {
    'www-authenticate': z.string().optional().describe(`\`${CHALLENGE}\`, unless a page in a browser asked.`),
  }),
  403: failure(
    'Forbidden',
    'The caller may not do this.',
    new ApiError('FORBIDDEN', 'The API token lacks the permission TRANSACT'),
  ),
  404: failure(
    'NotFound',
    'There is no such thing, or it is another platform’s.',
    new ApiError('REFERENCE_NOT_FOUND', 'There is no such account'),
  ),
  409: failure(
    'Conflict',
    'The state of things does not allow it.',
    new ApiError('CONFLICT', 'The quote has expired', { reason: 'QUOTE_EXPIRED' }),
  ),
  413: failure(
    'PayloadTooLarge',
    'The body is too long.',
    new ApiError('PAYLOAD_TOO_LARGE', `The body must be at most ${MAX_BODY_BYTES} bytes`),
  ),
  415: failure(
    'UnsupportedMediaType',
    'The body is not `application/json`.',
    new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json'),
  ),
  429: failure(
    'TooManyRequests',
    'Too often.',
    new ApiError('RATE_LIMITED', 'Too many requests at once', { retryAfterSeconds: 1 }),
    {
      'retry-after': z.int().min(1).describe('Seconds to wait.'),
    },
  ),
  500: failure(
    'InternalError',
    'Something went wrong here.',
    new ApiError('INTERNAL_ERROR', 'Something went wrong here. Quote the x-request-id to support.'),
  ),
  501: failure(
    'NotImplemented',
    'It cannot be done here yet.',
    new ApiError('NOT_IMPLEMENTED', 'Strong Customer Authentication, which this customer needs, is not available yet'),
  ),
  503: failure(
    'Unavailable',
    'It may succeed later.',
    new ApiError('SERVICE_UNAVAILABLE', 'Too many changes at once. Try again.'),
  ),
  504: failure('Timeout', TIMED_OUT, new ApiError('GATEWAY_TIMEOUT', TIMED_OUT)),
} as const

type Failures = Partial<Record<keyof typeof FAILURES, ZodOpenApiResponseObject>>

/** What any call may be answered with, and the failures of the operation itself. */
export const failures = (...own: readonly (404 | 409 | 501)[]): Failures => {
  const statuses = [400, 401, 403, ...own, 413, 415, 429, 500, 503, 504] as const
  return Object.fromEntries(statuses.map((status) => [status, FAILURES[status]]))
}

/** With the example that the demo takes as it is. */
export const body = <S extends z.ZodType>(schema: S, example: z.input<S>, required = true) => ({
  description: schema.description ?? '',
  required,
  content: { 'application/json': { schema, example } },
})

/** The only parameter of a path: an id of these kinds. */
export const pathId = (...kinds: readonly Kind[]) => z.object({ id: idOf(...kinds) })

/** Of a range of time. */
export const DAY = 'A date alone is the whole day in UTC.'

export const pageQuery = z.object({
  limit: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE).describe('The size of the page.'),
  cursor: z.string().optional().describe('`nextCursor` of the page before, with the same filters and order.'),
  sortOrder: z.enum(QUERY_SORT_ORDERS).default('desc').describe('By `createdAt`, then `id`.'),
})

type Nullish = z.ZodOptional<z.ZodNullable<z.ZodType>>

/** The named conditions of a filter as query parameters, which cannot be null. */
export const conditionQuery = <S extends z.ZodRawShape>(
  filter: z.ZodObject<S>,
  meanings: { readonly [K in keyof S]?: string },
) =>
  z.object(
    Object.fromEntries(
      Object.entries(meanings).map(([name, meaning]) => {
        const condition = filter.shape[name] as unknown as Nullish
        return [name, condition.unwrap().unwrap().optional().describe(String(meaning))]
      }),
    ),
  )

/** Those of a list in pages. */
export const filterQuery = <S extends z.ZodRawShape>(
  filter: z.ZodObject<S>,
  meanings: { readonly [K in keyof S]?: string },
) => pageQuery.extend(conditionQuery(filter, meanings).shape)

export const idempotencyHeader = (key: z.ZodType) =>
  z.object({
    'Idempotency-Key': key
      .optional()
      .describe('For 24 hours a call that is repeated with the same key and body gets the answer of the first one.'),
  })

export const signatureHeader = z.object({
  'Service-Wallet-Signature': z
    .string()
    .optional()
    .describe('The stamp over `payloadToSign`: base64url of `{ publicKey, scheme, signature }`.'),
})

/** The two headers of a signed retry. */
export const retryHeaders = signatureHeader.extend({
  'Request-Id': z.string().optional().describe('`requestId` of the challenge. Empty is absent.'),
})
