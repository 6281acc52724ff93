// Reads request bodies for both faces: JSON in UTF-8, up to a size limit.

import { isJsonObject, MAX_LISTS_AND_OBJECTS, MAX_MEMBERS, memberProblem, nestingOf } from '#core/json/strict-json.ts'
import { ApiError } from './errors.ts'

export const MAX_BODY_BYTES = 2 ** 18
/** The most items a list in a body may have. */
export const MAX_ITEMS = 1_000

const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i
const OTHER_CHARSET = /^application\/json *; *charset=(?!"?utf-8\b)/i

/** The 415 `UNSUPPORTED_MEDIA_TYPE` for this content type, or undefined for JSON in UTF-8. */
export const refusedType = (contentType: string | null | undefined): ApiError | undefined => {
  if (JSON_TYPE.test(contentType ?? '')) return undefined
  const isJson = OTHER_CHARSET.test(contentType ?? '')
  const message = isJson ? 'The charset of the body must be UTF-8' : 'The content type must be application/json'
  return new ApiError('UNSUPPORTED_MEDIA_TYPE', message)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Body = ReadableStream<Uint8Array> | null

/** Throws 413 `PAYLOAD_TOO_LARGE`, and 400 `INVALID_REQUEST_FORMAT` if the body ends early or is not UTF-8. */
export const readText = async (request: Request): Promise<string> => {
  if (request.method === 'GET' || request.method === 'HEAD') return ''
  const bytes = await (request.headers.has('content-length') ? readWhole(request) : readChunks(request.body))
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ApiError('INVALID_REQUEST_FORMAT', 'The body must be UTF-8')
  }
}

/** Admission has checked the length, and HTTP holds the body to it. Reading it as a stream would cost more than the rest of the request. */
const readWhole = async (request: Request): Promise<ArrayBuffer> => {
  const bytes = await request.arrayBuffer().catch(endedEarly)
  requireSize(bytes.byteLength, MAX_BODY_BYTES)
  return bytes
}

const readChunks = async (body: Body): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of readBytes(body, MAX_BODY_BYTES)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * The bytes of the body as they arrive. Throws 413 `PAYLOAD_TOO_LARGE` as soon as there are more than `maxBytes`, and 400
 * `INVALID_REQUEST_FORMAT` if the body ends early. Unlike the stream's own iterator, leaving the loop does not cancel the stream, which would
 * close the connection before the response is sent.
 */
export async function* readBytes(body: Body, maxBytes = Infinity): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader()
  if (!reader) return
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(endedEarly)
      if (done) return
      size += value.byteLength
      requireSize(size, maxBytes)
      yield value
    }
  } finally {
    reader.releaseLock()
  }
}

/** The client has gone, or its connection broke. */
const endedEarly = (): never => {
  throw new ApiError('INVALID_REQUEST_FORMAT', 'The body ended early')
}

const requireSize = (bytes: number, maxBytes: number) => {
  if (bytes > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', `The body must be at most ${maxBytes} bytes`)
}

/**
 * Throws `tooDeep` if the text nests more than these levels, and 400 `INVALID_REQUEST_FORMAT` unless it is a JSON object. It may hold at
 * most 10,000 lists and objects. No object may have more than 1,000 members, or repeat a member name, because parsers disagree on which
 * member wins.
 */
export const parseBody = (text: string, levels: number, tooDeep: () => ApiError): Record<string, unknown> => {
  const { depth, count } = nestingOf(text)
  if (depth > levels) throw tooDeep()
  if (count > MAX_LISTS_AND_OBJECTS) {
    throw new ApiError('INVALID_REQUEST_FORMAT', `The body has more than ${MAX_LISTS_AND_OBJECTS} lists and objects`)
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ApiError('INVALID_REQUEST_FORMAT', 'The body must be JSON')
  }
  if (!isJsonObject(body)) throw new ApiError('INVALID_REQUEST_FORMAT', 'The body must be a JSON object')
  const problem = memberProblem(text)
  if (problem === undefined) return body
  if (problem === 'TOO_MANY') {
    throw new ApiError('INVALID_REQUEST_FORMAT', `An object in the body has more than ${MAX_MEMBERS} members`)
  }
  const name = JSON.stringify(problem.repeated.slice(0, LONGEST_NAME))
  throw new ApiError('INVALID_REQUEST_FORMAT', `The body has the member ${name} twice in one object`)
}

const LONGEST_NAME = 64
