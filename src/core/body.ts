// The body of a request on both faces: UTF-8 of bounded length that is JSON.
import { ApiError } from './errors.ts'
import { isJsonObject, repeatedMember } from './strict-json.ts'

export const MAX_BODY_BYTES = 2 ** 18
/** Of a list in a body. */
export const MAX_ITEMS = 1_000

/** 413 `PAYLOAD_TOO_LARGE` as soon as it is too long, 400 `INVALID_REQUEST_FORMAT` when it is no UTF-8. */
export const readText = async (body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null): Promise<string> => {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop cancels the stream: what is too long is not read to its end.
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

/** 400 `INVALID_REQUEST_FORMAT` unless it is one JSON object. Parsers differ on which of two members with one name counts, so it may have none. */
export const parseBody = (text: string): Record<string, unknown> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new ApiError('INVALID_REQUEST_FORMAT', 'The body must be JSON')
  }
  if (!isJsonObject(body)) throw new ApiError('INVALID_REQUEST_FORMAT', 'The body must be a JSON object')
  const repeated = repeatedMember(text)
  if (repeated !== undefined) {
    const name = JSON.stringify(repeated.slice(0, LONGEST_NAME))
    throw new ApiError('INVALID_REQUEST_FORMAT', `The body has the member ${name} twice in one object`)
  }
  return body
}

const LONGEST_NAME = 64
