// GraphQL over HTTP: who calls, what is executed, and GraphiQL for the curious.
import { randomUUID } from 'node:crypto'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { Kind, parse, type SelectionSetNode } from 'graphql'
import { createGraphQLError, createYoga, type Plugin } from 'graphql-yoga'
import type { Caller } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { useApiErrors } from './errors.ts'
import { graphiql } from './graphiql.ts'
import { useJit } from './jit.ts'
import { isPublicMutation } from './mutation.ts'
import { schema } from './schema.ts'

type Authenticate = (headers: Headers) => Promise<Caller | null>

interface RequestContext {
  /** Of the socket, whatever headers say. Null in process. */
  clientAddress: string | null
  traceId: string
  answerHeaders: Headers
  caller?: Caller
}

export const createGraphQLServer = (authenticate: Authenticate) =>
  createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    cors: false,
    multipart: false,
    logging: false,
    maskedErrors: false,
    graphiql,
    renderGraphiQL,
    context: ({ caller, traceId, answerHeaders, clientAddress }) => ({
      caller,
      traceId,
      answerHeaders,
      clientAddress,
      loaders: new Map(),
    }),
    plugins: [useAnswerHeaders(), useCaller(authenticate), useApiErrors(), ...(config.graphqlJit ? [useJit()] : [])],
  })

/** The id of the request, in `x-request-id` and in every error, and the headers that resolvers add. */
const useAnswerHeaders = (): Plugin<object, RequestContext> => ({
  onRequest({ serverContext }) {
    serverContext.traceId = randomUUID()
    serverContext.answerHeaders = new Headers({ 'x-request-id': serverContext.traceId })
  },
  onResponse({ response, serverContext }) {
    // The page of GraphiQL is answered before any request hook.
    serverContext.answerHeaders?.forEach((value, name) => {
      response.headers.set(name, value)
    })
  },
})

/**
 * Bad credentials are refused before anything else is looked at; without any, only what is public is answered. Decided before
 * Yoga parses: it keeps the outcome of a parse for every later caller of the same document.
 */
const useCaller = (authenticate: Authenticate): Plugin<object, RequestContext> => ({
  async onParams({ request, params, context, setResult }) {
    try {
      const caller = await authenticate(request.headers)
      if (caller) (context as RequestContext).caller = caller
      else if (!isPublic(params.query)) throw new ApiError('UNAUTHORIZED', 'API credentials are missing')
    } catch (error) {
      setResult({ errors: [toGraphQLError(error)] })
    }
  },
})

const toGraphQLError = (error: unknown) =>
  createGraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) })

const PUBLIC_FIELDS = ['apiInfo', '__typename']

/** Whether every operation of the document selects nothing at its root but what needs no credentials. */
const isPublic = (query = ''): boolean => {
  try {
    // Fragments are spread below what is public only: at the root there are fields alone.
    const operations = parse(query).definitions.filter(({ kind }) => kind !== Kind.FRAGMENT_DEFINITION)
    return (
      operations.length > 0 &&
      operations.every(
        (definition) => definition.kind === Kind.OPERATION_DEFINITION && isPublicSelection(definition.selectionSet),
      )
    )
  } catch {
    return false
  }
}

const isPublicSelection = ({ selections }: SelectionSetNode): boolean =>
  selections.every(
    (selection) =>
      selection.kind === Kind.FIELD &&
      (PUBLIC_FIELDS.includes(selection.name.value) || isPublicMutation(selection.name.value)),
  )
