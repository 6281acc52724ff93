// Reads the body of a GraphQL request with the same checks as in REST.
import type { Plugin } from 'graphql-yoga'
import { parseBody, readText } from '#core/body.ts'
import { ApiError } from '#core/errors.ts'

export const useRequestBody = (): Plugin => ({
  onRequestParse({ request, requestParser, setRequestParser }) {
    if (requestParser && request.method === 'POST') setRequestParser(async (asked) => parseBody(await textOf(asked)))
  },
})

/** Limits bodies without `content-length` while they are read. The others were checked at admission. */
const textOf = async (request: Request): Promise<string> => {
  const { headers, body } = request
  if (!headers.has('content-length')) return readText(body && chunksOf(body))
  const bytes = await request.arrayBuffer().catch(() => {
    throw new ApiError('INVALID_REQUEST_FORMAT', 'The body ended early')
  })
  return readText([new Uint8Array(bytes)])
}

/** The iterator has no `return` method: cancelling Yoga's stream would close the connection before the response is sent. */
const chunksOf = (body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => {
  const reader = body.getReader()
  return { [Symbol.asyncIterator]: () => ({ next: () => reader.read() as Promise<IteratorResult<Uint8Array>> }) }
}
