// Which amounts count towards an agent's limits, for how long, and in which currency.
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import {
  type Acting,
  changeAgent,
  createActing,
  pullOf,
  quoteOf,
  transferOf,
  usageOf,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { type ActionFace, actionFaces } from '#test/setup/agents/action-faces.ts'
import { agentFaces, callRest } from '#test/setup/agents/agent-faces.ts'

const DAY_MS = 86_400_000
const day = (offset: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + offset * DAY_MS)
const isOfThisMonth = (date: Date) => date.toISOString().slice(0, 7) === new Date().toISOString().slice(0, 7)

const used = (acting: Acting, usageDay: Date) =>
  changeAgent(acting, { usageDay, dailyTransactionCount: 3, dailySpend: 3_000n, monthlySpend: 9_000n })

/** The usage as the platform reads it over both APIs. */
const shown = async ({ platform, agentId }: Acting) => {
  const usages = await Promise.all(agentFaces.map(async (face) => (await face.read(platform, agentId)).body.usage))
  expect(usages[0]).toEqual(usages[1])
  const { dailyTransactionCount, dailySpend, monthlySpend, dailyResetDate, monthlyResetMonth } = usages[0]
  return { figures: [dailyTransactionCount, dailySpend, monthlySpend], resets: [dailyResetDate, monthlyResetMonth] }
}

describe.each(actionFaces)('over $name', (face) => {
  const spend = async (acting: Acting, amount: number) =>
    (await face.transferOut(acting.agent, transferOf(acting, amount))).body

  it('counts transactions and amounts, including transfers in and the amounts that fees are taken from', async () => {
    const acting = await createActing()
    await spend(acting, 1_000)
    await face.transferIn(acting.agent, pullOf(acting, 500))
    const quote = await face.createQuote(acting.agent, { ...quoteOf(acting, 10_000) })
    await face.execute(acting.agent, quote.body.id)
    expect((await shown(acting)).figures).toEqual([3, 11_500, 11_500])
  })

  it('counts an action when it executes, not while it waits, and not if it never executes', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED', dailyTransactionLimit: 1 })
    const { owner, agentId } = acting
    const [approved, rejected, failed] = [await spend(acting, 100), await spend(acting, 200), await spend(acting, 300)]
    expect(await usageOf(acting)).toEqual([0, 0, 0])
    await face.reject(owner, agentId, rejected.id)
    expect(await usageOf(acting)).toEqual([0, 0, 0])
    expect((await face.approve(owner, agentId, approved.id)).body.status).toBe('APPROVED')
    expect(await usageOf(acting)).toEqual([1, 100, 100])
    expect((await face.approve(owner, agentId, failed.id)).body.status).toBe('FAILED')
    expect(await usageOf(acting)).toEqual([1, 100, 100])
  })

  it('starts a new day at 00:00 UTC, and keeps the month', async () => {
    const acting = await createActing({ dailyLimit: 3_000n, dailyTransactionLimit: 3 })
    await used(acting, day(0))
    expect((await shown(acting)).figures).toEqual([3, 3_000, 9_000])
    expect((await spend(acting, 1)).code).toBe('VELOCITY_LIMIT_EXCEEDED')

    const yesterday = day(-1)
    await used(acting, yesterday)
    const month = isOfThisMonth(yesterday) ? 9_000 : 0
    expect((await shown(acting)).figures).toEqual([0, 0, month])
    expect((await spend(acting, 3_000)).status).toBe('APPROVED')
    expect(await usageOf(acting)).toEqual([1, 3_000, month + 3_000])
  })

  it('starts a new month after the last day', async () => {
    const acting = await createActing({ monthlyLimit: 9_000n })
    const first = new Date(`${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`)
    await used(acting, first)
    expect((await spend(acting, 1)).code).toBe('VELOCITY_LIMIT_EXCEEDED')
    await used(acting, new Date(first.getTime() - DAY_MS))
    expect((await shown(acting)).figures).toEqual([0, 0, 0])
    expect((await spend(acting, 9_000)).status).toBe('APPROVED')
    expect(await usageOf(acting)).toEqual([1, 9_000, 9_000])
  })

  it('is not reset again by a process whose clock is still on the previous day', async () => {
    const acting = await createActing({ dailyTransactionLimit: 3 })
    await used(acting, day(1))
    expect((await spend(acting, 1)).code).toBe('VELOCITY_LIMIT_EXCEEDED')
    await changeAgent(acting, { dailyTransactionLimit: null })
    await spend(acting, 1)
    expect(await usageOf(acting)).toEqual([4, 3_001, 9_001])
    const { usageDay } = await db.agent.findFirstOrThrow({ where: { id: uuidOf(acting.agentId) } })
    expect(usageDay).toEqual(day(1))
  })

  it('is returned with its reset dates', async () => {
    const { resets } = await shown(await createActing())
    const next = new Date()
    next.setUTCMonth(next.getUTCMonth() + 1, 1)
    expect(resets).toEqual([day(1).toISOString().slice(0, 10), next.toISOString().slice(0, 7)])
  })

  it('is in the currency of the limits, rounded up, even after that currency changes', async () => {
    const acting = await createActing({ limitCurrency: 'EUR' })
    await spend(acting, 1)
    await spend(acting, 10_000)
    // 0.92 and 9,200.00000033 cents.
    expect((await shown(acting)).figures).toEqual([2, 1 + inEuros(10_000), 1 + inEuros(10_000)])
    await policy(face, acting, { spendingLimits: { currency: 'USD' } })
    const [count, daily] = (await shown(acting)).figures
    expect(count).toBe(2)
    expect(daily).toBeGreaterThanOrEqual(10_001)
    expect(daily).toBeLessThanOrEqual(10_003)
  })

  it('does not exceed the largest amount, which uses up every limit', async () => {
    const most = 9_000_000_000_000_000n
    const acting = await createActing({ dailySpend: most - 1n, monthlySpend: most - 1n, usageDay: day(0) })
    expect((await spend(acting, 1_000)).status).toBe('APPROVED')
    expect((await shown(acting)).figures).toEqual([1, Number(most), Number(most)])
    await policy(face, acting, { spendingLimits: { currency: 'IDR', perTransactionLimit: Number(most) } })
    expect((await shown(acting)).figures).toEqual([1, Number(most), Number(most)])
    await policy(face, acting, { spendingLimits: { dailyLimit: Number(most) } })
    expect((await spend(acting, 1)).code).toBe('VELOCITY_LIMIT_EXCEEDED')
  })
})

const inEuros = (cents: number) => Math.ceil((cents * 100_000_000) / 108_695_652)

const policy = async (face: ActionFace, { platform, agentId }: Acting, changes: object) => {
  const management = agentFaces.find(({ name }) => name === face.name)
  expect((await management?.updatePolicy(platform, agentId, changes))?.status).toBe(200)
}

it('an agent reads its own usage', async () => {
  const acting = await createActing()
  await used(acting, day(0))
  const { body } = await callRest(acting.agent, 'GET', '/agents/me')
  expect(body.usage).toMatchObject({ dailyTransactionCount: 3, dailySpend: 3_000, monthlySpend: 9_000 })
})
