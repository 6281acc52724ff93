// How often a credential may be challenged and tried (docs/domain/limits.md#credential-limits). The counters are in the
// credential's row, so all processes share them, and the row lock makes concurrent attempts take turns.

import { ApiError } from '#core/errors.ts'
import { db, identifier, type Sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { Prisma } from '#generated/prisma/client.ts'

export interface Limit {
  /** The table whose rows are limited, with the key (platform_id, id). */
  readonly table: Sql
  /** The column with the times of the latest attempts, oldest first. */
  readonly times: Sql
  readonly atMost: number
  readonly windowSeconds: number
  /** After this many attempts since the counter was last cleared, however far apart, the wait before the next one grows. */
  readonly inARow: number | null
  readonly message: string
}

const CREDENTIALS = identifier('auth_methods')

export const CHALLENGES: Limit = {
  table: CREDENTIALS,
  times: identifier('challenge_times'),
  atMost: 5,
  windowSeconds: 5 * 60,
  inARow: null,
  message: 'Too many challenges for this credential',
}

/**
 * At most 48 attempts on the first day and 24 on every other day. Guessing the two six-digit codes that a wallet may have succeeds on the
 * first day with a chance of about 1 in 10,000.
 */
const FAILED_PROOFS: Limit = {
  table: CREDENTIALS,
  times: identifier('failure_times'),
  atMost: 5,
  windowSeconds: 15 * 60,
  inARow: 20,
  message: 'Too many failed attempts with this credential',
}

interface Place {
  readonly platformId: string
  readonly id: string
}

const inWindow = ({ times, windowSeconds }: Limit) =>
  Prisma.sql`array(select at from unnest(${times}) at where at > now() - make_interval(secs => ${windowSeconds}) order by at)`

/** Each further failure adds five minutes, up to an hour. */
const WAIT_SECONDS = 5 * 60
const LONGEST_WAIT_SECONDS = 60 * 60
/** How many attempts are kept when one is added. At 31 the wait has reached its maximum, also after the newest was given back. */
const REMEMBERED = 31

/** When the next attempt is allowed: the oldest has left a full window, and the wait since the newest is over. Null when neither applies. */
const opensAt = (limit: Limit) => {
  const { times, atMost, windowSeconds, inARow } = limit
  return Prisma.sql`greatest(
    case when cardinality(${inWindow(limit)}) >= ${atMost} then (${inWindow(limit)})[1] + make_interval(secs => ${windowSeconds}) end,
    case when cardinality(${times}) >= ${inARow}::int then ${times}[cardinality(${times})]
      + make_interval(secs => least(${LONGEST_WAIT_SECONDS}, ${WAIT_SECONDS} * (cardinality(${times}) - ${inARow}::int + 1))) end)`
}

/**
 * Whether `opensAt` has passed. Also works in an update of a distributed table, where a function that depends on the time cannot be applied
 * to a column.
 */
const isOpen = ({ times, atMost, windowSeconds, inARow }: Limit) =>
  Prisma.sql`cardinality(array(select 1 from unnest(${times}) at where extract(epoch from now() - at) < ${windowSeconds}::int)) < ${atMost}::int
    and (${inARow}::int is null or cardinality(${times}) < ${inARow}::int or extract(epoch from now() - ${times}[cardinality(${times})])
      >= least(${LONGEST_WAIT_SECONDS}::int, ${WAIT_SECONDS}::int * (cardinality(${times}) - ${inARow}::int + 1)))`

/** Counts an attempt, or throws 429 `RATE_LIMITED` with the seconds until the next one is allowed. Refused attempts do not count. */
export const consumeAttempt = async (limit: Limit, { platformId, id }: Place): Promise<void> => {
  const { table, times } = limit
  const taken = await db.$executeRaw`
    update ${table} set ${times} = ${times}[greatest(1, cardinality(${times}) + 1 - ${REMEMBERED}):] || now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and ${isOpen(limit)}`
  if (taken === 1) return
  const [row] = await db.$queryRaw<Wait[]>`
    select ceil(extract(epoch from ${opensAt(limit)} - now()))::int as seconds
    from ${table} where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  throw limited(limit.message, row?.seconds)
}

interface Wait {
  readonly seconds: number
}

/** 429 `RATE_LIMITED`. */
export const limited = (message: string, seconds = 1): ApiError =>
  new ApiError('RATE_LIMITED', message, { retryAfterSeconds: Math.max(1, seconds) })

/** Gives the newest attempt back. */
export const giveBackAttempt = async ({ table, times }: Limit, { platformId, id }: Place): Promise<void> => {
  await db.$executeRaw`
    update ${table} set ${times} = trim_array(${times}, least(1, cardinality(${times})))
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
}

/** There was no code to compare with. */
const NOTHING_COMPARED = 'OTP_NOT_PENDING'

/**
 * Counts the attempt before verifying it, so that concurrent attempts cannot share the last one. An attempt that fails
 * for a reason other than a wrong proof is given back. Success clears the counter in the database transaction of its
 * effect: see `clearFailures`.
 */
export const countingFailures = async <T>(credential: Place, verify: () => Promise<T>): Promise<T> => {
  await consumeAttempt(FAILED_PROOFS, credential)
  try {
    return await verify()
  } catch (error) {
    const isFailedProof =
      error instanceof ApiError && error.code === 'UNAUTHORIZED' && error.details?.reason !== NOTHING_COMPARED
    if (!isFailedProof) await giveBackAttempt(FAILED_PROOFS, credential)
    throw error
  }
}

/** Gives an attempt back whose proof was right, but whose effect failed. */
export const giveBackProof = (credential: Place): Promise<void> => giveBackAttempt(FAILED_PROOFS, credential)

/** Call it in the transaction of the effect that the proof allows. */
export const clearFailures = (tx: Tx, { platformId, id }: Place) =>
  tx.$executeRaw`update auth_methods set failure_times = '{}' where platform_id = ${platformId}::uuid and id = ${id}::uuid`
