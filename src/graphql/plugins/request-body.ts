// Reads a GraphQL request: its body with the same checks as in REST, or the parameters of its URL.
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { parseBody, readText } from '#core/body.ts'
import { invalidInput } from '#core/errors.ts'
import { nestingOf, parseStrictJson } from '#core/json/strict-json.ts'
import { limitOf, tooComplex } from '#graphql/limits/limits.ts'

export const useRequestBody = (): Plugin => ({
  onRequestParse({ request, requestParser, setRequestParser }) {
    if (!requestParser) return
    if (request.method === 'POST') setRequestParser(async (asked) => objectOf(await readText(asked)))
    else setRequestParser(({ url }) => paramsIn(new URL(url).searchParams))
  },
})

/** The object around the variables is one level. */
const objectOf = (text: string) => parseBody(text, limitOf('maxNesting') + 1, () => tooComplex('maxNesting'))

/** An empty parameter counts as absent. */
const paramsIn = (given: URLSearchParams): GraphQLParams => {
  const textOf = (name: string) => given.get(name) || undefined
  return {
    query: textOf('query'),
    operationName: textOf('operationName'),
    variables: jsonOf('variables', textOf('variables')),
    extensions: jsonOf('extensions', textOf('extensions')),
  } as GraphQLParams
}

/** Whether it is an object is checked later. The error does not contain the text, which may hold secrets. */
const jsonOf = (name: string, text: string | undefined) => {
  if (text === undefined) return undefined
  if (nestingOf(text).depth > limitOf('maxNesting')) throw tooComplex('maxNesting')
  const value = parseStrictJson(text)
  if (value === undefined) throw invalidInput(name, `${name} must be JSON that repeats no member of an object`)
  return value
}
