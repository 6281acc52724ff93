// Counts, limits and ends the open streams of this process.
import { AsyncResource } from 'node:async_hooks'
import { findAgentsWith } from '#agents/access/access-token.ts'
import { type Caller, callerId } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { logTaskFailure } from '#database/outage.ts'
import { findTokens } from '#platforms/api-token.ts'

/** The maximum numbers of open streams. `streamsPerProcess` covers all platforms together. */
export const STREAM_LIMITS = { streamsPerToken: 20, streamsPerPlatform: 100, streamsPerProcess: 1_000 } as const

const RETRY_AFTER_SECONDS = 10
/** A stream ends after this time. Its client resumes, possibly at another process. */
const LONGEST_MS = 3_600_000

interface OpenStream {
  readonly caller: Caller
  /** Aborted with an `ApiError` as the reason if the client must receive it. */
  readonly signal: AbortSignal
  end(reason?: ApiError): void
}

const streams = new Set<OpenStream>()

/** Throws 429 `RATE_LIMITED` beyond a limit. The stream ends with the request, with the process, or after an hour. */
export const openStream = (caller: Caller, request: AbortSignal): OpenStream => {
  const open = [...streams]
  const counts = {
    streamsPerToken: open.filter((other) => callerId(other.caller) === callerId(caller)).length,
    streamsPerPlatform: open.filter((other) => other.caller.platformId === caller.platformId).length,
    streamsPerProcess: open.length,
  }
  for (const name of Object.keys(counts) as (keyof typeof counts)[])
    if (counts[name] >= STREAM_LIMITS[name]) throw tooMany(name)

  const controller = new AbortController()
  const stream: OpenStream = {
    caller,
    signal: controller.signal,
    end: (reason) => {
      clearTimeout(timer)
      request.removeEventListener('abort', hangUp)
      controller.abort(reason)
      streams.delete(stream)
      if (streams.size === 0) clearInterval(checking)
    },
  }
  const hangUp = () => stream.end()
  const timer = setTimeout(hangUp, LONGEST_MS).unref()
  if (streams.size === 0) startChecking()
  streams.add(stream)
  request.addEventListener('abort', hangUp)
  if (request.aborted) stream.end()
  return stream
}

const tooMany = (limit: keyof typeof STREAM_LIMITS) =>
  new ApiError('RATE_LIMITED', `At most ${STREAM_LIMITS[limit]} streams may be open at a time`, {
    reason: limit.replaceAll(/[A-Z]/g, '_$&').toUpperCase(),
    limit: STREAM_LIMITS[limit],
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/** Ends all streams, so that their clients resume at another process. */
export const endStreams = (): void => {
  for (const stream of streams) stream.end()
}

let checking: NodeJS.Timeout | undefined

/** Outlives the request of the first stream, so it does not run in the context of that request. */
const startChecking = AsyncResource.bind(() => {
  checking = setInterval(() => void endRevoked(), config.streamCheckMs).unref()
})

/** Ends the streams of revoked tokens, of deleted agents and of agents that have lost VIEW_TRANSACTIONS. */
const endRevoked = async () => {
  const callers = [...streams].map(({ caller }) => caller)
  const owners = (scheme: Caller['scheme']) => [
    ...new Set(callers.filter((one) => one.scheme === scheme).map(callerId)),
  ]
  const [tokens, agents] = [owners('PLATFORM'), owners('AGENT')]
  try {
    const valid = await Promise.all([
      tokens.length > 0 ? findTokens(tokens) : undefined,
      agents.length > 0 ? findAgentsWith('VIEW_TRANSACTIONS', agents) : undefined,
    ])
    const checked = new Set([...tokens, ...agents])
    for (const stream of streams) {
      const owner = callerId(stream.caller)
      if (checked.has(owner) && !valid.some((owners) => owners?.has(owner))) stream.end(revoked())
    }
  } catch (error) {
    logTaskFailure('checkStreams', error)
  }
}

const revoked = () => new ApiError('UNAUTHORIZED', 'The API credentials were revoked')
