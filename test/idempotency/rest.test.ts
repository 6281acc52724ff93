// `Idempotency-Key` (docs/domain/transfers.md#idempotency-keys): a repeated call gets the same response and has no further effect.
import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { tasks } from '#tasks.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import {
  createFundedWallet,
  createOutside,
  createPayer,
  fundsOf,
  payloadOf,
  quoteInput,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { type RestReply, send } from '#test/setup/payments/payment-faces.ts'
import { createEuropeanPayer } from '#test/setup/sca/europeans.ts'
import { createToken, type Platform } from '#test/setup/world.ts'

const keyed = (key = randomUUID() as string) => ({ 'idempotency-key': key })

/** Everything that two responses to one call have in common. */
const bytesOf = ({ status, text, headers }: RestReply) => [status, text, headers.get('content-type')]

const CONFLICT = { status: 409, body: { status: 409, code: 'CONFLICT' } }
const paymentsOf = (platform: Platform) => db.transaction.count({ where: { platformId: platform.id } })
const age = (platform: Platform, seconds: number) =>
  db.$executeRaw`
    update idempotent_replies set created_at = plus_seconds(created_at, -${seconds}::float8),
      day = (plus_seconds(created_at, -${seconds}::float8) at time zone 'UTC')::date
    where platform_id = ${platform.id}::uuid`

describe('a repeated call', () => {
  it('returns the same bytes and creates one quote, whatever has happened to it since', async () => {
    const { platform, dollars, iban } = await createPayer()
    const headers = keyed()
    const first = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban), headers)
    expect(first.headers.get('content-type')).toBe('application/json')
    expect(first.status).toBe(201)
    await send(platform, 'POST', `/quotes/${first.body.id}/execute`)
    await passTime(platform.id)
    const { source, destination, ...rest } = quoteInput(dollars, iban)
    for (const body of [
      { source, destination, ...rest },
      { ...rest, destination, source, description: null },
    ]) {
      expect(bytesOf(await send(platform, 'POST', '/quotes', body, headers))).toEqual(bytesOf(first))
    }
    expect(await paymentsOf(platform)).toBe(1)
  })

  it('returns the same bytes and executes a quote once', async () => {
    const { platform, dollars, iban } = await createPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    const headers = keyed()
    const first = await send(platform, 'POST', `/quotes/${quote.id}/execute`, undefined, headers)
    expect(first).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    await passTime(platform.id)
    const again = await send(platform, 'POST', `/quotes/${quote.id}/execute`, {}, headers)
    expect(bytesOf(again)).toEqual(bytesOf(first))
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
  })

  it.each(['transfer-out', 'transfer-in'])('of %s returns the same bytes and creates one transfer', async (path) => {
    const { platform, dollars, outside } = await createPayer()
    const [from, to] = path === 'transfer-out' ? [dollars, outside] : [outside, dollars]
    const headers = keyed()
    const first = await send(platform, 'POST', `/${path}`, transferInput(from, to, 1_000), headers)
    expect(first.status).toBe(201)
    await passTime(platform.id)
    expect(bytesOf(await send(platform, 'POST', `/${path}`, transferInput(from, to, 1_000), headers))).toEqual(
      bytesOf(first),
    )
    expect(await paymentsOf(platform)).toBe(1)
  })

  it('is known by a hash that needs a key, and not by a plain one, which would give away a code', async () => {
    const { platform, dollars, iban } = await createEuropeanPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    const headers = keyed()
    const authorize = (code: string) => send(platform, 'POST', `/quotes/${quote.id}/authorize`, { code }, headers)
    const first = await authorize('123456')
    expect(first.status).toBe(200)
    const plain = new Uint8Array(createHash('sha256').update(`{"code":"123456","id":"${quote.id}"}`).digest())
    const where = { platformId: platform.id }
    expect(await db.idempotentReply.count({ where: { ...where, fingerprint: plain } })).toBe(0)
    expect(bytesOf(await authorize('123456'))).toEqual(bytesOf(first))
    expect(await authorize('654321')).toMatchObject(CONFLICT)
    expect(await db.idempotentReply.updateMany({ where, data: { fingerprint: plain } })).toEqual({ count: 1 })
    expect(await authorize('123456')).toMatchObject(CONFLICT)
  })

  it('repeats an earlier refusal, even if the operation would succeed now', async () => {
    const { platform, dollars, outside } = await createPayer()
    const headers = keyed()
    const first = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100_001), headers)
    expect(first).toMatchObject({ status: 400, body: { code: 'INVALID_AMOUNT' } })
    await send(platform, 'POST', '/transfer-in', transferInput(outside, dollars, 5_000))
    await passTime(platform.id)
    const again = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100_001), headers)
    expect(bytesOf(again)).toEqual(bytesOf(first))
    const fresh = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100_001), keyed())
    expect(fresh.status).toBe(201)
  })

  it('with another body is a conflict', async () => {
    const { platform, dollars, iban } = await createPayer()
    const headers = keyed()
    const first = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban, 10_000), headers)
    const other = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban, 10_001), headers)
    expect(other).toMatchObject(CONFLICT)
    expect(bytesOf(await send(platform, 'POST', '/quotes', quoteInput(dollars, iban, 10_000), headers))).toEqual(
      bytesOf(first),
    )
  })

  it('with a null in place of nothing is a conflict', async () => {
    const { platform, dollars, outside } = await createPayer()
    const headers = keyed()
    const { amount: _, ...everything } = transferInput(dollars, outside, 1)
    const invalid = await send(platform, 'POST', '/transfer-out', { ...everything, amount: null }, headers)
    expect(invalid).toMatchObject({ status: 400, body: { details: { field: 'amount' } } })
    expect(await send(platform, 'POST', '/transfer-out', everything, headers)).toMatchObject(CONFLICT)
  })

  it('with another path, token or platform is a different call', async () => {
    const { platform, dollars, outside } = await createPayer()
    const headers = keyed()
    const token = { clientId: randomUUID(), secret: randomUUID() }
    await createToken(platform.id, token, ['TRANSACT'])
    const other = await createPayer()
    const input = transferInput(outside, dollars, 100)
    for (const answer of [
      await send(platform, 'POST', '/transfer-in', input, headers),
      await send(token, 'POST', '/transfer-in', input, headers),
      await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100), headers),
      await send(other.platform, 'POST', '/transfer-in', transferInput(other.outside, other.dollars, 100), headers),
    ])
      expect(answer.status).toBe(201)
    expect(await paymentsOf(platform)).toBe(3)
  })

  it('is carried out if the first was not permitted', async () => {
    const { platform } = await createPayer()
    const wallet = await createFundedWallet(platform)
    const outside = await createOutside(platform, '001')
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(wallet.accountId, outside, 5_000_000))
    const headers = keyed()
    const path = `/quotes/${quote.id}/execute`
    const refused = await send(platform, 'POST', path, undefined, headers)
    expect(refused).toMatchObject({ status: 401, body: { code: 'WALLET_SIGNATURE_MISSING' } })
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic/)
    const signature = await wallet.device.stamp(payloadOf(quote))
    const signed = await send(platform, 'POST', path, undefined, { ...headers, 'service-wallet-signature': signature })
    expect(signed.status).toBe(200)
    expect(bytesOf(await send(platform, 'POST', path, undefined, headers))).toEqual(bytesOf(signed))
  })

  it('is carried out if the customer was locked at the first', async () => {
    const { platform, customerId, dollars, iban } = await createEuropeanPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
    const record = (eventType: string) => send(platform, 'POST', '/sca/record-event', { customerId, eventType })
    for (let failures = 0; failures < 5; failures += 1) await record('FAILED_LOGIN_ATTEMPT')
    const headers = keyed()
    const execute = () => send(platform, 'POST', `/quotes/${quote.id}/execute`, undefined, headers)
    expect(await execute()).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
    await record('RESET_PASSWORD_COMPLETED')
    expect(await execute()).toMatchObject({ status: 200, body: { status: 'PENDING_AUTHORIZATION' } })
  })
})

