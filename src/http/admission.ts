// Admission checks on the request line and the headers, before either face sees the request.
import { MAX_BODY_BYTES, refusedType } from '#core/body.ts'
import { ApiError, type ErrorCode } from '#core/errors.ts'
import { crossSite } from './cors.ts'
import type { Face } from './error-answer.ts'
import { HOP_HEADER } from './hop-header.ts'
import { isOverloaded } from './overload.ts'
import { pathOf, type RequestHead } from './request-head.ts'
import type { UploadRoute } from './uploads.ts'

interface Refusal {
  readonly error: ApiError
  readonly headers?: Readonly<Record<string, string>>
}

/** The first check that fails, or undefined if the request is admitted. `upload` is given if the body is a file. */
export const refusalOf = (face: Face, head: RequestHead, upload?: UploadRoute): Refusal | undefined =>
  overloaded(face) ??
  badHost(head) ??
  dotSegment(head) ??
  ownWebhook(head) ??
  crossSite(face, head) ??
  otherMethod(face, head) ??
  encoded(head) ??
  tooLong(head, upload?.maxBytes ?? MAX_BODY_BYTES) ??
  noBody(face, head) ??
  (upload ? notForm(head, upload) : notJson(head))

const overloaded = (face: Face): Refusal | undefined =>
  face !== 'probe' && isOverloaded()
    ? {
        ...refuse('SERVICE_UNAVAILABLE', 'The service is overloaded. Try again.'),
        headers: { 'retry-after': '1' },
      }
    : undefined

/** If there are several hosts, a proxy may have used a different one than this process would (RFC 9112 §3.2). */
const badHost = ({ header, hosts }: RequestHead): Refusal | undefined => {
  if (hosts > 1) return refuse('INVALID_INPUT', 'The request must name exactly one host')
  return URL.canParse(`http://${header('host') ?? 'none'}`)
    ? undefined
    : refuse('INVALID_INPUT', 'The host name of the request is malformed')
}

/** An endpoint that leads back to us would answer webhooks with more of them. */
const ownWebhook = ({ header }: RequestHead): Refusal | undefined =>
  header(HOP_HEADER) ? refuse('FORBIDDEN', 'Webhooks of the service are not accepted here') : undefined

const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i

/** URL parsers resolve `..`, so the checks and the router would see different paths (RFC 3986 §5.2.4). */
const dotSegment = ({ target }: RequestHead): Refusal | undefined =>
  DOT_SEGMENT.test(pathOf(target))
    ? refuse('INVALID_INPUT', 'The path must not contain the segments . or ..')
    : undefined

const otherMethod = (face: Face, { method }: RequestHead): Refusal | undefined =>
  face !== 'graphql' || method === 'GET' || method === 'POST'
    ? undefined
    : { ...refuse('METHOD_NOT_ALLOWED', 'Use GET or POST'), headers: { allow: 'GET, POST' } }

/** Compressed bodies are refused, because a few bytes can decompress into gigabytes. */
const encoded = ({ header }: RequestHead): Refusal | undefined =>
  (header('content-encoding') ?? 'identity') === 'identity'
    ? undefined
    : refuse('UNSUPPORTED_MEDIA_TYPE', 'The body must not be compressed')

/** A body without `content-length` is measured while it is read. */
const tooLong = ({ header }: RequestHead, maxBytes: number): Refusal | undefined =>
  Number(header('content-length') ?? 0) > maxBytes
    ? refuse('PAYLOAD_TOO_LARGE', `The body must be at most ${maxBytes} bytes`)
    : undefined

/** REST operations check for a missing body themselves. */
const noBody = (face: Face, { method, hasBody }: RequestHead): Refusal | undefined =>
  face === 'graphql' && method === 'POST' && !hasBody
    ? refuse('INVALID_REQUEST_FORMAT', 'The body is missing')
    : undefined

/** The type of a request without a body means nothing: browsers and curl send one all the same. */
const notJson = ({ header, hasBody }: RequestHead): Refusal | undefined => {
  const error = hasBody ? refusedType(header('content-type')) : undefined
  return error && { error }
}

const notForm = ({ header, hasBody }: RequestHead, { isForm }: UploadRoute): Refusal | undefined =>
  isForm && hasBody && !/^multipart\/form-data *;/i.test(header('content-type') ?? '')
    ? refuse('UNSUPPORTED_MEDIA_TYPE', 'The content type must be multipart/form-data')
    : undefined

const refuse = (code: ErrorCode, message: string) => ({
  error: new ApiError(code, message),
})
