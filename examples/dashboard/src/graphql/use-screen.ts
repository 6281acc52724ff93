// Loads what a screen shows. Cached data shows at once and is refreshed.
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { type AnyVariables, useQuery } from 'urql'
import type { TypedDocumentString } from '../gql/graphql.ts'
import { documentOf } from './client.ts'
import { type Failure, failureOfError } from './failure.ts'
import { onReload, useConnection } from './live.ts'

export interface Loaded<Data> {
  /** Complete data of these variables, or undefined until it is there. */
  readonly data: Data | undefined
  readonly failure: Failure | undefined
  /** The response paths whose fields failed, while the rest was answered. */
  readonly failedPaths: readonly string[]
  readonly isLoading: boolean
  readonly reload: () => void
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
  // Part of the data may be known from other screens, with null in place of everything else. That null would look like an answer.
  const isPartial = result.operation?.context.meta?.cacheOutcome === 'partial' && result.stale
  const failure = isMine && result.error && !result.fetching ? failureOfError(result.error) : undefined
  const reload = useCallback(() => run({ requestPolicy: 'network-only' }), [run])
  const isBroken = failure !== undefined
  useEffect(() => (pause ? undefined : onReload(reload)), [reload, pause])
  useEffect(() => {
    if (phase === 'live' && isBroken) reload()
  }, [phase, isBroken, reload])
  // Loaded data stays if it cannot be loaded again.
  const kept = useRef<{ readonly key: string; readonly data: Data } | undefined>(undefined)
  if (isMine && !isPartial && result.data) kept.current = { key, data: result.data }
  return {
    data: kept.current?.key === key ? kept.current.data : undefined,
    failure,
    failedPaths: isMine ? (result.error?.graphQLErrors.flatMap(({ path }) => String(path?.[0] ?? '')) ?? []) : [],
    isLoading: result.fetching || result.stale || !isMine,
    reload,
  }
}
