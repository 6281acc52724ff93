// Idempotency keys. A repeated call gets the response of the first one and is not executed again
// (docs/domain/transfers.md#idempotency-keys).
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { canonicalJson } from '#core/canonical-json.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { parse, textOf } from '#core/input.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

export interface Answer {
  readonly status: number
  /** Undefined if the response is not stored but rendered again each time. */
  readonly body: unknown
}

/** A response as REST sends it. */
interface SerializedAnswer {
  readonly status: number
  readonly text: string
}

export interface Reply extends SerializedAnswer {
  /** The id of the object that an earlier call created, or null. */
  readonly made: string | null
}

export const idempotencyKey = textOf(255)

export interface Call {
  /** Both faces use the same name. */
  readonly operation: 'createQuote' | 'executeQuote' | 'transferOut' | 'transferIn'
  /** 1 to 255 characters, stored for 24 hours. Null if the caller sent none. */
  readonly key: string | null
  readonly input: unknown
  /** Parses the input. Calls with equal parsed input count as the same. */
  readonly schema: z.ZodType
}

/** A call that has claimed its key. */
interface Attempt {
  readonly platformId: string
  readonly scope: string
  readonly id: string
}

/** Statuses that are not stored, because they depend on the caller or the rate of calls and not on the request. */
const NOT_STORED = [401, 403, 429]

/** A call without a response after this time counts as dead. If it is still running, its transaction is rolled back. */
const DEAD_AFTER_SECONDS = 10

const attempts = new AsyncLocalStorage<Attempt>()

/**
 * Executes the call once per key. If an earlier call created an object over the other face, or died before it stored its response,
 * `answer` gets the id of that object and only renders it. Throws 409 `CONFLICT` if the key was used with another input or the first call
 * is still running. An invalid call does not claim its key, because it fails in the same way each time.
 */
export const answerOnce = async (
  caller: Caller,
  { operation, key, input, schema }: Call,
  answer: (made?: string) => Promise<Answer>,
): Promise<Reply> => {
  const read = schema.safeParse(input)
  if (key === null || !read.success) return { ...serialize(await answer()), made: null }
  const { platformId, environment } = caller
  const call = [subjectOf(caller), environment, operation, parse(idempotencyKey, key, 'Idempotency-Key')]
  const scope = digestOf(call).toString('hex')
  const attempt = { platformId, scope, id: newUuid() }
  const known = await claim(attempt, digestOf(read.data))
  if (known?.status != null) {
    const { status, body, made } = known
    return { ...(body === null ? serialize(await answer(made ?? undefined)) : { status, text: body }), made }
  }
  try {
    const result = await answerOrError(() => attempts.run(attempt, () => answer(known?.made ?? undefined)))
    await store(attempt, result)
    return { ...serialize(result), made: null }
  } catch (error) {
    await db.$executeRaw`
      delete from idempotent_replies
      where platform_id = ${platformId}::uuid and scope = ${scope} and attempt = ${attempt.id}::uuid and made is null`
    throw error
  }
}

/**
 * Records the id of the created object under the key, in the transaction that creates it. Throws 409 `CONFLICT` if another call has
 * claimed the key in the meantime.
 */
export const recordResult = async (tx: Tx, id: string): Promise<void> => {
  const attempt = attempts.getStore()
  if (!attempt) return
  const marked = await tx.$executeRaw`
    update idempotent_replies set made = ${id}
    where platform_id = ${attempt.platformId}::uuid and scope = ${attempt.scope} and attempt = ${attempt.id}::uuid`
  if (marked !== 1) throw stillRunning()
}

/** Deletes responses that are older than 24 hours. */
export const deleteOldAnswers = async (): Promise<void> => {
  await db.$executeRaw`delete from idempotent_replies where created_at < now() - interval '24 hours'`
}

const subjectOf = (caller: Caller) => (caller.scheme === 'AGENT' ? caller.agentId : caller.tokenId)

const digestOf = (value: unknown) => createHash('sha256').update(canonicalJson(value), 'utf8').digest()

const serialize = ({ status, body }: Answer): SerializedAnswer => ({ status, text: JSON.stringify(body) ?? '' })

interface StoredAnswer {
  readonly status: number | null
  readonly body: string | null
  readonly made: string | null
}

/**
 * Claims the key. Returns a row with a status if a response is stored. Otherwise this call owns the key, and `made` is the id of the object
 * that a dead call created, if any.
 */
const claim = async ({ platformId, scope, id }: Attempt, fingerprint: Buffer): Promise<StoredAnswer | undefined> => {
  const taken = await db.$queryRaw<StoredAnswer[]>`
    insert into idempotent_replies as kept (platform_id, scope, fingerprint, attempt)
    values (${platformId}::uuid, ${scope}, ${fingerprint}, ${id}::uuid)
    on conflict (platform_id, scope) do update set
      attempt = excluded.attempt, fingerprint = excluded.fingerprint, status = null, body = null, created_at = now(),
      made = case when kept.created_at > now() - interval '24 hours' then kept.made end
    where kept.created_at <= now() - interval '24 hours'
      or kept.fingerprint = excluded.fingerprint and kept.status is null
        and kept.created_at <= now() - make_interval(secs => ${DEAD_AFTER_SECONDS})
    returning status, body, made`
  if (taken[0]) return taken[0]
  const [stored] = await db.$queryRaw<(StoredAnswer & { fingerprint: Uint8Array })[]>`
    select fingerprint, status, body, made from idempotent_replies
    where platform_id = ${platformId}::uuid and scope = ${scope}`
  if (stored && !fingerprint.equals(stored.fingerprint)) {
    throw new ApiError('CONFLICT', 'The idempotency key was already used with a different input')
  }
  if (stored?.status == null) throw stillRunning()
  return stored
}

const stillRunning = () => new ApiError('CONFLICT', 'The first call with this idempotency key is still running')

const store = ({ platformId, scope, id }: Attempt, { status, body }: Answer) =>
  db.$executeRaw`
    update idempotent_replies set status = ${status}::smallint, body = ${body === undefined ? null : JSON.stringify(body)}
    where platform_id = ${platformId}::uuid and scope = ${scope} and attempt = ${id}::uuid`

/** Client errors are stored and replayed like successes. All other errors are rethrown and not stored. */
const answerOrError = async (answer: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || NOT_STORED.includes(error.status)) throw error
    return { status: error.status, body: error.toBody() }
  }
}
