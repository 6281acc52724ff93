// How the operations of REST are described: the parts that many of them share.
import { z } from 'zod'
import type { ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { CHALLENGE } from '#core/challenge.ts'
import type { Kind } from '#core/ids.ts'
import { idOf } from '#core/input.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#core/page.ts'
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

const failure = (id: string, description: string, headers: z.ZodRawShape = {}): ZodOpenApiResponseObject => ({
  ...answer(description, errorSchema),
  headers: z.object({ 'x-request-id': requestId, ...headers }),
  id,
})

const FAILURES = {
  400: failure('BadRequest', 'The request is ill-formed, or asks for what cannot be done.'),
  401: failure('Unauthorized', 'API credentials or the proof are missing or wrong.', {
    'www-authenticate': z.string().optional().describe(`\`${CHALLENGE}\`, unless a page in a browser asked.`),
  }),
  403: failure('Forbidden', 'The caller may not do this.'),
  404: failure('NotFound', 'There is no such thing, or it is another platform’s.'),
  409: failure('Conflict', 'The state of things does not allow it.'),
  413: failure('PayloadTooLarge', 'The body is too long.'),
  415: failure('UnsupportedMediaType', 'The body is not `application/json`.'),
  429: failure('TooManyRequests', 'Too often.', {
    'retry-after': z.int().min(1).describe('Seconds to wait.'),
  }),
  500: failure('InternalError', 'Something went wrong here.'),
  501: failure('NotImplemented', 'It cannot be done here yet.'),
  503: failure('Unavailable', 'It may succeed later.'),
  504: failure('Timeout', 'There was no answer in time. A change may have been made all the same.'),
} as const

type Failures = Partial<Record<keyof typeof FAILURES, ZodOpenApiResponseObject>>

/** What any call may be answered with, and the failures of the operation itself. */
export const failures = (...own: readonly (404 | 409 | 501)[]): Failures => {
  const statuses = [400, 401, 403, ...own, 413, 415, 429, 500, 503, 504] as const
  return Object.fromEntries(statuses.map((status) => [status, FAILURES[status]]))
}

export const body = (schema: z.ZodType, required = true) => ({
  required,
  content: { 'application/json': { schema } },
})

/** The only parameter of a path: an id of these kinds. */
export const pathId = (...kinds: readonly Kind[]) => z.object({ id: idOf(...kinds) })

export const pageQuery = z.object({
  limit: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE).describe('The size of the page.'),
  cursor: z.string().optional().describe('`nextCursor` of the page before, with the same filters and order.'),
  sortOrder: z.enum(QUERY_SORT_ORDERS).default('desc').describe('By `createdAt`, then `id`.'),
})

type Nullish = z.ZodOptional<z.ZodNullable<z.ZodType>>

/** The named conditions of a filter as query parameters, which cannot be null. */
export const filterQuery = <const N extends string>(
  filter: z.ZodObject<{ readonly [K in N]: Nullish }>,
  meanings: { readonly [K in N]?: string },
) =>
  pageQuery.extend(
    Object.fromEntries(
      Object.entries(meanings).map(([name, meaning]) => {
        const condition = filter.shape[name as N]
        return [name, condition.unwrap().unwrap().optional().describe(String(meaning))]
      }),
    ),
  )

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
