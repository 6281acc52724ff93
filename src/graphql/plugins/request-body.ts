// Reads the body of a GraphQL request with the same checks as in REST.
import type { Plugin } from 'graphql-yoga'
import { parseBody, readText } from '#core/body.ts'
import { limitOf, tooComplex } from '#graphql/limits/limits.ts'

export const useRequestBody = (): Plugin => ({
  onRequestParse({ request, requestParser, setRequestParser }) {
    if (requestParser && request.method === 'POST') setRequestParser(async (asked) => objectOf(await readText(asked)))
  },
})

/** The object around the variables is one level. */
const objectOf = (text: string) => parseBody(text, limitOf('maxNesting') + 1, () => tooComplex('maxNesting'))
