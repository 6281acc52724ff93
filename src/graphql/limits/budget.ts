// How much one caller may ask for in a minute. It keeps this process from being used up, so this process counts, in its memory: a
// statement more for each request would cost every caller more than it saves, and what must hold for all processes together
// (codes, proofs, limits of agents) is counted in Postgres where it belongs.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { limitOf } from './limits.ts'

const MINUTE = 60_000

interface Bucket {
  /** What was left `at` this time of the monotonic clock; it fills up at an even pace. */
  left: number
  at: number
}

/** Of each API token and each agent that asked in the last minute. */
const buckets = new Map<string, Bucket>()

const keyOf = (caller: Caller) => (caller.scheme === 'PLATFORM' ? caller.tokenId : caller.agentId)

const available = (caller: Caller): number => {
  const nodesPerMinute = limitOf('nodesPerMinute')
  const bucket = buckets.get(keyOf(caller))
  if (!bucket) return nodesPerMinute
  return Math.min(nodesPerMinute, bucket.left + ((performance.now() - bucket.at) / MINUTE) * nodesPerMinute)
}

/** What the caller could ask for at once. */
export const remainingNodes = (caller: Caller): number => Math.floor(available(caller))

/** 429 `RATE_LIMITED` with the seconds until there is enough. What is refused is not counted. */
export const spend = (caller: Caller, nodes: number) => {
  const left = available(caller) - nodes
  if (left < 0) {
    const seconds = (-left / limitOf('nodesPerMinute')) * (MINUTE / 1_000)
    throw new ApiError('RATE_LIMITED', 'Too many nodes in a minute', {
      retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    })
  }
  forgetFull()
  buckets.set(keyOf(caller), { left, at: performance.now() })
}

/** Takes nodes that were not foreseen. The balance may become negative: later requests then wait until it has filled up. */
export const charge = (caller: Caller, nodes: number) => {
  buckets.set(keyOf(caller), { left: available(caller) - nodes, at: performance.now() })
}

let sweptAt = performance.now()

/** A bucket that nobody took from for a minute is full again. */
const forgetFull = () => {
  const now = performance.now()
  if (now - sweptAt < MINUTE) return
  sweptAt = now
  for (const [key, { at }] of buckets) if (now - at >= MINUTE) buckets.delete(key)
}
