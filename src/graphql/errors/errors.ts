// Turns every error into a public GraphQL error with `extensions { status code details traceId }`.
import { type ASTNode, type DocumentNode, type ExecutionResult, type GraphQLError, Kind, print } from 'graphql'
import { validate } from 'graphql/validation/validate.js'
import { createGraphQLError, mapAsyncIterator, type Plugin } from 'graphql-yoga'
import { ApiError, type ErrorDetails, invalidInput } from '#core/errors.ts'
import { logFailure } from '#core/log.ts'
import { outageOf } from '#database/outage.ts'
import { argumentPath } from '#graphql/argument-path.ts'
import { WWW_AUTHENTICATE } from '#http/www-authenticate.ts'

const INTERNAL = new ApiError('INTERNAL_ERROR', 'Internal error. Quote the trace id to support.')

interface RequestOfError {
  readonly traceId: string
  /** Absent if the request has no credentials. */
  readonly caller?: unknown
}

// The most validation errors to report, and the most locations for each.
const MAX_ERRORS = 10
const MAX_PLACES = 10

/** Rewrites the errors of every result, and of every message of a subscription. */
export const useApiErrors = (): Plugin<object, RequestOfError> => ({
  onResultProcess({ result, setResult, serverContext }) {
    if (Array.isArray(result)) return
    if (Symbol.asyncIterator in result) {
      setResult(mapAsyncIterator(result as AsyncIterable<ExecutionResult>, (one) => published(one, serverContext)))
    } else setResult(published(result, serverContext))
  },
  // Adds the name of the argument for an invalid literal in the document, and removes the literal from the message.
  onValidate({ params: { documentAST }, setValidationFn }) {
    setValidationFn((schema, document, rules) => validate(schema, document, rules, { maxErrors: MAX_ERRORS }))
    return ({ valid, result, setResult }) => {
      if (valid) return
      setResult(result.map((error) => (error instanceof Error ? withField(error as GraphQLError, documentAST) : error)))
    }
  },
})

const published = <R extends ExecutionResult>(result: R, request: RequestOfError): R =>
  result.errors ? { ...result, errors: result.errors.map((error) => publish(error, request)) } : result

const publish = (error: GraphQLError, { traceId, caller }: RequestOfError): GraphQLError => {
  const thrown = apiErrorIn(error) ?? outageOf(error.originalError, { traceId })
  const failure = thrown ?? requestErrorOf(error, caller !== undefined)
  if (!failure) logFailure({ traceId }, error.originalError ?? error)
  const { status, code, message, details } = failure ?? INTERNAL
  const http = thrown && error.path === undefined ? httpOf(thrown) : httpOfRequestError(error, status)
  return createGraphQLError(message, {
    ...placesOf(error),
    path: error.path ?? null,
    extensions: { status, code, ...(details && { details: caller ? details : withoutErrors(details) }), traceId, http },
  })
}

/** The HTTP status and headers of an error that fails the whole request. */
const httpOf = ({ status, code, details }: ApiError) => {
  // Clients that send documents by their hash expect 200, and then send the document.
  if (code === 'PERSISTED_QUERY_NOT_FOUND' || code === 'PERSISTED_QUERY_NOT_SUPPORTED') return { status, spec: true }
  const retryAfter = details?.['retryAfterSeconds']
  return {
    status,
    headers: {
      ...(status === 401 && { 'www-authenticate': WWW_AUTHENTICATE }),
      // The unread rest of the body would block the next request on the connection.
      ...(status === 413 && { connection: 'close' }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
  }
}

/**
 * A document that is refused before execution gives HTTP 400, or 200 for clients that accept only `application/json` (`spec`). A fault before
 * execution gives HTTP 500. Errors of fields keep their own HTTP settings.
 */
const httpOfRequestError = (error: GraphQLError, status: number) => {
  const own = error.extensions?.['http']
  if (error.path !== undefined) return own
  // A body that is not valid JSON is not a GraphQL request, so every client gets the status.
  if (error.extensions?.['originalError'] || status === 500) return { status }
  return status === 400 && error.nodes ? { status, spec: true } : own
}

/** The messages in `errors` may contain suggestions too. */
const withoutErrors = ({ errors: _, ...details }: ErrorDetails): ErrorDetails => details

/** Removes suggestions, which would reveal names of the schema to callers without credentials. */
const withoutSuggestion = (message: string) => {
  const start = message.endsWith('?') ? message.lastIndexOf(' Did you mean ') : -1
  return start < 0 ? message : message.slice(0, start)
}

/** A syntax error has a position in the text instead of nodes. */
const placesOf = ({ nodes, source, positions }: GraphQLError) =>
  nodes ? { nodes: nodes.slice(0, MAX_PLACES) } : { source, positions }

const apiErrorIn = (error: unknown): ApiError | undefined => {
  if (error instanceof ApiError) return error
  return error instanceof Error && 'originalError' in error ? apiErrorIn(error.originalError) : undefined
}

/** The error for a request that GraphQL itself rejects, before execution or because of a field's arguments. */
const requestErrorOf = (error: GraphQLError, isKnown: boolean): ApiError | undefined => {
  const isOurs = error.originalError !== undefined && error.originalError.name !== 'GraphQLError'
  const argument = /^Argument "(\w+)" /.exec(error.message)?.[1]
  if ((error.path && !argument) || isOurs || error.extensions?.['unexpected']) return undefined
  if (statusOf(error) === 405) return new ApiError('METHOD_NOT_ALLOWED', 'Use POST for a mutation')
  if (error.extensions?.['code'] === 'OPERATION_RESOLUTION_FAILURE') return unknownOperation()
  const field = error.extensions?.['field'] ?? argument
  const message = isKnown ? error.message : withoutSuggestion(error.message)
  return new ApiError('INVALID_INPUT', message, typeof field === 'string' ? { field } : undefined)
}

/** The name is absent although the document has several operations, or the document has no operation of this name. */
export const unknownOperation = (): ApiError =>
  invalidInput('operationName', 'operationName must name an operation of the document')

/** The HTTP status of an error from Yoga, which is 405 for a mutation over GET. */
const statusOf = ({ extensions }: GraphQLError) => (extensions?.['http'] as { status?: number } | undefined)?.status

const withField = (error: GraphQLError, document: DocumentNode): GraphQLError => {
  const [target] = error.nodes ?? []
  const field = argumentPath(document, (node) => node === target)
  return field === ''
    ? error
    : createGraphQLError(withoutLiteral(error.message, target), {
        ...placesOf(error),
        extensions: { ...error.extensions, field },
      })
}

/** Literals that may be secrets. GraphQL quotes an invalid one. */
const QUOTED: readonly string[] = [Kind.STRING, Kind.INT, Kind.FLOAT, Kind.LIST, Kind.OBJECT]

const withoutLiteral = (message: string, node?: ASTNode): string =>
  node && QUOTED.includes(node.kind)
    ? [': ', ', found '].reduce((text, before) => text.replace(before + print(node), ''), message)
    : message
