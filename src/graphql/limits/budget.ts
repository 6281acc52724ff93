// A rate limit per caller, in nodes per minute. Each process counts in memory, so a request costs no statement. After every
// hundredth of the limit, it reports what the caller has spent, and learns from the reply what the caller has spent at other processes.
// Limits that must hold exactly (codes, proofs, agent policies) are counted in Postgres.
import { type Caller, callerId } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { logFailure } from '#core/log.ts'
import { isOutage } from '#database/outage.ts'
import { reportSpent } from '#database/spent-nodes.ts'
import { limitOf } from './limits.ts'

const MINUTE = 60_000

/** A fraction of a minute's nodes. Up to ten processes together exceed the limit by less than a tenth. */
const REPORTED_SHARE = 0.01

interface Bucket {
  /** The nodes left at the time `at` of the monotonic clock. The bucket refills at a constant rate. */
  left: number
  at: number
  /** Spent at this process and not reported yet. */
  unreported: number
  isReporting: boolean
}

/** One bucket for each API token and agent that was active in the last minute. */
const buckets = new Map<string, Bucket>()

const refilled = ({ left, at }: Bucket): number => {
  const nodesPerMinute = limitOf('nodesPerMinute')
  return Math.min(nodesPerMinute, left + ((performance.now() - at) / MINUTE) * nodesPerMinute)
}

const available = (caller: Caller): number => {
  const bucket = buckets.get(callerId(caller))
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
  charge(caller, nodes)
}

/** Deducts nodes that were not known in advance. The balance may become negative, which delays later requests. */
export const charge = (caller: Caller, nodes: number) => {
  const bucket = buckets.get(callerId(caller)) ?? newBucket(caller)
  deduct(bucket, nodes)
  bucket.unreported += nodes
  if (!bucket.isReporting && bucket.unreported >= REPORTED_SHARE * limitOf('nodesPerMinute'))
    void report(caller, bucket)
}

const newBucket = (caller: Caller): Bucket => {
  const bucket = { left: limitOf('nodesPerMinute'), at: performance.now(), unreported: 0, isReporting: false }
  buckets.set(callerId(caller), bucket)
  return bucket
}

const deduct = (bucket: Bucket, nodes: number) => {
  bucket.left = refilled(bucket) - nodes
  bucket.at = performance.now()
}

/** Without an answer the limit holds for this process alone, because a slow database must not refuse every caller. */
const report = async (caller: Caller, bucket: Bucket) => {
  const { unreported } = bucket
  const left = refilled(bucket)
  bucket.unreported = 0
  bucket.isReporting = true
  try {
    const leftOfAll = await reportSpent(caller, unreported, limitOf('nodesPerMinute'))
    // Deducts what others spent. What this process spent meanwhile is already deducted.
    if (leftOfAll < left) deduct(bucket, left - leftOfAll)
  } catch (error) {
    bucket.unreported += unreported
    if (!isOutage(error)) logFailure({ task: 'reportSpent' }, error)
  } finally {
    bucket.isReporting = false
  }
}

let sweptAt = performance.now()

/** Removes the buckets that are full again. */
const forgetFull = () => {
  const now = performance.now()
  if (now - sweptAt < MINUTE) return
  sweptAt = now
  for (const [key, bucket] of buckets) if (refilled(bucket) === limitOf('nodesPerMinute')) buckets.delete(key)
}
