// What is refused before either face sees it, by the first line and the headers of a request alone.
import { MAX_BODY_BYTES } from '#core/body.ts'
import { config } from '#core/config.ts'
import { ApiError, type ErrorCode } from '#core/errors.ts'
import { isOverloaded } from './overload.ts'
import type { Face } from './refusal.ts'

export interface Arrival {
  readonly face: Face
  readonly method: string
  /** The value of a header, none when it is absent. */
  readonly header: (name: string) => string | null | undefined
}

interface Refusal {
  readonly error: ApiError
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i

/** The checks in their order, or nothing when all is well. */
export const refusalOf = (arrival: Arrival): Refusal | undefined =>
  overloaded(arrival) ??
  noHost(arrival) ??
  crossSite(arrival) ??
  otherMethod(arrival) ??
  encoded(arrival) ??
  tooLong(arrival) ??
  noBody(arrival) ??
  notJson(arrival)

const overloaded = ({ face }: Arrival): Refusal | undefined =>
  face !== 'probe' && isOverloaded()
    ? {
        ...refuse('SERVICE_UNAVAILABLE', 'The service has too much to do. Try again.'),
        headers: { 'retry-after': '1' },
      }
    : undefined

const noHost = ({ header }: Arrival): Refusal | undefined =>
  URL.canParse(`http://${header('host') ?? 'none'}`) ? undefined : refuse('INVALID_INPUT', 'The host is malformed')

/** Browsers send cached Basic credentials along from any page: only listed pages, and our own, may call. */
const crossSite = ({ face, header }: Arrival): Refusal | undefined => {
  if (face === 'docs') return undefined
  const origin = header('origin') ?? null
  const isForeign =
    origin === null
      ? header('sec-fetch-site') === 'cross-site'
      : !config.corsOrigins.includes(origin) && !isOwn(origin, header('host'))
  return isForeign ? refuse('FORBIDDEN', 'Pages of this origin may not call') : undefined
}

/** By host and port alone: what ends TLS in front of the gateway changes the scheme. */
const isOwn = (origin: string, host: string | null | undefined) =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()

const otherMethod = ({ face, method }: Arrival): Refusal | undefined =>
  face !== 'graphql' || method === 'GET' || method === 'POST'
    ? undefined
    : { ...refuse('METHOD_NOT_ALLOWED', 'Use GET or POST'), headers: { allow: 'GET, POST' } }

/** A few bytes can unpack into gigabytes. */
const encoded = ({ header }: Arrival): Refusal | undefined =>
  (header('content-encoding') ?? 'identity') === 'identity'
    ? undefined
    : refuse('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed')

/** One without a length is counted as it is read. */
const tooLong = ({ header }: Arrival): Refusal | undefined =>
  Number(header('content-length') ?? 0) > MAX_BODY_BYTES
    ? refuse('PAYLOAD_TOO_LARGE', `The body must be at most ${MAX_BODY_BYTES} bytes`)
    : undefined

const hasBody = ({ header }: Arrival) =>
  Number(header('content-length') ?? 0) > 0 || Boolean(header('transfer-encoding'))

/** In process a body has no length, but a type. Which operations of REST need one is for them to say. */
const noBody = (arrival: Arrival): Refusal | undefined => {
  const { face, method, header } = arrival
  const isEmpty = header('content-length') === '0' || !(hasBody(arrival) || header('content-type'))
  return face === 'graphql' && method === 'POST' && isEmpty
    ? refuse('INVALID_REQUEST_FORMAT', 'The body is missing')
    : undefined
}

const notJson = (arrival: Arrival): Refusal | undefined => {
  const type = arrival.header('content-type')
  return (type || hasBody(arrival)) && !JSON_TYPE.test(type ?? '')
    ? refuse('UNSUPPORTED_MEDIA_TYPE', 'The content type must be application/json')
    : undefined
}

const refuse = (code: ErrorCode, message: string) => ({
  error: new ApiError(code, message),
})
