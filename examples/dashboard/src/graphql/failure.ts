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
  readonly code?: string
  readonly traceId?: string
  readonly details?: { readonly reason?: string; readonly field?: string }
}

export const failureOfError = (error: CombinedError): Failure => {
  const [first] = error.graphQLErrors
  return first ? failureOfField(first) : { kind: 'NETWORK', message: 'The gateway did not answer.', isCertain: false }
}

/** Why one field of an answer failed. */
export const failureOfField = ({ message, extensions }: CombinedError['graphQLErrors'][number]): Failure => {
  const { code, traceId, details } = extensions as Extensions
  return {
    kind: code ?? 'ERROR',
    message,
    reason: details?.reason,
    field: details?.field,
    traceId,
    isCertain: code !== 'GATEWAY_TIMEOUT',
  }
}

export const isRefused = (failure: Failure | undefined) => failure?.kind === 'UNAUTHORIZED'
