// `Idempotency-Key`: a repeated call returns the stored answer of the first one and changes nothing
// (docs/domain/transfers.md#idempotency-keys).
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { type Caller, callerId } from '#core/caller.ts'
import { ApiError, isRetryable } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { parse, textOf } from '#core/input.ts'
import { canonicalJson } from '#core/json/canonical-json.ts'
import { deriveSecretKey, mac } from '#core/keys.ts'
import { db, type Sql, sql } from '#database/db.ts'
import { logTaskFailure } from '#database/outage.ts'
import { inRoundTrips, type Send, sending } from '#database/round-trips.ts'
import type { Tx } from '#database/unit-of-work.ts'

export interface Answer {
  readonly status: number
  /** Undefined for an answer that is not stored, but read again from its result each time. */
  readonly body: unknown
}

/** A response as REST sends it. */
interface SerializedAnswer {
  readonly status: number
  readonly text: string
}

export interface Reply extends SerializedAnswer {
  /** The result of an earlier call with the same key. Null when this call was the first. */
  readonly result: string | null
}

/**
 * Records the id of what a call creates or changes, in the same database transaction. 409 `CONFLICT` when another call has claimed the
 * key meanwhile.
 */
export interface RecordResult {
  (tx: Tx, id: string): Promise<void>
  /** The same in handwritten round trips. */
  readonly within: (send: Send, id: string) => Promise<void>
  /** For handwritten transactions. Absent without a key. */
  readonly claim?: Claim
}

export interface Attempt {
  /** What an earlier attempt recorded before it stopped. In that case the operation is done, and only its answer is missing. */
  readonly result: string | undefined
  readonly record: RecordResult
}

export const idempotencyKey = textOf(255)

export interface Call {
  /** The same on both faces. */
  readonly operation:
    | 'createQuote'
    | 'executeQuote'
    | 'authorizeQuote'
    | 'transferOut'
    | 'transferIn'
    | 'createKycLink'
    | 'createStablecoinProviderAccount'
    | 'registerStablecoin'
    | 'createMintQuote'
    | 'createBurnQuote'
    | 'executeStablecoinQuote'
  /** 1 to 255 characters, remembered for 24 hours. Null when the caller sent none. */
  readonly key: string | null
  readonly input: unknown
  /** Parses the input. Two calls are the same when their parsed inputs are equal, or both are invalid and equal as they were sent. */
  readonly schema: z.ZodType
}

/** The row of a key, claimed by one attempt. */
export interface Claim {
  readonly platformId: string
  readonly scope: string
  readonly attemptId: string
  /** The day of the row, which never changes while the claim lasts. */
  readonly day: string
}

/** These errors depend on the caller, or on a lock that ends, not on the input. */
const NOT_STORED = [401, 403, 423]

const isStored = ({ code, status }: ApiError) => status < 500 && !NOT_STORED.includes(status) && !isRetryable(code)

/** After this time an attempt without an answer counts as dead. If it is still running, recording its result fails and rolls it back. */
const DEAD_AFTER_SECONDS = 10

/**
 * Runs `answer` once per key, and returns its stored answer to later calls. 409 `CONFLICT` when the key was already used with a different input, or
 * while the first call is running.
 */
export const answerOnce = async (
  caller: Caller,
  { operation, key, input, schema }: Call,
  answer: (attempt: Attempt) => Promise<Answer>,
): Promise<Reply> => {
  if (key === null) return { ...serialize(await answer({ result: undefined, record: recordNothing })), result: null }
  const { platformId, environment } = caller
  const call = [callerId(caller), environment, operation, parse(idempotencyKey, key, 'Idempotency-Key')]
  const scope = createHash('sha256').update(canonicalJson(call), 'utf8').digest('hex')
  const unclaimed = { platformId, scope, attemptId: newUuid() }
  const { claim, status, body, result } = await claimKey(unclaimed, comparableOf(schema.safeParse(input), input))
  const attempt = { result: result ?? undefined, record: recordFor(claim) }
  if (status !== null) {
    return { ...(body === null ? serialize(await answer(attempt)) : { status, text: body }), result }
  }
  try {
    const given = await answerOrError(() => answer(attempt))
    await store(claim, given)
    return { ...serialize(given), result: null }
  } catch (error) {
    // Without the database the key stays claimed, and a repetition learns for how long.
    await release(claim).catch((failure) => logTaskFailure('release of an idempotency key', failure))
    throw error
  }
}

