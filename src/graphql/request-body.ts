// The body of a GraphQL request, read and checked as that of a REST request.
import type { Plugin } from 'graphql-yoga'
import { parseBody, readText } from '#core/body.ts'
import { ApiError } from '#core/errors.ts'

export const useRequestBody = (): Plugin => ({
  onRequestParse({ request, requestParser, setRequestParser }) {
    if (requestParser && request.method === 'POST') setRequestParser(async (asked) => parseBody(await textOf(asked)))
  },
})

/** A body that says how long it is was refused at the door if it is too long. The others are read no further than they may be. */
const textOf = async (request: Request): Promise<string> => {
  const { headers, body } = request
  if (!headers.has('content-length')) return readText(body && chunksOf(body))
  const bytes = await request.arrayBuffer().catch(() => {
    throw new ApiError('INVALID_REQUEST_FORMAT', 'The body ended early')
  })
  return readText([new Uint8Array(bytes)])
}

/** Without a `return`, because ending Yoga's stream ends the connection before it is answered. */
const chunksOf = (body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => {
  const reader = body.getReader()
  return { [Symbol.asyncIterator]: () => ({ next: () => reader.read() as Promise<IteratorResult<Uint8Array>> }) }
}
