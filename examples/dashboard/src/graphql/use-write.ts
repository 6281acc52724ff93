// Sends a change. What comes back is a member of the payload, or a failure.
import { useCallback, useState } from 'react'
import { type AnyVariables, useClient } from 'urql'
import type { ApiPermission, TypedDocumentString } from '../gql/graphql.ts'
import { documentOf } from './client.ts'
import { type Failure, failureOfError, failureOfProblem } from './failure.ts'
import { useConnection } from './live.ts'
import { useViewer } from './use-viewer.ts'

type Payload<Data> = NonNullable<Exclude<Data[keyof Data], string | undefined>>
type Success<Data> = Exclude<Payload<Data>, { readonly code: unknown }>
export type Outcome<Data> =
  | { readonly success: Success<Data>; readonly failure?: undefined }
  | { readonly success?: undefined; readonly failure: Failure }

export const useWrite = <Data, Variables extends AnyVariables>(document: TypedDocumentString<Data, Variables>) => {
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()
  const write = useCallback(
    async (variables: Variables): Promise<Outcome<Data>> => {
      setBusy(true)
      setFailure(undefined)
      const { data, error } = await client.mutation(documentOf(document), variables).toPromise()
      setBusy(false)
      const outcome = error || !data ? { failure: failureOf(error) } : outcomeOf<Data>(data)
      setFailure(outcome.failure)
      return outcome
    },
    [client, document],
  )
  return { write, isBusy, failure, forget: useCallback(() => setFailure(undefined), []) }
}

const failureOf = (error: Parameters<typeof failureOfError>[0] | undefined): Failure =>
  error ? failureOfError(error) : { kind: 'NETWORK', message: 'The gateway did not answer.', isCertain: false }

const outcomeOf = <Data>(data: Data): Outcome<Data> => {
  const payload = Object.entries(data as object).find(([name]) => name !== '__typename')?.[1]
  if (!payload) return { failure: { kind: 'NETWORK', message: 'The gateway gave no answer.', isCertain: false } }
  return 'code' in payload && 'traceId' in payload
    ? { failure: failureOfProblem(payload) }
    : { success: payload as Success<Data> }
}

/** Why a change cannot be made now, or undefined if it can. */
export const useWhyNot = (permission: ApiPermission): string | undefined => {
  const { phase } = useConnection()
  const viewer = useViewer()
  if (phase === 'offline' || phase === 'refused') return 'There is no connection to the gateway'
  if (viewer?.permissions && !viewer.permissions.includes(permission))
    return `This token lacks the permission ${permission.toLowerCase()}`
  return undefined
}