/**
 * Runs `make`, or reads the result of an earlier call with the same key with `find`. Only the id of the result is stored. A stored client
 * error is thrown again.
 */
export const resultOnce = async <T extends object>(
  caller: Caller,
  call: Call,
  make: (record: RecordResult) => Promise<T>,
  find: (caller: Caller, id: string) => Promise<T>,
): Promise<T> => {
  let found: T | undefined
  const reply = await answerOnce(caller, call, async ({ result, record }) => {
    found = result === undefined ? await make(record) : await find(caller, result)
    return { status: 200, body: undefined }
  })
  if (found) return found
  if (reply.result !== null) return find(caller, reply.result)
  const { code, message, details } = JSON.parse(reply.text)
  throw new ApiError(code, message, details)
}

const recordFor = (claim: Claim): RecordResult => {
  const within = async (send: Send, id: string) => {
    const [recorded] = await send(sql`${recordingResults(claim.platformId, [{ claim, id }])} returning 1`)
    if (recorded.length !== 1) throw stillRuns()
  }
  return Object.assign((tx: Tx, id: string) => within(sending(tx), id), { within, claim })
}

/** The attempt of a call without a key. */
export const recordNothing: RecordResult = Object.assign(async () => {}, { within: async () => {} })

/** The statement that locks these claims of one platform. It returns their attempts, without those of claims that others took over. */
export const lockingClaims = (platformId: string, claims: readonly Claim[]): Sql => sql`
  select attempt from idempotent_replies
  where platform_id = ${platformId}::uuid and day = any(${daysOf(claims)}::date[])
    and scope = any(${claims.map(({ scope }) => scope)}::text[])
    and attempt = any(${claims.map(({ attemptId }) => attemptId)}::uuid[])
  order by scope for no key update`

/** The statement that records these results, of one platform. */
export const recordingResults = (
  platformId: string,
  results: readonly { readonly claim: Claim; readonly id: string }[],
): Sql => sql`
  update idempotent_replies set made = result.id
  from unnest(${results.map(({ claim }) => claim.scope)}::text[], ${results.map(({ claim }) => claim.attemptId)}::uuid[],
    ${results.map(({ id }) => id)}::text[]) as result (scope, attempt, id)
  where platform_id = ${platformId}::uuid and day = any(${daysOf(results.map(({ claim }) => claim))}::date[])
    and idempotent_replies.scope = result.scope and idempotent_replies.attempt = result.attempt`

/** The days are named so that only their partitions are read. */
const daysOf = (claims: readonly Claim[]) => [...new Set(claims.map(({ day }) => day))]

/** Lets the next call with the key start over, unless this one has recorded a result. */
const release = ({ platformId, scope, attemptId, day }: Claim) =>
  db.$executeRaw`
    delete from idempotent_replies
    where platform_id = ${platformId}::uuid and scope = ${scope} and day = ${day}::date and attempt = ${attemptId}::uuid and made is null`

/** What must be the same in both calls. A valid input is an object, so an invalid one, which is put into a list, never equals it. */
const comparableOf = ({ success, data }: z.ZodSafeParseResult<unknown>, input: unknown) =>
  canonicalJson(success ? data : [input])

/** The fingerprint of an input needs a key, because the input may hold a secret that can be guessed, such as a code by SMS. */
const fingerprintKey = deriveSecretKey('idempotency')

