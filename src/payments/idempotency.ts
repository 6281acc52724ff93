// `Idempotency-Key`: a call that is repeated gets the answer of the first one, and is not carried out again (domain reference 1).
import { createHash } from 'node:crypto'
import type { Caller } from '#core/caller.ts'
import { db } from '#core/db.ts'
import { ApiError } from '#core/errors.ts'
import { parse, textOf } from '#core/input.ts'
import { canonicalJson } from '#credentials/fingerprint.ts'
import type { Prisma } from '#generated/prisma/client.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
}

interface Call {
  readonly method: string
  readonly path: string
  /** 1 to 255 characters, kept for 24 hours; null when the caller sent none. */
  readonly key: string | null
  readonly input: unknown
}

/** Not about what was asked, but about who asked, and how often. */
const NOT_KEPT = [401, 403, 429]

/** 409 `CONFLICT` for the same key with another body, and while the first call still runs. */
export const answerOnce = async (caller: Caller, call: Call, answer: () => Promise<Answer>): Promise<Answer> => {
  if (call.key === null) return answer()
  const key = parse(textOf(255), call.key, 'Idempotency-Key')
  const { platformId } = caller
  const scope = [subjectOf(caller), call.method, call.path, key].join(' ')
  const fingerprint = createHash('sha256').update(canonicalJson(call.input), 'utf8').digest()
  const kept = await claim(platformId, scope, fingerprint)
  if (kept) return kept

  const where = { platformId_scope: { platformId, scope } }
  try {
    const given = await answerOrError(answer)
    if (NOT_KEPT.includes(given.status)) await db.idempotentReply.delete({ where })
    else
      await db.idempotentReply.update({
        where,
        data: { status: given.status, body: given.body as Prisma.InputJsonValue },
      })
    return given
  } catch (error) {
    await db.idempotentReply.delete({ where })
    throw error
  }
}

const subjectOf = (caller: Caller) => (caller.scheme === 'AGENT' ? caller.agentId : caller.tokenId)

/** Undefined when the key is this call's now. */
const claim = async (platformId: string, scope: string, fingerprint: Buffer): Promise<Answer | undefined> => {
  await db.$executeRaw`
    delete from idempotent_replies
    where platform_id = ${platformId}::uuid and scope = ${scope} and created_at < now() - interval '24 hours'`
  const claimed = await db.$executeRaw`
    insert into idempotent_replies (platform_id, scope, fingerprint) values (${platformId}::uuid, ${scope}, ${fingerprint})
    on conflict do nothing`
  if (claimed === 1) return undefined
  const kept = await db.idempotentReply.findUnique({ where: { platformId_scope: { platformId, scope } } })
  if (!kept || kept.status === null)
    throw new ApiError('CONFLICT', 'The first call with this Idempotency-Key still runs')
  if (!fingerprint.equals(kept.fingerprint)) {
    throw new ApiError('CONFLICT', 'The Idempotency-Key was used with another body')
  }
  return { status: kept.status, body: kept.body }
}

/** What is told of a failure is an answer as any other; what is not told of is thrown. */
const answerOrError = async (answer: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return { status: error.status, body: error.toBody() }
  }
}
