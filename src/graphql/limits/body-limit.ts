import { GraphQLError } from 'graphql'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { readText } from '#core/body.ts'
import { ApiError } from '#core/errors.ts'

/** A body that does not say how long it is, is read no further than it may be. The others are refused at the door. */
export const useBodyLimit = (): Plugin => ({
  onRequestParse({ request, requestParser, setRequestParser, fetchAPI }) {
    if (!requestParser || request.method !== 'POST') return
    const hasLength = request.headers.has('content-length')
    setRequestParser(async (asked) => {
      const { url, method, headers, body } = asked
      const bounded = async () => {
        const text = await readText(body && chunksOf(body))
        if (text === '') throw new ApiError('INVALID_REQUEST_FORMAT', 'The body is missing')
        return new fetchAPI.Request(url, { method, headers, body: text })
      }
      try {
        return await requestParser(hasLength ? asked : await bounded())
      } catch (error) {
        throw error instanceof GraphQLError || error instanceof ApiError ? error : malformed()
      }
    })
  },
})

/** Yoga takes JSON with a member `then` for a promise. */
const malformed = () => createGraphQLError('The body is no GraphQL request', { extensions: { http: { status: 400 } } })

/** Without a `return`, because ending Yoga's stream ends the connection before it is answered. */
const chunksOf = (body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => {
  const reader = body.getReader()
  return { [Symbol.asyncIterator]: () => ({ next: () => reader.read() as Promise<IteratorResult<Uint8Array>> }) }
}
