// `Idempotency-Key`: a call that is repeated gets the answer of the first one, and is not carried out again
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
  /** Undefined where the answer is told anew each time. */
  readonly body: unknown
}

/** As REST sends it. */
interface WrittenAnswer {
  readonly status: number
  readonly text: string
}

export interface Reply extends WrittenAnswer {
  /** The id of what the first call made, when an earlier call made it. */
  readonly made: string | null
}

export const idempotencyKey = textOf(255)

export interface Call {
  /** The same over both faces. */
  readonly operation: 'createQuote' | 'executeQuote' | 'transferOut' | 'transferIn'
  /** 1 to 255 characters, kept for 24 hours; null when the caller sent none. */
  readonly key: string | null
  readonly input: unknown
  /** What the operation reads of its input: two calls are the same when it reads the same. */
  readonly schema: z.ZodType
}

/** A call that holds its key. */
interface Attempt {
  readonly platformId: string
  readonly scope: string
  readonly id: string
}

/** Not about what was asked, but about who asked, and how often. */
const NOT_KEPT = [401, 403, 429]

/** A call that has not answered by then has died. Should it live after all, what it does is rolled back. */
const DEAD_AFTER_SECONDS = 10

const attempts = new AsyncLocalStorage<Attempt>()

/**
 * `answer` carries the call out. When an earlier call did so over the other face, or died before it could answer, `answer` is given the
 * id of what that one made, and only tells of it. 409 `CONFLICT` for the same key with another input, and while the first call still
 * runs. An ill-formed call takes no key: it fails the same way each time.
 */
export const answerOnce = async (
  caller: Caller,
  { operation, key, input, schema }: Call,
  answer: (made?: string) => Promise<Answer>,
): Promise<Reply> => {
  const read = schema.safeParse(input)
  if (key === null || !read.success) return { ...written(await answer()), made: null }
  const { platformId, environment } = caller
  const call = [subjectOf(caller), environment, operation, parse(idempotencyKey, key, 'Idempotency-Key')]
  const scope = digestOf(call).toString('hex')
  const attempt = { platformId, scope, id: newUuid() }
  const known = await take(attempt, digestOf(read.data))
  if (known?.status != null) {
    const { status, body, made } = known
    return { ...(body === null ? written(await answer(made ?? undefined)) : { status, text: body }), made }
  }
  try {
    const told = await answerOrError(() => attempts.run(attempt, () => answer(known?.made ?? undefined)))
    await keep(attempt, told)
    return { ...written(told), made: null }
  } catch (error) {
    await db.$executeRaw`
      delete from idempotent_replies
      where platform_id = ${platformId}::uuid and scope = ${scope} and attempt = ${attempt.id}::uuid and made is null`
    throw error
  }
}

/** For the transaction that changes something: leaves word of it with the key. 409 `CONFLICT` when another call has got the key meanwhile. */
export const leaveWord = async (tx: Tx, id: string): Promise<void> => {
  const attempt = attempts.getStore()
  if (!attempt) return
  const marked = await tx.$executeRaw`
    update idempotent_replies set made = ${id}
    where platform_id = ${attempt.platformId}::uuid and scope = ${attempt.scope} and attempt = ${attempt.id}::uuid`
  if (marked !== 1) throw stillRuns()
}

/** Answers are forgotten after 24 hours. */
export const forgetAnswers = async (): Promise<void> => {
  await db.$executeRaw`delete from idempotent_replies where created_at < now() - interval '24 hours'`
}

const subjectOf = (caller: Caller) => (caller.scheme === 'AGENT' ? caller.agentId : caller.tokenId)

const digestOf = (value: unknown) => createHash('sha256').update(canonicalJson(value), 'utf8').digest()

const written = ({ status, body }: Answer): WrittenAnswer => ({ status, text: JSON.stringify(body) ?? '' })

interface Kept {
  readonly status: number | null
  readonly body: string | null
  readonly made: string | null
}

/** The answer that is kept; or, without a status, what a dead call made. Undefined when nothing was done yet. But for the first, the key is this call's now. */
const take = async ({ platformId, scope, id }: Attempt, fingerprint: Buffer): Promise<Kept | undefined> => {
  const taken = await db.$queryRaw<Kept[]>`
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
  const [kept] = await db.$queryRaw<(Kept & { fingerprint: Uint8Array })[]>`
    select fingerprint, status, body, made from idempotent_replies
    where platform_id = ${platformId}::uuid and scope = ${scope}`
  if (kept && !fingerprint.equals(kept.fingerprint)) {
    throw new ApiError('CONFLICT', 'The idempotency key was used with another input')
  }
  if (kept?.status == null) throw stillRuns()
  return kept
}

const stillRuns = () => new ApiError('CONFLICT', 'The first call with this idempotency key still runs')

const keep = ({ platformId, scope, id }: Attempt, { status, body }: Answer) =>
  db.$executeRaw`
    update idempotent_replies set status = ${status}::smallint, body = ${body === undefined ? null : JSON.stringify(body)}
    where platform_id = ${platformId}::uuid and scope = ${scope} and attempt = ${id}::uuid`

/** Client errors are stored and replayed like successes. The others are rethrown, not stored. */
const answerOrError = async (answer: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || NOT_KEPT.includes(error.status)) throw error
    return { status: error.status, body: error.toBody() }
  }
}
