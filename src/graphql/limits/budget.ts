// A rate limit per caller, in nodes per minute. It protects this process, so it is kept in memory, where it costs no statement.
// Limits that must hold across processes (codes, proofs, agent policies) are counted in Postgres.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { limitOf } from './limits.ts'

const MINUTE = 60_000

interface Bucket {
  /** The nodes left at the time `at` of the monotonic clock. The bucket refills at a constant rate. */
  left: number
  at: number
}

/** One bucket for each API token and agent that was active in the last minute. */
const buckets = new Map<string, Bucket>()

const keyOf = (caller: Caller) => (caller.scheme === 'PLATFORM' ? caller.tokenId : caller.agentId)

const refilled = ({ left, at }: Bucket): number => {
  const nodesPerMinute = limitOf('nodesPerMinute')
  return Math.min(nodesPerMinute, left + ((performance.now() - at) / MINUTE) * nodesPerMinute)
}

const available = (caller: Caller): number => {
  const bucket = buckets.get(keyOf(caller))
  return bucket ? refilled(bucket) : limitOf('nodesPerMinute')
}

/** The nodes that the caller has left now. */
export const remainingNodes = (caller: Caller): number => Math.floor(available(caller))

/** Deducts nodes. Throws 429 `RATE_LIMITED` with the seconds until enough are available; a refused request costs nothing. */
export const spend = (caller: Caller, nodes: number) => {
  const left = available(caller) - nodes
  if (left < 0) {
    const seconds = (-left / limitOf('nodesPerMinute')) * (MINUTE / 1_000)
    throw new ApiError('RATE_LIMITED', 'Too many nodes per minute', {
      retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    })
  }
  forgetFull()
  buckets.set(keyOf(caller), { left, at: performance.now() })
}

/** Deducts nodes that were not known in advance. The balance may become negative, which delays later requests. */
export const charge = (caller: Caller, nodes: number) => {
  buckets.set(keyOf(caller), { left: available(caller) - nodes, at: performance.now() })
}

let sweptAt = performance.now()

/** Removes the buckets that are full again. */
const forgetFull = () => {
  const now = performance.now()
  if (now - sweptAt < MINUTE) return
  sweptAt = now
  for (const [key, bucket] of buckets) if (refilled(bucket) === limitOf('nodesPerMinute')) buckets.delete(key)
}
