// Concurrent payments: a quote moves money once, and no account pays more than it has.
import { expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { inTransaction, timeOf } from '#database/unit-of-work.ts'
import { expireQuote } from '#quotes/expire.ts'
import { advancePayment, settleRefund } from '#settlement/sandbox/events.ts'
import { until, waiting } from '#test/setup/credentials/interleaved.ts'
import { passTime, waitingOf } from '#test/setup/payments/due-jobs.ts'
import {
  createOutside,
  createPayer,
  fundsOf,
  movementsOf,
  quoteInput,
  timelineOf,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { type Answer, type PaymentFace, paymentFaces, send } from '#test/setup/payments/payment-faces.ts'

// A caller that waits too long for an account gets 503 and retries.
vi.setConfig({ testTimeout: 240_000 })

const [graphql, rest] = paymentFaces as readonly [PaymentFace, PaymentFace]
/** Alternately over GraphQL and REST. */
const faceOf = (index: number) => (index % 2 === 0 ? graphql : rest)
/** Retries after a 503, like a client. Nothing has changed at that point. */
const untilHeard = async (call: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await call()
    if (answer.status !== 503) return answer
  }
}
const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)
const codesOf = (answers: readonly Answer[]) => {
  const count = new Map<string, number>()
  for (const { status, body } of answers) {
    const code = status < 300 ? 'done' : (body.details?.reason ?? body.code)
    count.set(code, (count.get(code) ?? 0) + 1)
  }
  return Object.fromEntries(count)
}

it('twenty concurrent executions of one quote move its money once', async () => {
  const { platform, dollars, iban } = await createPayer()
  const { body: quote } = await rest.createQuote(platform, quoteInput(dollars, iban))
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => untilHeard(() => faceOf(index).executeQuote(platform, quote.id))),
  )
  expect(codesOf(answers)).toEqual({ done: 1, QUOTE_ALREADY_EXECUTED: 19 })
  expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
  expect(await movementsOf(platform, quote.transactionId)).toHaveLength(1)
  expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'PROCESSING'])
  expect(await passTime(platform.id)).toHaveLength(1)
})

it('an account pays the ten of thirty concurrent quotes that it can afford', async () => {
  const { platform, dollars, iban } = await createPayer()
  const quotes = await Promise.all(
    Array.from({ length: 30 }, () => untilHeard(() => rest.createQuote(platform, quoteInput(dollars, iban)))),
  )
  const answers = await Promise.all(
    quotes.map(({ body }, index) => untilHeard(() => faceOf(index).executeQuote(platform, body.id))),
  )
  expect(codesOf(answers)).toEqual({ done: 10, INSUFFICIENT_BALANCE: 20 })
  expect(await fundsOf(platform, dollars)).toEqual([0, 0])
  const states = await db.quote.groupBy({ by: ['status'], where: { platformId: platform.id }, _count: true })
  expect(Object.fromEntries(states.map(({ status, _count }) => [status, _count]))).toEqual({
    PENDING: 20,
    PROCESSING: 10,
  })
})

it('the same is true of thirty transfers, mixed with transfers in and quotes', async () => {
  const { platform, dollars, iban, outside } = await createPayer()
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const face = faceOf(index)
      const input = quoteInput(dollars, iban, 10_000, { immediatelyExecute: true })
      const calls = [
        () => face.transferOut(platform, transferInput(dollars, outside, 10_000)),
        () => face.createQuote(platform, input),
        () => face.transferOut(platform, transferInput(dollars, outside)),
      ]
      return untilHeard(calls[index % 3] ?? (() => face.createQuote(platform, input)))
    }),
  )
  const { done = 0, ...others } = codesOf(answers)
  expect(done).toBeGreaterThan(0)
  expect(done + (others['INSUFFICIENT_BALANCE'] ?? 0)).toBe(30)
  expect((await fundsOf(platform, dollars))[0]).toBe(0)
  await passTime(platform.id)
  expect(await fundsOf(platform, dollars)).toEqual([0, 0])
  const paid = await db.ledgerEntry.aggregate({
    where: { platformId: platform.id, accountId: uuidOf(dollars), amount: { lt: 0 } },
    _sum: { amount: true },
  })
  expect(paid._sum.amount).toBe(-100_000n)
})

it('a quote is executed or expires, never both', async () => {
  const ROUNDS = 20
  const ended = { PROCESSING: 0, EXPIRED: 0 }
  /** How long an execution takes here: the window ends at a random moment within that. */
  let took = 50
  for (let round = 0; round < ROUNDS; round += 1) {
    const { platform, dollars, iban } = await createPayer()
    const { body: quote } = await rest.createQuote(platform, quoteInput(dollars, iban))
    const quoteId = uuidOf(quote.id)
    const lead = (took * (round % 10)) / 6
    await db.$executeRaw`
      update quotes set expires_at = now() + make_interval(secs => ${lead / 1_000}::float8) where id = ${quoteId}::uuid`
    const began = performance.now()
    const [answer] = await Promise.all([
      untilHeard(() => faceOf(round).executeQuote(platform, quote.id)),
      ...Array.from({ length: 6 }, async (_, turn) => {
        await new Promise((resolve) => setTimeout(resolve, (turn * took) / 4))
        await expireQuote.run({ platformId: platform.id, quoteId })
      }),
    ])
    took = Math.min(performance.now() - began, 1_000) / 2
    await new Promise((resolve) => setTimeout(resolve, lead))
    await expireQuote.run({ platformId: platform.id, quoteId })
    const { body } = await rest.readQuote(platform, quote.id)
    const isExecuted = answer.status === 200
    expect(isExecuted ? {} : answer.body).toMatchObject(
      isExecuted ? {} : { code: 'CONFLICT', details: { reason: 'QUOTE_EXPIRED' } },
    )
    expect(body.status).toBe(isExecuted ? 'PROCESSING' : 'EXPIRED')
    expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', body.status])
    expect(await fundsOf(platform, dollars)).toEqual(isExecuted ? [90_000, 90_000] : [100_000, 100_000])
    ended[isExecuted ? 'PROCESSING' : 'EXPIRED'] += 1
  }
  console.log(`rounds ${ROUNDS}: executed ${ended.PROCESSING}, expired ${ended.EXPIRED}, both 0`)
  expect(ended.PROCESSING).toBeGreaterThan(0)
  expect(ended.EXPIRED).toBeGreaterThan(0)
})

