// How often a credential may be challenged and tried (docs/domain/limits.md#credential-limits). Counted in its row, so that all processes
// share the count and a row's lock makes them take turns.

import { ApiError } from '#core/errors.ts'
import { db, identifier, type Sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { type AuthMethod, Prisma } from '#generated/prisma/client.ts'

interface Limit {
  /** The column with the newest times, the oldest first. */
  readonly times: Sql
  readonly atMost: number
  readonly windowSeconds: number
  /** From so many on without a success, however far apart, the wait for the next one grows. */
  readonly inARow: number | null
  readonly message: string
}

export const CHALLENGES: Limit = {
  times: identifier('challenge_times'),
  atMost: 5,
  windowSeconds: 5 * 60,
  inARow: null,
  message: 'Too many challenges of this credential',
}

/** At most 48 on the first day and 24 on each other: with the codes of six digits of both kinds that a wallet may have, one chance in ten thousand. */
export const FAILED_PROOFS: Limit = {
  times: identifier('failure_times'),
  atMost: 5,
  windowSeconds: 15 * 60,
  inARow: 20,
  message: 'Too many failed proofs of this credential',
}

interface Place {
  readonly platformId: string
  readonly id: string
}

const inWindow = ({ times, windowSeconds }: Limit) =>
  Prisma.sql`array(select at from unnest(${times}) at where at > now() - make_interval(secs => ${windowSeconds}) order by at)`

/** Five minutes more with each that fails, until it is an hour. */
const WAIT_SECONDS = 5 * 60
const LONGEST_WAIT_SECONDS = 60 * 60
/** With so many in a row the wait is the longest there is; one more is kept, which may be given back. */
const REMEMBERED = 31

/** When the next one is let through: when the oldest leaves a full window, and after the wait for the newest. Null when there is neither. */
const opensAt = (limit: Limit) => {
  const { times, atMost, windowSeconds, inARow } = limit
  return Prisma.sql`greatest(
    case when cardinality(${inWindow(limit)}) >= ${atMost} then (${inWindow(limit)})[1] + make_interval(secs => ${windowSeconds}) end,
    case when cardinality(${times}) >= ${inARow}::int then ${times}[cardinality(${times})]
      + make_interval(secs => least(${LONGEST_WAIT_SECONDS}, ${WAIT_SECONDS} * (cardinality(${times}) - ${inARow}::int + 1))) end)`
}

/** Counts one, or refuses with 429 `RATE_LIMITED` and the seconds until it would be let through. A refusal is not counted. */
export const takeOne = async (limit: Limit, { platformId, id }: Place): Promise<void> => {
  const { times } = limit
  const taken = await db.$executeRaw`
    update auth_methods set ${times} = ${times}[greatest(1, cardinality(${times}) + 1 - ${REMEMBERED}):] || now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and coalesce(${opensAt(limit)} <= now(), true)`
  if (taken === 1) return
  const [row] = await db.$queryRaw<Wait[]>`
    select ceil(extract(epoch from ${opensAt(limit)} - now()))::int as seconds
    from auth_methods where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  throw limited(limit.message, row)
}

interface Wait {
  readonly seconds: number
}

const limited = (message: string, wait: Wait | undefined) =>
  new ApiError('RATE_LIMITED', message, { retryAfterSeconds: Math.max(1, wait?.seconds ?? 1) })

const CODES_TO_AN_ADDRESS = 10

/**
 * 429 `RATE_LIMITED` for the eleventh code of the platform to an address in five minutes, twice as many as one credential may have. It
 * is counted before it is sent: as a challenge, or as the registration that brings it about. Those of revoked credentials count too.
 */
export const requireQuietAddress = async ({ platformId, type, nickname }: AuthMethod): Promise<void> => {
  const { windowSeconds } = CHALLENGES
  const [tenBefore] = await db.$queryRaw<Wait[]>`
    select ceil(extract(epoch from at - now()) + ${windowSeconds})::int as seconds
    from auth_methods, unnest(challenge_times || created_at) at
    where platform_id = ${platformId}::uuid and type = ${type}::auth_method_type and lower(nickname) = lower(${nickname})
      and at > now() - make_interval(secs => ${windowSeconds})
    order by at desc offset ${CODES_TO_AN_ADDRESS} limit 1`
  if (tenBefore) throw limited('Too many codes to this address', tenBefore)
}

/** Takes the newest back: what it was taken for did not come about. */
export const giveBack = async ({ times }: Limit, { platformId, id }: Place): Promise<void> => {
  await db.$executeRaw`
    update auth_methods set ${times} = trim_array(${times}, least(1, cardinality(${times})))
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
}

const PENDING_IS_NO_FAILURE = 'OTP_NOT_PENDING'

/**
 * Judges a proof, and counts it: before it is judged, so that no two share the last try. What was no proof is given back; the count of one
 * that holds is cleared together with what it brings about, and stays when that does not come about.
 */
export const countingFailures = async <T>(credential: Place, judge: () => Promise<T>): Promise<T> => {
  await takeOne(FAILED_PROOFS, credential)
  try {
    return await judge()
  } catch (error) {
    const isFailedProof =
      error instanceof ApiError && error.code === 'UNAUTHORIZED' && error.details?.reason !== PENDING_IS_NO_FAILURE
    if (!isFailedProof) await giveBack(FAILED_PROOFS, credential)
    throw error
  }
}

/** A proof that holds clears the count, together with what it brings about. */
export const clearFailures = (tx: Tx, { platformId, id }: Place) =>
  tx.$executeRaw`update auth_methods set failure_times = '{}' where platform_id = ${platformId}::uuid and id = ${id}::uuid`
