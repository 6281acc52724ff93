// Building blocks that REST operations share in the contract.
import { z } from 'zod'
import type {
  ZodOpenApiComponentsObject,
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import { MAX_BODY_BYTES } from '#core/body.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import type { Kind } from '#core/ids.ts'
import { idOf } from '#core/input.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#database/page.ts'
import { missingCredentials, WWW_AUTHENTICATE } from '#http/www-authenticate.ts'
import { QUERY_SORT_ORDERS } from './query.ts'
import { errorSchema } from './schema.ts'

interface Operation extends ZodOpenApiOperationObject {
  /**
   * The GraphQL fields that do the same: `Mutation.createCard`, or `Query.node ... on Card` for one card by its id. `npm run generate`
   * makes `docs/operations.md` of it, and fails if a field does not exist.
   */
  'x-graphql': readonly [string, ...string[]]
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Operations by path and method. Paths are relative to the version. */
export type Operations = Record<string, Partial<Record<Method, Operation>>>

/** Requests that platforms receive, by name. */
export type Webhooks = ZodOpenApiPathsObject

/** Components, by name. */
export type Schemas = NonNullable<ZodOpenApiComponentsObject['schemas']>

const requestId = z
  .string()
  .meta({ description: 'Id of the request. Quote it to support.', header: { id: 'X-Request-Id' } })

export const emptyAnswer = (description: string): ZodOpenApiResponseObject => ({
  description,
  headers: z.object({ 'x-request-id': requestId }),
})

export const answer = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  ...emptyAnswer(description),
  content: { 'application/json': { schema } },
})

