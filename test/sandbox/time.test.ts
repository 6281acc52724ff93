// The clock of the sandbox over both APIs (docs/domain/sandbox.md#time).
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { deadlines } from '#sandbox/deadlines.ts'
import { waitingOf } from '#test/setup/payments/due-jobs.ts'
import {
  createOutside,
  createPayer,
  openSession,
  quoteInput,
  timelineOf,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { sandboxFaces } from '#test/setup/sandbox/sandbox-faces.ts'
import { createEuropean } from '#test/setup/sca/europeans.ts'
import { createAgent, createAgentActions, createPlatform, createWallet, type Platform } from '#test/setup/world.ts'

const quoted = async (platform: Platform, from: string, to: string) =>
  (await send(platform, 'POST', '/quotes', quoteInput(from, to))).body

const executed = async (platform: Platform, from: string, to: string) => {
  const quote = await quoted(platform, from, to)
  await send(platform, 'POST', `/quotes/${quote.id}/execute`)
  return quote
}

describe.each(sandboxFaces)('over $name', (face) => {
  it('brings the expected settlement of transfers over ACH closer, until they end', async () => {
    const { platform, dollars, customerId } = await createPayer()
    const [fails, arrives] = await Promise.all(
      ['005', '001'].map((suffix) => createOutside(platform, suffix, { paymentRails: ['ACH'], ownerId: customerId })),
    )
    const create = async (path: string, input: object) => (await send(platform, 'POST', path, input)).body.id
    const ids = [
      await create('/transfer-in', transferInput(fails ?? '', dollars, 700)),
      await create('/transfer-out', transferInput(dollars, fails ?? '', 700)),
      await create('/transfer-in', transferInput(arrives ?? '', dollars, 700)),
    ]
    /** The status, and the seconds from the creation to the settlement, in tens. */
    const read = async (id: string) => {
      const { status, createdAt, settledAt } = (await send(platform, 'GET', `/transactions/${id}`)).body
      return [status, settledAt && Math.round((Date.parse(settledAt) - Date.parse(createdAt)) / 10_000) * 10]
    }
    await face.advanceTime(platform, { seconds: 20 })
    const underWay = ['PROCESSING', 86_400 - 20]
    expect(await Promise.all(ids.map(read))).toEqual([underWay, underWay, ['COMPLETED', 0]])
    await face.advanceTime(platform, { seconds: 20 })
    expect(await Promise.all(ids.map(read))).toEqual([
      ['FAILED', undefined],
      ['FAILED', undefined],
      ['COMPLETED', 0],
    ])
  })

  it('runs the jobs that fall due, in order, with the jobs that they add', async () => {
    const { platform, dollars, outside } = await createPayer()
    const [returned, late] = [await createOutside(platform, '005'), await createOutside(platform, '003')]
    const payments = [await executed(platform, dollars, returned), await executed(platform, dollars, late)]
    const waiting = await quoted(platform, dollars, outside)
    const { status, body } = await face.advanceTime(platform, { seconds: 10 })
    // The bank return takes three steps. A job runner may have run some of them by now.
    const jobsRun = expect.any(Number)
    expect({ status, body }).toEqual({ status: 200, body: { advancedSeconds: 10, remainingSeconds: 0, jobsRun } })
    const states = (index: number) => timelineOf(platform, payments[index]?.transactionId)
    expect(await states(0)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED COUNTERPARTY_POST_TX_FAILED'])
    expect(await states(1)).toEqual(['PENDING', 'PROCESSING'])
    // The quote expires after five minutes, the other payment arrives after six.
    await face.advanceTime(platform, { seconds: 200 })
    expect(await timelineOf(platform, waiting.transactionId)).toEqual(['PENDING'])
    // The two executed quotes have a job of their expiry too.
    expect((await face.advanceTime(platform, { seconds: 95 })).body).toMatchObject({ jobsRun: 3 })
    expect(await timelineOf(platform, waiting.transactionId)).toEqual(['PENDING', 'EXPIRED'])
    expect(await states(1)).toEqual(['PENDING', 'PROCESSING'])
    await face.advanceTime(platform, { seconds: 60 })
    expect((await states(1)).at(-1)).toBe('COMPLETED')
    expect(await waitingOf(platform.id)).toEqual([])
  })

  it('brings deadlines forward by exactly that time, and does not change the past', async () => {
    const { platform, dollars, outside } = await createPayer()
    const wallet = await createWallet(platform)
    const { sessionId } = await openSession(platform, wallet)
    const before = await quoted(platform, dollars, outside)
    await face.advanceTime(platform, { seconds: 100 })
    const { body: after } = await send(platform, 'GET', `/quotes/${before.id}`)
    expect(Date.parse(before.expiresAt) - Date.parse(after.expiresAt)).toBe(100_000)
    expect(after).toEqual({ ...before, expiresAt: after.expiresAt })
    await face.advanceTime(platform, { seconds: 300 })
    const { body: expired } = await send(platform, 'GET', `/quotes/${before.id}`)
    expect(expired.status).toBe('EXPIRED')
    const answer = await send(platform, 'POST', `/quotes/${before.id}/execute`)
    expect(answer.body).toMatchObject({ code: 'CONFLICT', details: { reason: 'QUOTE_EXPIRED' } })
    // A session of 15 minutes is open for eight more.
    const session = async () => (await send(platform, 'GET', `/auth/sessions?accountId=${wallet.accountId}`)).body.data
    expect(await session()).toMatchObject([{ id: `Session:${sessionId}` }])
    await face.advanceTime(platform, { seconds: 600 })
    expect(await session()).toEqual([])
  })

  it('ends approvals that nobody decided', async () => {
    const { platform, ...payer } = await createPayer()
    const customerId = payer.customerId.slice('Customer:'.length)
    const { id: agentId } = await createAgent(platform, { customerId })
    const [internalAccountId, externalAccountId] = [payer.dollars, payer.outside].map((id) =>
      id.slice(id.indexOf(':') + 1),
    ) as [string, string]
    const approvalExpiresAt = new Date(Date.now() + 7 * 86_400_000)
    await createAgentActions(platform, [
      { agentId, customerId, internalAccountId, externalAccountId, approvalExpiresAt },
    ])
    const statusOf = async () => (await db.agentAction.findFirstOrThrow({ where: { platformId: platform.id } })).status
    await face.advanceTime(platform, { seconds: 6 * 86_400 })
    expect(await statusOf()).toBe('PENDING_APPROVAL')
    await db.agentAction.updateMany({ where: { platformId: platform.id }, data: { approvalExpiresAt: new Date(0) } })
    await face.advanceTime(await createPlatform(), { seconds: 86_400 })
    expect(await statusOf()).toBe('PENDING_APPROVAL')
    await face.advanceTime(platform, { seconds: 86_400 })
    expect(await statusOf()).toBe('FAILED')
  })

  it('ends the lock of a customer who failed to log in', async () => {
    const { platform, customerId } = await createEuropean()
    const fail = () => send(platform, 'POST', '/sca/record-event', { customerId, eventType: 'FAILED_LOGIN_ATTEMPT' })
    for (let count = 0; count < 5; count += 1) await fail()
    await face.advanceTime(platform, { seconds: 14 * 60 })
    expect((await fail()).status).toBe(423)
    await face.advanceTime(platform, { seconds: 60 })
    expect((await fail()).body).toMatchObject({ failedAttempts: 6 })
  })

  it('does not affect other platforms', async () => {
    const [{ platform }, other] = [await createPayer(), await createPayer()]
    const quote = await quoted(other.platform, other.dollars, other.outside)
    await face.advanceTime(platform, { seconds: 86_400 })
    expect((await send(other.platform, 'GET', `/quotes/${quote.id}`)).body).toEqual(quote)
    expect(await waitingOf(other.platform.id)).toHaveLength(1)
  })

  it('settles transfers that have not started', async () => {
    const { platform, dollars, outside } = await createPayer()
    const { body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100))
    // A job runner may have run some of its jobs by now.
    expect((await face.advanceTime(platform, { seconds: 1 })).body).toMatchObject({ remainingSeconds: 0 })
    expect(await timelineOf(platform, body.id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  })

  it.each([0, -1, 1.5, 2_592_001])('refuses %s seconds', async (seconds) => {
    const platform = await createPlatform()
    const { body } = await face.advanceTime(platform, { seconds })
    expect(body.status).toBe(400)
  })
})

it('knows every deadline of the tables', async () => {
  expect((await deadlines()).map(({ table, column }) => `${table}.${column}`)).toEqual(
    expect.arrayContaining([
      'agent_actions.approval_expires_at',
      'quotes.expires_at',
      'sca_customers.authenticated_until',
      'sca_customers.locked_until',
      'wallet_sessions.expires_at',
    ]),
  )
})
