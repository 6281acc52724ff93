// How often a credential may be challenged and tried (domain reference 3.8). Counted in its row, so that all processes share the count
// and a row's lock makes them take turns.
import { db, identifier, type Sql } from '#core/db.ts'
import { ApiError } from '#core/errors.ts'
import type { Tx } from '#core/transaction.ts'
import { type AuthMethod, Prisma } from '#generated/prisma/client.ts'

interface Limit {
  /** The column with the times that count. */
  readonly times: Sql
  readonly atMost: number
  readonly windowSeconds: number
  readonly message: string
}

export const CHALLENGES: Limit = {
  times: identifier('challenge_times'),
  atMost: 5,
  windowSeconds: 5 * 60,
  message: 'Too many challenges of this credential',
}

export const FAILED_PROOFS: Limit = {
  times: identifier('failure_times'),
  atMost: 5,
  windowSeconds: 15 * 60,
  message: 'Too many failed proofs of this credential',
}

interface Place {
  readonly platformId: string
  readonly id: string
}

const inWindow = ({ times, windowSeconds }: Limit) =>
  Prisma.sql`array(select at from unnest(${times}) at where at > now() - make_interval(secs => ${windowSeconds}) order by at)`

/** Counts one, or refuses with 429 `RATE_LIMITED` and the seconds until the oldest counted one leaves the window. A refusal is not counted. */
export const takeOne = async (limit: Limit, { platformId, id }: Place): Promise<void> => {
  const taken = await db.$executeRaw`
    update auth_methods set ${limit.times} = ${inWindow(limit)} || now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and cardinality(${inWindow(limit)}) < ${limit.atMost}`
  if (taken === 1) return
  const [row] = await db.$queryRaw<Wait[]>`
    select ceil(extract(epoch from (${inWindow(limit)})[1] - now()) + ${limit.windowSeconds})::int as seconds
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

/** Judges a proof, and counts it unless it holds: before it is judged, so that no two share the last try. */
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
