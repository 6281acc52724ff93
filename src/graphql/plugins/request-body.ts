// Reads the body of a GraphQL request with the same checks as in REST.
import type { Plugin } from 'graphql-yoga'
import { parseBody, readText } from '#core/body.ts'

export const useRequestBody = (): Plugin => ({
  onRequestParse({ request, requestParser, setRequestParser }) {
    if (requestParser && request.method === 'POST') setRequestParser(async (asked) => parseBody(await readText(asked)))
  },
})
