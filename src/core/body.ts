// Reads request bodies for both faces: JSON in UTF-8, up to a size limit.

import { isJsonObject, MAX_MEMBERS, memberProblem } from '#core/json/strict-json.ts'
import { ApiError } from './errors.ts'

export const MAX_BODY_BYTES = 2 ** 18
/** The most items a list in a body may have. */
export const MAX_ITEMS = 1_000

const JSON_TYPE = /^application\/json *(; *charset="?utf-8"? *)?$/i

export const isJsonType = (contentType: string | null | undefined): boolean => JSON_TYPE.test(contentType ?? '')

/** Throws 413 `PAYLOAD_TOO_LARGE` as soon as the limit is passed, and 400 `INVALID_REQUEST_FORMAT` if the body is not UTF-8. */
export const readText = async (body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  // Throwing inside the loop cancels the stream, so the rest of an oversized body is not read.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BODY_BYTES) {
      throw new ApiError('PAYLOAD_TOO_LARGE', `The body must be at most ${MAX_BODY_BYTES} bytes`)
    }
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new ApiError('INVALID_REQUEST_FORMAT', 'The body must be UTF-8')
  }
}

/**
 * Throws 400 `INVALID_REQUEST_FORMAT` unless the text is a JSON object. No object in it may have more than 1,000 members, or repeat a
 * member name, because parsers disagree on which member wins.
 */
export const parseBody = (text: string): Record<string, unknown> => {
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
