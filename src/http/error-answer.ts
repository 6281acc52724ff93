// Renders an error in the format of the requested face, for errors that occur before a face runs.
import type { ApiError } from '#core/errors.ts'

/** `docs` covers the public files: the OpenAPI contract, its page, and GraphiQL. */
export type Face = 'graphql' | 'rest' | 'docs' | 'probe'

const GRAPHQL_TYPE = 'application/graphql-response+json'

export const errorAnswer = (face: Face, traceId: string, error: ApiError, accept: string | null | undefined) => {
  const { status, code, message, details } = error
  const body =
    face === 'graphql'
      ? { errors: [{ message, extensions: { status, code, ...(details && { details }), traceId } }] }
      : error.toBody()
  const type = face === 'graphql' && accept?.includes(GRAPHQL_TYPE) ? GRAPHQL_TYPE : 'application/json'
  return { status, headers: { 'content-type': type, 'x-request-id': traceId }, body: JSON.stringify(body) }
}
