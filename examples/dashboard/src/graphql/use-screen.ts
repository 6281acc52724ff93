// Loads what a screen shows. Cached data shows at once and is refreshed.
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { type AnyVariables, type CombinedError, useQuery } from 'urql'
import type { TypedDocumentString } from '../gql/graphql.ts'
import { documentOf } from './client.ts'
import { type Failure, failureOfError } from './failure.ts'
import { onReload, useConnection } from './live.ts'
import { complete, type Partial } from './partial.ts'

export interface Loaded<Data> {
  /** Complete data of these variables, or undefined until it is there. */
  readonly data: Data | undefined
  readonly failure: Failure | undefined
  /** Why this field of the answer is not known, for example `transaction.ledgerMovements`; undefined if it is, or is still loading. */
  readonly failureAt: (path: string) => Failure | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

interface Kept<Data> extends Partial<Data> {
  readonly key: string
  readonly answer: Data
  readonly error: CombinedError | undefined
}

export const useScreen = <Data, Variables extends AnyVariables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  { pause = false } = {},
): Loaded<Data> => {
  const query = useMemo(() => documentOf(document), [document])
  const [result, run] = useQuery({ query, variables, pause })
  const { phase } = useConnection()
  // A result may still belong to the previous variables.
  const key = JSON.stringify(variables)
  const isMine = JSON.stringify(result.operation?.variables) === key
  // The cache may know only a part, with null in place of everything else, also of fields that failed. That null would look like an answer.
  const isPartial = result.operation?.context.meta?.cacheOutcome === 'partial'
  const failure = isMine && result.error && !result.fetching ? failureOfError(result.error) : undefined
  const reload = useCallback(() => run({ requestPolicy: 'network-only' }), [run])
  // A ref, because a field that keeps failing must not be requested again and again.
  const isBroken = useRef(false)
  isBroken.current = failure !== undefined
  useEffect(() => (pause ? undefined : onReload(reload)), [reload, pause])
  useEffect(() => {
    if (phase === 'live' && isBroken.current) reload()
  }, [phase, reload])
  // Loaded data stays if it cannot be loaded again, as a whole or in a part.
  const kept = useRef<Kept<Data> | undefined>(undefined)
  const { data: answer, error } = result
  const isNew = kept.current?.answer !== answer || kept.current?.error !== error
  // While it is loaded again, the previous answer comes without its errors.
  if (isMine && !isPartial && !result.fetching && answer && isNew) {
    const before = kept.current?.key === key ? kept.current.data : undefined
    kept.current = { key, answer, error, ...complete(answer, error, before) }
  }
  const shown = kept.current?.key === key ? kept.current : undefined
  return {
    data: shown?.data,
    failure,
    failureAt: (path) => {
      const lost = shown ? shown.lost.get(path) : failure
      // Nothing has a malformed id, which is no failure to load it.
      return lost?.kind === 'INVALID_INPUT' && /(^|\.)id$/.test(lost.field ?? '') ? undefined : lost
    },
    isLoading: result.fetching || result.stale || !isMine,
    reload,
  }
}
