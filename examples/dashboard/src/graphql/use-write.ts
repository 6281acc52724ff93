// Sends a change. What comes back is a member of the payload, or a failure.
import { useCallback, useState } from 'react'
import { type AnyVariables, useClient } from 'urql'
import type { ApiPermission, TypedDocumentString } from '../gql/graphql.ts'
import { say } from '../shell/toasts.tsx'
import { documentOf } from './client.ts'
import type { Failure } from './failure.ts'
import { useConnection } from './live.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { useViewer } from './use-viewer.ts'

export const useWrite = <Data, Variables extends AnyVariables>(document: TypedDocumentString<Data, Variables>) => {
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | undefined>()
  const write = useCallback(
    async (variables: Variables): Promise<Outcome<Data>> => {
      setBusy(true)
      setFailure(undefined)
      const outcome = outcomeOf(await client.mutation(documentOf(document), variables).toPromise())
      setBusy(false)
      setFailure(outcome.failure)
      return outcome
    },
    [client, document],
  )
  return { write, isBusy, failure, forget: useCallback(() => setFailure(undefined), []) }
}

/** Undoes a change. If that fails, it says so in a toast, because the user may have left the screen of the change. */
export const undoBy = (run: () => Promise<Failure | undefined>) => async () => {
  const failure = await run()
  if (failure) say(`${failure.isCertain ? 'Not undone' : 'Not known whether it was undone'}: ${failure.message}`)
}

/** Why a change that needs one of these permissions cannot be made now, or undefined if it can. */
export const useWhyNot = (...anyOf: ApiPermission[]): string | undefined => {
  const { phase } = useConnection()
  const viewer = useViewer()
  if (phase === 'offline' || phase === 'refused') return 'There is no connection to the gateway'
  if (viewer?.permissions && !anyOf.some((permission) => viewer.permissions?.includes(permission)))
    return `This token lacks the permission ${anyOf.join(' or ').toLowerCase()}`
  return undefined
}
