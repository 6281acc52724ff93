// `Idempotency-Key`: a call that is repeated gets the answer of the first one, and is not carried out again
// (docs/domain/transfers.md#idempotency-keys).
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Caller } from '#core/caller.ts'
import { canonicalJson } from '#core/canonical-json.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { parse, textOf } from '#core/input.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** As it goes over the wire. */
export interface WrittenAnswer {
  readonly status: number
  readonly text: string
}

export const idempotencyKey = textOf(255)

interface Call {
  readonly method: string
  readonly path: string
  /** 1 to 255 characters, kept for 24 hours; null when the caller sent none. */
  readonly key: string | null
  readonly input: unknown
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
 * `answer` carries the call out. When an earlier call did so and died before it could answer, `answer` is given the id of what that one
 * made, and only tells of it. 409 `CONFLICT` for the same key with another body, and while the first call still runs.
 */
export const answerOnce = async (
  caller: Caller,
  { method, path, key, input }: Call,
  answer: (made?: string) => Promise<Answer>,
): Promise<WrittenAnswer> => {
  if (key === null) return written(await answer())
  const { platformId } = caller
  const call = [subjectOf(caller), method, path, parse(idempotencyKey, key, 'Idempotency-Key')]
  const scope = digestOf(call).toString('hex')
  const attempt = { platformId, scope, id: newUuid() }
  const known = await take(attempt, digestOf(input))
  if (known && 'text' in known) return known
  try {
    return await keep(attempt, written(await answerOrError(() => attempts.run(attempt, () => answer(known?.made)))))
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

const written = ({ status, body }: Answer): WrittenAnswer => ({ status, text: JSON.stringify(body) })

interface Kept {
  fingerprint: Uint8Array
  status: number | null
  body: string | null
}

/** The answer that is kept, or what a dead call made; undefined when nothing was done yet. But for the first, the key is this call's now. */
const take = async (
  { platformId, scope, id }: Attempt,
  fingerprint: Buffer,
): Promise<WrittenAnswer | { readonly made: string } | undefined> => {
  const taken = await db.$queryRaw<{ made: string | null }[]>`
    insert into idempotent_replies as kept (platform_id, scope, fingerprint, attempt)
    values (${platformId}::uuid, ${scope}, ${fingerprint}, ${id}::uuid)
    on conflict (platform_id, scope) do update set
      attempt = excluded.attempt, fingerprint = excluded.fingerprint, status = null, body = null, created_at = now(),
      made = case when kept.created_at > now() - interval '24 hours' then kept.made end
    where kept.created_at <= now() - interval '24 hours'
      or kept.fingerprint = excluded.fingerprint and kept.status is null
        and kept.created_at <= now() - make_interval(secs => ${DEAD_AFTER_SECONDS})
    returning made`
  if (taken[0]) return taken[0].made === null ? undefined : { made: taken[0].made }
  const [kept] = await db.$queryRaw<Kept[]>`
    select fingerprint, status, body from idempotent_replies
    where platform_id = ${platformId}::uuid and scope = ${scope}`
  if (kept && !fingerprint.equals(kept.fingerprint)) {
    throw new ApiError('CONFLICT', 'The idempotency key was used with another input')
  }
  if (kept?.status == null || kept.body === null) throw stillRuns()
  return { status: kept.status, text: kept.body }
}

const stillRuns = () => new ApiError('CONFLICT', 'The first call with this idempotency key still runs')

const keep = async ({ platformId, scope, id }: Attempt, answer: WrittenAnswer): Promise<WrittenAnswer> => {
  await db.$executeRaw`
    update idempotent_replies set status = ${answer.status}::smallint, body = ${answer.text}
    where platform_id = ${platformId}::uuid and scope = ${scope} and attempt = ${id}::uuid`
  return answer
}

/** What is told of a failure is an answer as any other; what is not kept is thrown. */
const answerOrError = async (answer: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || NOT_KEPT.includes(error.status)) throw error
    return { status: error.status, body: error.toBody() }
  }
}