it('concurrent refunds of a token open one account', async () => {
  const { platform, dollars, customerId } = await createPayer()
  for (const _ of [1, 2, 3, 4]) {
    const { body: quote } = await rest.createQuote(platform, {
      ...quoteInput('', dollars),
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USDC', customerId, cryptoNetwork: 'SOLANA' },
    })
    await send(platform, 'POST', '/sandbox/send', { quoteId: quote.id, currencyCode: 'USDC', currencyAmount: 5 })
  }
  const refunds = (await waitingOf(platform.id)).filter(({ name }) => name === 'settleRefund')
  await Promise.all(refunds.map(({ payload }) => settleRefund.run(payload as never)))
  const accounts = await db.internalAccount.findMany({ where: { platformId: platform.id, currency: 'USDC' } })
  expect(accounts.map(({ balance }) => Number(balance))).toEqual([20])
})

it('a job that runs again leaves a payment that has arrived alone', async () => {
  const { platform, dollars, euros } = await createPayer()
  const { body: quote } = await rest.createQuote(platform, quoteInput(dollars, euros))
  await rest.executeQuote(platform, quote.id)
  const [job] = (await waitingOf(platform.id)).filter(({ name }) => name === 'advancePayment')
  await passTime(platform.id)
  const arrived = await fundsOf(platform, euros)
  expect(arrived[0]).toBeGreaterThan(0)
  await db.$executeRaw`update internal_accounts set status = 'FROZEN' where id = ${uuidOf(euros)}::uuid`
  await advancePayment.run(job?.payload as never)
  expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  expect(await fundsOf(platform, euros)).toEqual(arrived)
})

it('updatedAt of a payment never goes back, although a receipt waits for a later change of it', async () => {
  const { platform, dollars, euros } = await createPayer()
  const { body: quote } = await rest.createQuote(platform, quoteInput(dollars, euros))
  const id = uuidOf(quote.transactionId)
  const { receipt, changed } = await inTransaction(async (tx) => {
    await tx.$queryRaw`select from transactions where platform_id = ${platform.id}::uuid and id = ${id}::uuid for update`
    const receipt = send(platform, 'POST', `/transactions/${quote.transactionId}/confirm`)
    await until(async () => (await waiting('receipt_delivery_confirmed_at')) > 0)
    const [changed] = await tx.$queryRaw<{ at: Date }[]>`
      update transactions set updated_at = ${await timeOf(db)}
      where platform_id = ${platform.id}::uuid and id = ${id}::uuid returning updated_at as at`
    return { receipt, changed }
  })
  const { status, body } = await receipt
  expect([status, new Date(body.updatedAt)]).toEqual([200, changed?.at])
})

it('jobs that run twice or concurrently have one effect', async () => {
  const { platform, dollars } = await createPayer()
  for (const suffix of ['001', '002', '005', '006', '007']) {
    const outside = await createOutside(platform, suffix)
    const { body: quote } = await rest.createQuote(platform, quoteInput(dollars, outside, 1_000))
    await rest.executeQuote(platform, quote.id)
  }
  const { tasks } = await import('#tasks.ts')
  let twice = 0
  for (;;) {
    const [job] = (await waitingOf(platform.id)).filter(({ name }) => name === 'advancePayment')
    const task = tasks.find(({ name }) => name === job?.name)
    if (!job || !task) break
    await Promise.all([task.run(job.payload as never), task.run(job.payload as never)])
    await task.run(job.payload as never)
    twice += 1
    await db.$executeRaw`
      delete from graphile_worker._private_jobs
      where payload ->> 'transactionId' = ${job.payload['transactionId']} and payload ->> 'event' = ${String(job.payload['event'])}`
  }
  console.log(`jobs ${twice}, each run three times`)
  // The payments 001 and 007 have left, the others were returned.
  expect(await fundsOf(platform, dollars)).toEqual([98_000, 98_000])
  const movements = await db.ledgerMovement.groupBy({
    by: ['kind'],
    where: { platformId: platform.id },
    _count: true,
  })
  // Five debits, two arrivals (001, 005), three refunds (002, 005, 006).
  expect(Object.fromEntries(movements.map(({ kind, _count }) => [kind, _count]))).toEqual({
    OPENING: 1,
    PAYMENT: 7,
    REFUND: 3,
  })
})