/** Server-sent events. */
export const streamAnswer = (description: string): ZodOpenApiResponseObject => ({
  ...emptyAnswer(description),
  content: { 'text/event-stream': { schema: z.string() } },
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

const TIMED_OUT = 'The request timed out. A change may still have been made.'

/** Error responses by status, each with an example. */
const FAILURES = {
  400: failure(
    'BadRequest',
    'The request is malformed or invalid.',
    invalidInput('amount', 'amount must be from 1 to 9000000000000000', { minimum: 1, maximum: 9e15 }),
  ),
  401: failure('Unauthorized', 'The API credentials or the proof are missing or wrong.', missingCredentials(), {
    'www-authenticate': z
      .string()
      .optional()
      .describe(`\`${WWW_AUTHENTICATE}\`. Omitted for requests from browser pages.`),
  }),
  403: failure(
    'Forbidden',
    'The caller may not do this.',
    new ApiError('FORBIDDEN', 'The API token lacks the permission TRANSACT'),
  ),
  404: failure(
    'NotFound',
    'The resource does not exist or belongs to another platform.',
    new ApiError('REFERENCE_NOT_FOUND', 'There is no such account'),
  ),
  409: failure(
    'Conflict',
    'The resource’s current state does not allow the operation.',
    new ApiError('CONFLICT', 'The quote has expired', { reason: 'QUOTE_EXPIRED' }),
  ),
  410: failure('Gone', 'The customer is deleted.', new ApiError('CUSTOMER_DELETED', 'The customer is deleted')),
  412: failure(
    'PreconditionFailed',
    'The counterparty speaks another version of the UMA protocol.',
    new ApiError('UNSUPPORTED_UMA_VERSION', 'The UMA provider answered in another version of the protocol'),
  ),
  413: failure(
    'PayloadTooLarge',
    'The body is too large.',
    new ApiError('PAYLOAD_TOO_LARGE', `The body must be at most ${MAX_BODY_BYTES} bytes`),
  ),
  415: failure(
    'UnsupportedMediaType',
    'The body is not `application/json`.',
    new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json'),
  ),
  423: failure(
    'Locked',
    'The customer is locked after too many failures.',
    new ApiError('ACCOUNT_LOCKED', 'The customer is locked after too many failures', {
      reason: 'SCA_LOCKED',
      suspended: false,
      lockedUntil: '2026-01-01T00:15:00.000Z',
      failedAttempts: 5,
    }),
  ),
  424: failure(
    'FailedDependency',
    'The counterparty gave no usable answer.',
    new ApiError('LNURLP_REQUEST_FAILED', 'The UMA provider did not answer the look-up'),
  ),
  429: failure(
    'TooManyRequests',
    'Too many requests.',
    new ApiError('RATE_LIMITED', 'Too many concurrent requests', { retryAfterSeconds: 1 }),
    {
      'retry-after': z.int().min(1).describe('Seconds to wait.'),
    },
  ),
  500: failure(
    'InternalError',
    'Internal error.',
    new ApiError('INTERNAL_ERROR', 'Internal error. Quote the x-request-id to support.'),
  ),
  501: failure(
    'NotImplemented',
    'Not implemented.',
    new ApiError('NOT_IMPLEMENTED', 'Real-time funding is not available in production yet'),
  ),
  503: failure(
    'Unavailable',
    'The service is temporarily unavailable.',
    new ApiError('SERVICE_UNAVAILABLE', 'Too many changes at once. Try again.'),
  ),
  504: failure('Timeout', TIMED_OUT, new ApiError('GATEWAY_TIMEOUT', TIMED_OUT)),
} as const

type Failures = Partial<Record<keyof typeof FAILURES, ZodOpenApiResponseObject>>

/** The failures that every operation can return, and those that are specific to one. */
export const failures = (...own: readonly (404 | 409 | 410 | 412 | 423 | 424 | 501)[]): Failures => {
  const statuses = [400, 401, 403, ...own, 413, 415, 429, 500, 503, 504] as const
  return Object.fromEntries(statuses.map((status) => [status, FAILURES[status]]))
}

/** A JSON request body. The example must run against the demo data as it is. */
export const body = <S extends z.ZodType>(schema: S, example: z.input<S>, required = true) => ({
  description: schema.description ?? '',
  required,
  content: { 'application/json': { schema, example } },
})

/** The path parameter of this name, an id of one of these kinds. */
export const pathId = <const N extends string>(name: N, ...kinds: readonly Kind[]) =>
  z.object({ [name]: idOf(...kinds) } as Record<N, ReturnType<typeof idOf>>)

export const pageQuery = z.object({
  limit: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE).describe('Number of items per page.'),
  cursor: z.string().optional().describe('`nextCursor` of the previous page. Filters and order must be the same.'),
  sortOrder: z.enum(QUERY_SORT_ORDERS).default('desc').meta({
    id: 'SortOrder',
    description: 'Order by `createdAt`, then `id`. Events are ordered by their position in the stream.',
  }),
})

type Nullish = z.ZodOptional<z.ZodNullable<z.ZodType>>

/** The named conditions of a filter as query parameters, which cannot be null. */
export const conditionQuery = <S extends z.ZodRawShape>(filter: z.ZodObject<S>, names: readonly (keyof S & string)[]) =>
  z.object(
    Object.fromEntries(
      names.map((name) => {
        const condition = filter.shape[name] as unknown as Nullish | z.ZodPipe<Nullish>
        const given = condition instanceof z.ZodPipe ? condition.in : condition
        return [name, given.unwrap().unwrap().optional().describe(String(condition.description))]
      }),
    ),
  )

/** The query parameters of a list in pages. */
export const filterQuery = <S extends z.ZodRawShape>(filter: z.ZodObject<S>, names: readonly (keyof S & string)[]) =>
  pageQuery.extend(conditionQuery(filter, names).shape)

export const signatureHeader = z.object({
  'Service-Wallet-Signature': z
    .string()
    .optional()
    .describe('The stamp over `payloadToSign`: `{ publicKey, scheme, signature }` as JSON in base64url.'),
})

/** The two headers of a signed retry. */
export const retryHeaders = signatureHeader.extend({
  'Request-Id': z.string().optional().describe('`requestId` of the challenge. An empty value counts as absent.'),
})