const serialize = ({ status, body }: Answer): SerializedAnswer => ({ status, text: JSON.stringify(body) ?? '' })

interface Claimed {
  readonly claim: Claim
  /** Null when there is no answer yet, so that this call must give it. */
  readonly status: number | null
  readonly body: string | null
  /** The result that this attempt or a dead one recorded. */
  readonly result: string | null
}

const TODAY = sql`(now() at time zone 'UTC')::date`

/**
 * Claims the key, or returns the stored answer. The answer may be of yesterday, which is another partition, so the lock of the key makes calls
 * on both sides of midnight exclude each other. The statement after the lock sees everything that was committed before the lock was acquired.
 */
const claimKey = async (key: Omit<Claim, 'day'>, comparable: string): Promise<Claimed> => {
  const { platformId, scope, attemptId } = key
  const ofKey = sql`platform_id = ${platformId}::uuid and scope = ${scope}`
  const fingerprint = mac(fingerprintKey, comparable)
  const [, [row]] = await inRoundTrips(({ commitWith }) =>
    commitWith(
      sql`select pg_advisory_xact_lock(hashtextextended(${`${platformId} ${scope}`}, 0))`,
      sql`
        with live as materialized (
          select day, fingerprint = ${fingerprint}::bytea as is_same, status, body, made, fingerprint = ${fingerprint}::bytea and status is null
            and created_at <= now() - make_interval(secs => ${DEAD_AFTER_SECONDS}) as is_dead,
            ceil(${DEAD_AFTER_SECONDS} - extract(epoch from now() - created_at))::int as seconds
          from idempotent_replies
          where ${ofKey} and day between ${TODAY} - 1 and ${TODAY} + 1 and created_at > now() - interval '24 hours'
          for no key update
        ), moved as (
          delete from idempotent_replies using live
          where ${ofKey} and idempotent_replies.day = live.day and live.is_dead and live.day <> ${TODAY}
        ), claimed as (
          insert into idempotent_replies (platform_id, scope, day, fingerprint, attempt, made)
          select ${platformId}::uuid, ${scope}, ${TODAY}, ${fingerprint}::bytea, ${attemptId}::uuid, made
          from (values (1)) call left join live on true where live.day is null or live.is_dead
          on conflict (platform_id, scope, day) do update set attempt = excluded.attempt, fingerprint = excluded.fingerprint,
            made = excluded.made, status = null, body = null, created_at = excluded.created_at
          returning day, made
        )
        select day, true, true, null, null, made, null from claimed
        union all select day, false, is_same, status, body, made, seconds from live where not exists (select from claimed)`,
    ),
  )
  const [day, isClaimed, isSame, status, body, made, seconds] = row ?? []
  if (day == null) throw new Error('A key was neither claimed nor found')
  if (isSame !== 't') throw new ApiError('CONFLICT', 'The idempotency key was already used with a different input')
  if (isClaimed !== 't' && status == null) throw stillRuns(Number(seconds))
  const claim = { ...key, day }
  return { claim, status: status == null ? null : Number(status), body: body ?? null, result: made ?? null }
}

/** The first call has ended by then, or another one takes it over. It may have ended already, without the database to say so. */
export const stillRuns = (seconds = DEAD_AFTER_SECONDS) =>
  new ApiError('CONFLICT', 'The first call with this idempotency key is still running', { retryAfterSeconds: seconds })

const store = ({ platformId, scope, attemptId, day }: Claim, { status, body }: Answer) =>
  db.$executeRaw`
    update idempotent_replies set status = ${status}::smallint, body = ${body === undefined ? null : JSON.stringify(body)}
    where platform_id = ${platformId}::uuid and scope = ${scope} and day = ${day}::date and attempt = ${attemptId}::uuid`

/** Client errors are stored and replayed like successes, unless the same call may succeed later. All other errors are rethrown. */
const answerOrError = async (answer: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof ApiError) || !isStored(error)) throw error
    return { status: error.status, body: error.toBody() }
  }
}
