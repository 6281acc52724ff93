// What is refused before either face sees it, by the first line and the headers of a request alone.
import { MAX_BODY_BYTES } from '#core/body.ts'
import { ApiError, type ErrorCode } from '#core/errors.ts'
import { type Arrival, pathOf } from './arrival.ts'
import { crossSite } from './cors.ts'
import { isOverloaded } from './overload.ts'
import type { Face } from './refusal.ts'

interface Refusal {
  readonly error: ApiError
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i

/** The checks in their order, or nothing when all is well. */
export const refusalOf = (face: Face, arrival: Arrival): Refusal | undefined =>
  overloaded(face) ??
  badHost(arrival) ??
  dotSegment(arrival) ??
  crossSite(face, arrival) ??
  otherMethod(face, arrival) ??
  encoded(arrival) ??
  tooLong(arrival) ??
  noBody(face, arrival) ??
  notJson(arrival)

const overloaded = (face: Face): Refusal | undefined =>
  face !== 'probe' && isOverloaded()
    ? {
        ...refuse('SERVICE_UNAVAILABLE', 'The service has too much to do. Try again.'),
        headers: { 'retry-after': '1' },
      }
    : undefined

/** Somebody on the way may have read another one of several hosts (RFC 9112 §3.2). */
const badHost = ({ header, hosts }: Arrival): Refusal | undefined => {
  if (hosts > 1) return refuse('INVALID_INPUT', 'Send one Host header')
  return URL.canParse(`http://${header('host') ?? 'none'}`)
    ? undefined
    : refuse('INVALID_INPUT', 'The host is malformed')
}

const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i

/** URL parsers resolve `..`, so the checks below and the router would decide by different paths (RFC 3986 §5.2.4). */
const dotSegment = ({ target }: Arrival): Refusal | undefined =>
  DOT_SEGMENT.test(pathOf(target)) ? refuse('INVALID_INPUT', 'The path must not have the segments . and ..') : undefined

const otherMethod = (face: Face, { method }: Arrival): Refusal | undefined =>
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
const noBody = (face: Face, arrival: Arrival): Refusal | undefined => {
  const { method, header } = arrival
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
