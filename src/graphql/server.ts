// The GraphQL face: authenticates callers and executes operations over HTTP.
import type { IncomingMessage } from 'node:http'
import { type GraphQLSchema, Kind, parse, type SelectionSetNode } from 'graphql'
import { createGraphQLError, createYoga, type Plugin, processRegularResult } from 'graphql-yoga'
import type { Caller } from '#core/caller.ts'
import { config } from '#core/config.ts'
import type { RequestContext } from '#core/request-context.ts'
import { hasReplicas } from '#database/replicas/reading.ts'
import { usePlans } from '#graphql/compiled/execution.ts'
import { useApiErrors } from '#graphql/errors/errors.ts'
import { useAnswerLimit } from '#graphql/limits/answer-limit.ts'
import { createDocumentCache } from '#graphql/limits/document-cache.ts'
import { useDocumentLimits } from '#graphql/limits/document-limits.ts'
import { useIntrospectionAnswers } from '#graphql/limits/introspection-answers.ts'
import { useLoopTime } from '#graphql/limits/loop-time.ts'
import { useQueryCost } from '#graphql/limits/query-cost.ts'
import { trustDashboard, trustDocuments, useTrustedDocuments } from '#graphql/limits/trusted-documents.ts'
import { useVariables } from '#graphql/limits/variables.ts'
import { STREAM_HEADERS } from '#http/event-stream.ts'
import { IDLE_MS } from '#http/exchange.ts'
import { acquireSlot } from '#http/platform-queue.ts'
import { missingCredentials } from '#http/www-authenticate.ts'
import { isPublicMutation } from './mutation.ts'
import { useOperationName } from './plugins/operation-name.ts'
import { useReplicas } from './plugins/replicas.ts'
import { useRequestBody } from './plugins/request-body.ts'
import { useSubscriptions } from './subscriptions.ts'

type Authenticate = (headers: Headers) => Promise<Caller | null>

interface ServerContext {
  /** Finds the client address for limits, with `clientAddressOf`. Null for requests in process. */
  clientAddress: () => string | null
  requestContext: RequestContext
  traceId: string
  answerHeaders: Map<string, string>
  caller?: Caller
  /** Absent in process. */
  req?: IncomingMessage
}

export const createGraphQLServer = (schema: GraphQLSchema, authenticate: Authenticate) => {
  const documents = createDocumentCache()
  if (config.trustedDocuments !== null) trustDocuments(config.trustedDocuments)
  if (config.dashboard.directory !== null) trustDashboard(config.dashboard.directory)
  return createYoga<ServerContext>({
    schema,
    parserAndValidationCache: { documentCache: documents, errorCache: NO_CACHE },
    graphqlEndpoint: '/graphql',
    landingPage: false,
    cors: false,
    multipart: false,
    // `useRequestBody` limits the size.
    maxRequestBodySize: false,
    logging: false,
    maskedErrors: false,
    graphiql: false,
    context: ({ caller, traceId, answerHeaders, clientAddress }) => ({
      caller,
      traceId,
      answerHeaders,
      clientAddress,
      loaders: new Map(),
    }),
    plugins: [
      useAnswerHeaders(),
      useJsonForOthers(),
      useRequestBody(),
      useTrustedDocuments({ only: config.trustedDocumentsOnly }),
      useDocumentLimits(documents),
      useCaller(authenticate),
      useSubscriptions(),
      useApiErrors(),
      useQueryCost(),
      useOperationName(),
      useVariables(),
      usePlans(),
      ...(hasReplicas ? [useReplicas()] : []),
      useLoopTime(),
      useIntrospectionAnswers(),
      useAnswerLimit(),
    ],
  })
}

/** Syntax errors are not cached. */
const NO_CACHE = { get: () => undefined, set: () => {} }

/** Sets the trace id, sends it as `x-request-id`, and sends the headers that resolvers add. */
const useAnswerHeaders = (): Plugin<object, ServerContext> => ({
  onRequest({ serverContext }) {
    serverContext.traceId = serverContext.requestContext.traceId
    serverContext.answerHeaders = new Map([['x-request-id', serverContext.traceId]])
  },
  onResponse({ request, response, serverContext }) {
    // Sending may take as long as the client likes, and never ends if it disconnects.
    serverContext.requestContext.releaseSlot?.()
    for (const [name, value] of serverContext.answerHeaders) response.headers.set(name, value)
    if (response.headers.get('content-type') === 'text/event-stream') {
      for (const [name, value] of Object.entries(STREAM_HEADERS)) response.headers.set(name, value)
      // Yoga switches the timeout off. A client that does not read the messages sent every few seconds is gone.
      setImmediate(() => serverContext.req?.socket.setTimeout(IDLE_MS))
    }
    // With this header a browser would prompt its user for credentials on behalf of any page.
    if (request.headers.has('origin')) response.headers.delete('www-authenticate')
  },
})

/**
 * A client that accepts none of the media types gets JSON, as in REST. Yoga would answer 406 without a body after it has executed the
 * operation, so that the outcome of a mutation was lost.
 */
const useJsonForOthers = (): Plugin => ({
  onResultProcess({ result, resultProcessor, setResultProcessor }) {
    if (!resultProcessor && !(Symbol.asyncIterator in result)) {
      setResultProcessor(processRegularResult, 'application/json')
    }
  },
})

/**
 * Authenticates the caller. Without credentials only public fields are allowed. This runs before Yoga parses the document, because
 * Yoga caches the outcome of parsing for later callers.
 */
const useCaller = (authenticate: Authenticate): Plugin<object, ServerContext> => ({
  async onParams({ request, params, context, setResult }) {
    try {
      const caller = await authenticate(request.headers)
      if (caller) {
        const serverContext = context as ServerContext
        serverContext.caller = caller
        serverContext.requestContext.platformId = caller.platformId
        await acquireSlot(serverContext.requestContext, caller.platformId)
      } else if (!isPublic(params.query)) throw missingCredentials()
    } catch (error) {
      setResult({ errors: [toGraphQLError(error)] })
    }
  },
})

const toGraphQLError = (error: unknown) =>
  createGraphQLError('', { originalError: error instanceof Error ? error : new Error(String(error)) })

const PUBLIC_FIELDS = ['apiInfo', '__typename']

/** Whether every operation of the document selects only public fields at its root. */
const isPublic = (query = ''): boolean => {
  try {
    // Fragments are allowed only below the root: a root selection that is not a field is not public.
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
