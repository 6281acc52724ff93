// Why something did not work, in the form in which screens show it.
import type { CombinedError } from 'urql'
import type { ProblemFragment } from '../gql/graphql.ts'

export interface Failure {
  /** The member of the payload, the code of the error, or `NETWORK`. */
  readonly kind: string
  readonly message: string
  readonly reason?: string | undefined
  /** The input field that is wrong, by its path. */
  readonly field?: string | undefined
  readonly fields?: Readonly<Record<string, string>> | undefined
  readonly traceId?: string | undefined
  /** False if the answer to a change was lost, so that it may have happened. */
  readonly isCertain: boolean
}

type Problem = { readonly __typename?: string } & Omit<ProblemFragment, '__typename'>

export const failureOfProblem = (problem: Problem): Failure => ({
  kind: problem.__typename ?? problem.code,
  message: problem.message,
  reason: problem.details?.reason ?? undefined,
  field: problem.details?.field ?? undefined,
  fields: Object.fromEntries(problem.details?.errors.map(({ field, message }) => [field, message]) ?? []),
  traceId: problem.traceId,
  isCertain: true,
})

interface Extensions {
  readonly status?: number
  readonly code?: string
  readonly traceId?: string
  readonly details?: { readonly reason?: string; readonly field?: string }
}

type FieldError = Pick<CombinedError['graphQLErrors'][number], 'message' | 'extensions'> & {
  readonly path?: readonly (string | number)[] | undefined
}

/** The error for a 401 from the server that delivers the page. */
export const LOGIN_ENDED = {
  message: 'The login has ended. Load the page again.',
  extensions: { code: 'UNAUTHORIZED', status: 401 },
}

export const failureOfError = (error: CombinedError | undefined): Failure => {
  const [first] = error?.graphQLErrors ?? []
  // That server answers without a GraphQL error.
  if (!first && error?.response?.status === 401) return failureOfField(LOGIN_ENDED)
  return first ? failureOfField(first) : { kind: 'NETWORK', message: 'The gateway did not answer.', isCertain: true }
}

/** Why one field of an answer failed. */
export const failureOfField = ({ message, extensions }: FieldError): Failure => {
  const { code, traceId, details } = extensions as Extensions
  return {
    kind: code ?? 'ERROR',
    message,
    reason: details?.reason,
    field: details?.field,
    traceId,
    isCertain: true,
  }
}

/** Why a change has no payload. It may have happened unless the gateway has refused it. */
export const failureOfChange = (error: CombinedError | undefined): Failure => {
  const errors = error?.graphQLErrors ?? []
  return { ...failureOfError(error), isCertain: errors.length > 0 && errors.every(isRefusal) }
}

/** Errors below the payload, and an answer that is too long, come after the change was made. */
const isRefusal = ({ path = [], extensions }: FieldError): boolean => {
  const { status = 500, code } = extensions as Extensions
  return status < 500 && code !== 'QUERY_TOO_COMPLEX' && path.length < 2
}

export const isRefused = (failure: Failure | undefined) => failure?.kind === 'UNAUTHORIZED'
