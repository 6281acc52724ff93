// An error that the frame itself answers with, in the words of the face that was asked.
import type { ApiError } from '#core/errors.ts'

/** `docs` is what everybody may read: the contract of REST, its page, and GraphiQL. */
export type Face = 'graphql' | 'rest' | 'docs' | 'probe'

const GRAPHQL_TYPE = 'application/graphql-response+json'

export const answerOf = (face: Face, traceId: string, error: ApiError, accept: string | null | undefined) => {
  const { status, code, message } = error
  const body = face === 'graphql' ? { errors: [{ message, extensions: { status, code, traceId } }] } : error.toBody()
  const type = face === 'graphql' && accept?.includes(GRAPHQL_TYPE) ? GRAPHQL_TYPE : 'application/json'
  return { status, headers: { 'content-type': type, 'x-request-id': traceId }, body: JSON.stringify(body) }
}
