// The attempts behind one idempotency key: what is stored, what is not, and which attempt may record its result.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { type Answer, type Attempt, answerOnce } from '#idempotency/idempotency.ts'
import { createPlatform } from '#test/setup/world.ts'

const schema = z.object({ amount: z.number() })

describe('an idempotency key', () => {
  let platformId: PlatformId
  let caller: Caller
  let key: string
  beforeEach(async () => {
    const platform = await createPlatform()
    platformId = platform.id
    const permissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const
    caller = { scheme: 'PLATFORM', platformId, environment: 'SANDBOX', tokenId: randomUUID(), permissions }
    key = randomUUID()
  })

  const call = (answer: (attempt: Attempt) => Promise<Answer>, by = caller, input: unknown = { amount: 1 }) =>
    answerOnce(by, { operation: 'transferOut', key, input, schema }, answer)
  const done = async (): Promise<Answer> => ({ status: 201, body: { id: randomUUID() } })

  it.each([
    ['an internal error', new Error('Something broke')],
    ['500', new ApiError('INTERNAL_ERROR', 'Something broke')],
    ['503', new ApiError('SERVICE_UNAVAILABLE', 'Later')],
    ['401', new ApiError('UNAUTHORIZED', 'Who are you?')],
    ['403', new ApiError('FORBIDDEN', 'Not you')],
    ['423', new ApiError('ACCOUNT_LOCKED', 'Locked for now')],
    ['429', new ApiError('RATE_LIMITED', 'Too fast')],
    ['a retryable error', new ApiError('LNURLP_REQUEST_FAILED', 'No answer')],
  ])('is free again after %s, which depends on more than the input', async (_name, error) => {
    await expect(call(() => Promise.reject(error))).rejects.toBe(error)
    expect(await call(done)).toMatchObject({ status: 201, result: null })
  })

  it('keeps every other client error', async () => {
    const error = new ApiError('INVALID_AMOUNT', 'Too much', { reason: 'INSUFFICIENT_BALANCE' })
    for (const attempt of [() => Promise.reject(error), done]) {
      const { status, text } = await call(attempt)
      expect([status, JSON.parse(text)]).toEqual([400, error.toBody()])
    }
  })

  it('refuses another input, and a repetition while the first call runs', async () => {
    let finish = (_answer: Answer) => {}
    const first = call(() => new Promise<Answer>((resolve) => (finish = resolve)))
    await expect.poll(() => db.idempotentReply.count({ where: { platformId } })).toBe(1)
    await expect(call(done)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The first call with this idempotency key is still running',
      details: { retryAfterSeconds: expect.any(Number) },
    })
    await expect(call(done, caller, { amount: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The idempotency key was already used with a different input',
    })
    finish({ status: 201, body: { id: 'first' } })
    expect((await first).text).toBe('{"id":"first"}')
    expect((await call(done)).text).toBe('{"id":"first"}')
  })

  it('belongs to the latest attempt: an attempt that was considered dead cannot record its result', async () => {
    const late = call(async ({ record }) => {
      await db.$executeRaw`
        update idempotent_replies set created_at = now() - interval '11 seconds' where platform_id = ${platformId}::uuid`
      expect(await call(done)).toMatchObject({ status: 201 })
      await inTransaction((tx) => record(tx, randomUUID()))
      return done()
    })
    // The conflict is the answer to the late call, and must not replace the stored one.
    const { status } = await late
    expect(status).toBe(409)
    expect(await call(done)).toMatchObject({ status: 201 })
  })

  it('of an agent is different from the same key of its platform or of another agent', async () => {
    const agent = (): Caller => ({
      scheme: 'AGENT',
      platformId,
      environment: 'SANDBOX',
      agentId: randomUUID(),
      customerId: randomUUID(),
      permissions: [],
      isPaused: false,
    })
    const [one, other] = [agent(), agent()]
    const texts = []
    for (const by of [caller, one, other, one]) texts.push((await call(done, by)).text)
    expect(new Set(texts).size).toBe(3)
    expect(texts[3]).toBe(texts[1])
  })

  it('stores no body for an answer that is read again from its result', async () => {
    await call(async ({ record }) => {
      await inTransaction((tx) => record(tx, 'result'))
      return { status: 200, body: undefined }
    })
    const read = await call(async ({ result }) => ({ status: 200, body: { read: result } }))
    expect(read).toMatchObject({ result: 'result', text: '{"read":"result"}' })
    const replies = await db.$queryRaw<{ body: string | null }[]>`
      select body from idempotent_replies where platform_id = ${platformId}::uuid`
    expect(replies).toEqual([{ body: null }])
  })
})
