// Times come from the database, because the clock of a process may be wrong by minutes.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import {
  createOutside,
  createPayer,
  type Payer,
  quoteInput,
  toAccount,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { closeReceiver, newest, openReceiver, pay, payRequest } from '#test/setup/uma/receiving.ts'

useSettings({ umaAllowPrivate: true })

afterEach(() => {
  vi.useRealTimers()
})

/** Changes the clock of this process only. */
const skewClock = (minutes: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000, shouldAdvanceTime: true })

/** By how many minutes this time differs from the clock of the database. */
const minutesOff = async (at: Date | string | undefined): Promise<number> => {
  const [row] = await db.$queryRaw<{ off: number }[]>`
    select round(abs(extract(epoch from now() - ${at}::timestamptz)) / 60)::float8 as off`
  return Number(row?.off)
}

describe.each([-10, 10])('with a clock that is %i minutes off', (minutes) => {
  it.each([
    ['001', 'COMPLETED', 'settledAt'],
    ['002', 'FAILED', 'refundInitiatedAt'],
  ] as const)('a payment to …%s is %s when its timeline says so', async (suffix, status, column) => {
    const { platform, dollars } = await createPayer()
    const outside = await createOutside(platform, suffix)
    skewClock(minutes)
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    await passTime(platform.id)
    const payment = await db.transaction.findFirstOrThrow({ where: { platformId: platform.id } })
    const step = await db.transactionStateChange.findFirstOrThrow({
      where: { platformId: platform.id, transactionId: payment.id, toStatus: status },
    })
    // A distributed database reads the time at two nodes.
    if (isDistributed) expect(Math.abs(Number(payment[column]) - Number(step.at))).toBeLessThan(1_000)
    else expect(payment[column]).toEqual(step.at)
    if (status === 'FAILED') {
      expect(Number(payment.refundSettledAt)).toBeGreaterThanOrEqual(Number(payment.refundInitiatedAt))
    }
  })

  it.each(paymentFaces)('over $name, a transfer was created when the database says so', async (face) => {
    const { platform, dollars, outside } = await createPayer()
    skewClock(minutes)
    for (const { status, body } of [
      await face.transferOut(platform, transferInput(dollars, outside, 1_000)),
      await face.transferIn(platform, transferInput(outside, dollars, 1_000)),
    ]) {
      expect([status, await minutesOff(body.createdAt)]).toEqual([201, 0])
    }
  })

  it.each(actionFaces)(
    'over $name, an agent acted, and the platform decided, when the database says so',
    async (face) => {
      const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
      const { owner, agent, agentId, eurosId } = acting
      skewClock(minutes)
      const { body: transfer } = await face.transferOut(agent, transferOf(acting, 1_000))
      await callRest(agent, 'DELETE', `/agents/me/external-accounts/${eurosId}`)
      const { body: waiting } = await face.approvals(owner)
      const { body: approved } = await face.approve(owner, agentId, transfer.id)
      const times = [...waiting.data, approved].flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt])
      expect(await Promise.all(times.map(minutesOff))).toEqual([0, 0, 0, 0, 0, 0])
    },
  )

  it('a payment that another institution asks for was created when the database says so', async () => {
    await openReceiver()
    skewClock(minutes)
    await pay(await payRequest({ settlement: undefined }))
    closeReceiver()
    expect(await minutesOff((await newest())?.createdAt)).toBe(0)
  })

  it.each<[string, (payer: Payer) => Promise<string>]>([
    [
      'fails',
      async ({ platform, dollars }) => {
        const outside = await createOutside(platform, '002')
        const { body } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))
        await send(platform, 'POST', `/quotes/${body.id}/execute`)
        await passTime(platform.id)
        return body.transactionId
      },
    ],
    [
      'is cancelled',
      async ({ platform, dollars }) => {
        const outside = await createOutside(platform, '003', { paymentRails: ['ACH'] })
        const { body } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))
        await send(platform, 'POST', `/quotes/${body.id}/execute`)
        await send(platform, 'POST', `/transactions/${body.transactionId}/cancel`, { reason: 'Ordered twice' })
        return body.transactionId
      },
    ],
    [
      'is funded too late',
      async ({ platform, dollars, iban }) => {
        const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' }
        const { body } = await send(platform, 'POST', '/quotes', { ...quoteInput(dollars, iban), source })
        await db.quote.updateMany({ where: { platformId: platform.id }, data: { expiresAt: new Date(0) } })
        await send(platform, 'POST', '/sandbox/send', { quoteId: body.id, currencyCode: 'USD' })
        return body.transactionId
      },
    ],
  ])('a payment that %s was last changed when the database says so', async (_what, end) => {
    const payer = await createPayer()
    skewClock(minutes)
    const id = await end(payer)
    const { body } = await send(payer.platform, 'GET', `/transactions/${id}`)
    expect([body.refund?.reference, await minutesOff(body.updatedAt)]).toEqual([expect.any(String), 0])
  })

  it.each(paymentFaces)('over $name, a quote is valid for exactly its window', async ({ createQuote }) => {
    const { platform, dollars, iban } = await createPayer()
    skewClock(minutes)
    const life = async (input: object) => {
      const { body } = await createQuote(platform, input)
      return (Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 1_000
    }
    const pushed = (source: object) => ({
      ...quoteInput(dollars, iban, 5_000_000),
      source: { sourceType: 'REALTIME_FUNDING', ...source },
      destination: toAccount(dollars),
    })
    expect(await life(quoteInput(dollars, iban))).toBe(300)
    expect(await life(pushed({ currency: 'EUR' }))).toBe(900)
    expect(await life(pushed({ currency: 'USDC', cryptoNetwork: 'BASE' }))).toBe(300)
  })
})
