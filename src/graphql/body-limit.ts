import type { Plugin } from 'graphql-yoga'
import { readText } from '#core/body.ts'

/** A body that does not say how long it is, is read no further than it may be. The others are refused at the door. */
export const useBodyLimit = (): Plugin => ({
  onRequestParse({ request, requestParser, setRequestParser, fetchAPI }) {
    if (!requestParser || request.method !== 'POST' || request.headers.has('content-length')) return
    setRequestParser(async ({ url, method, headers, body }) =>
      requestParser(new fetchAPI.Request(url, { method, headers, body: await readText(body && chunksOf(body)) })),
    )
  },
})

/** Without a `return`, because ending Yoga's stream ends the connection before it is answered. */
const chunksOf = (body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => {
  const reader = body.getReader()
  return { [Symbol.asyncIterator]: () => ({ next: () => reader.read() as Promise<IteratorResult<Uint8Array>> }) }
}
