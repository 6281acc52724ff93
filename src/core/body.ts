// The text of a request's body, as long as it may be.
import { ApiError } from './errors.ts'

export const MAX_BODY_BYTES = 2 ** 18
/** Of a list in a body. */
export const MAX_ITEMS = 1_000

/** 413 `PAYLOAD_TOO_LARGE` as soon as it is too long, 400 `INVALID_REQUEST_FORMAT` when it is no UTF-8. */
export const readText = async (body: AsyncIterable<Uint8Array> | null): Promise<string> => {
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