describe('the key', () => {
  it('has 1 to 255 characters', async () => {
    const { platform, dollars, outside } = await createPayer()
    const input = transferInput(outside, dollars, 100)
    for (const key of ['', 'x'.repeat(256)]) {
      const answer = await send(platform, 'POST', '/transfer-in', input, keyed(key))
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', details: { field: 'Idempotency-Key' } },
      })
    }
    for (const key of ['x', 'x'.repeat(255), "~ ' \\"])
      expect((await send(platform, 'POST', '/transfer-in', input, keyed(key))).status).toBe(201)
  })

  it('is accepted on any path', async () => {
    const { platform } = await createPayer()
    for (const id of ['%00', '%20', 'x'.repeat(6_000)]) {
      const answer = await send(platform, 'POST', `/quotes/${id}/execute`, {}, keyed())
      expect(answer).toMatchObject({ status: 404, body: { code: 'QUOTE_NOT_FOUND' } })
    }
  })

  it('expires after 24 hours, and is dropped on a schedule', async () => {
    const { platform, dollars, outside } = await createPayer()
    const headers = keyed()
    const input = transferInput(outside, dollars, 100)
    const first = await send(platform, 'POST', '/transfer-in', input, headers)
    await age(platform, 86_390)
    expect(bytesOf(await send(platform, 'POST', '/transfer-in', input, headers))).toEqual(bytesOf(first))
    await age(platform, 20)
    const second = await send(platform, 'POST', '/transfer-in', transferInput(outside, dollars, 200), headers)
    expect(second.status).toBe(201)
    await age(platform, 2 * 86_400)
    const sweep = tasks.find(({ name }) => name === 'keepPartitions')
    await sweep?.run({} as never)
    expect(await db.idempotentReply.count({ where: { platformId: platform.id } })).toBe(0)
  })
})

describe('identical concurrent calls', () => {
  it('have one effect; the others get the same response, or 409 while the first is running', async () => {
    let conflicts = 0
    for (let round = 0; round < 5; round += 1) {
      const { platform, dollars, outside } = await createPayer()
      const headers = keyed()
      const calls = Array.from({ length: 8 }, () =>
        send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000), headers),
      )
      const answers = await Promise.all(calls)
      const done = answers.filter(({ status }) => status === 201)
      const others = answers.filter(({ status }) => status !== 201)
      expect(new Set(done.map(({ text }) => text)).size).toBe(1)
      for (const other of others) expect(other).toMatchObject(CONFLICT)
      expect(await paymentsOf(platform)).toBe(1)
      expect((await fundsOf(platform, dollars))[0]).toBe(99_000)
      conflicts += others.length
    }
    console.log(`identical calls 40, effects 5, told that the first is in progress ${conflicts}`)
  })
})
