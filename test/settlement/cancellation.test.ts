// Cancelling payments and confirming receipts over both APIs (docs/domain/transactions.md#cancellation).
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { numberEvents } from '#events/numbering.ts'
import {
  createOutside,
  createPayer,
  fundsOf,
  movementsOf,
  quoteInput,
  timelineOf,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { type SandboxFace, sandboxFaces } from '#test/setup/sandbox/sandbox-faces.ts'
import {
  cardUse,
  changePlatform,
  createCard,
  createToken,
  createTransactions,
  type Platform,
} from '#test/setup/world.ts'

type Payer = Awaited<ReturnType<typeof createPayer>>
const bare = (id: string) => id.slice(id.indexOf(':') + 1)

/** An outgoing payment over this rail that stays with the bank for six minutes. */
const underWay = async ({ platform, dollars }: Payer, rail: string, suffix = '003') => {
  const outside = await createOutside(platform, suffix, { paymentRails: [rail] })
  const { body } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))
  await send(platform, 'POST', `/quotes/${body.id}/execute`)
  return body.transactionId as string
}

/** A transfer from a bank account that is pending for 30 seconds. */
const pulled = async (face: SandboxFace, { platform, dollars, customerId }: Payer, seconds = 1) => {
  const bank = await createOutside(platform, '005', { ownerId: customerId })
  const { body } = await send(platform, 'POST', '/transfer-in', transferInput(bank, dollars, 700))
  if (seconds > 0) await face.advanceTime(platform, { seconds })
  return body.id as string
}

const read = async (platform: Platform, id: string) => (await send(platform, 'GET', `/transactions/${id}`)).body

const eventsOf = async (platform: Platform, id: string): Promise<string[]> => {
  await numberEvents()
  const { body } = await send(platform, 'GET', `/webhooks/events?subjectId=${id}&sortOrder=asc`)
  return body.data.map(({ type }: { type: string }) => type.split('.')[1])
}

describe.each(sandboxFaces)('over $name', (face) => {
  it.each(['ACH', 'WIRE'])('a payment over %s is refunded, and then completed', async (rail) => {
    const payer = await createPayer()
    const { platform, dollars } = payer
    const id = await underWay(payer, rail)
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
    const { status, body } = await face.cancel(platform, id, { reason: 'Ordered twice' })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { id, status: 'PROCESSING', refund: { status: 'PENDING', reason: 'USER_CANCELLATION' } },
    })
    await face.advanceTime(platform, { seconds: 2 })
    expect(await read(platform, id)).toMatchObject({ status: 'COMPLETED', refund: { status: 'COMPLETED' } })
    expect(await timelineOf(platform, id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED Ordered twice'])
    expect(await eventsOf(platform, id)).toEqual([
      'PENDING',
      'PROCESSING',
      'REFUND_PENDING',
      'REFUND_COMPLETED',
      'COMPLETED',
    ])
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    // The payout that was under way finds the payment cancelled.
    await face.advanceTime(platform, { seconds: 3_600 })
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    expect(await movementsOf(platform, id)).toHaveLength(2)
  })

  it('the payout does not overtake a refund that is under way', async () => {
    const payer = await createPayer()
    const id = await underWay(payer, 'ACH', '001')
    await face.cancel(payer.platform, id)
    // The payout falls due before the refund.
    await face.advanceTime(payer.platform, { seconds: 10 })
    expect(await read(payer.platform, id)).toMatchObject({ status: 'COMPLETED', refund: { status: 'COMPLETED' } })
    expect(await fundsOf(payer.platform, payer.dollars)).toEqual([100_000, 100_000])
  })

  it('a transfer from a bank account credits nothing', async () => {
    const payer = await createPayer()
    const { platform, dollars } = payer
    const id = await pulled(face, payer)
    expect((await face.cancel(platform, id)).body).toMatchObject({
      type: 'INCOMING',
      status: 'PROCESSING',
      refund: { status: 'PENDING', reason: 'USER_CANCELLATION' },
    })
    await face.advanceTime(platform, { seconds: 60 })
    expect(await timelineOf(platform, id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    expect(await movementsOf(platform, id)).toEqual([])
  })

  it('is refused for other payments, too early and too late', async () => {
    const payer = await createPayer()
    const { platform, dollars, customerId } = payer
    const other = await createPayer()
    const card = await createCard(platform, { customerId: bare(customerId), accountId: bare(dollars) })
    const [used] = await createTransactions(platform, [
      cardUse({
        cardId: card.id,
        customerId: bare(customerId),
        platformCustomerId: payer.platformCustomerId,
        sourceInternalAccountId: bare(dollars),
      }),
    ])
    const cancelled = await underWay(payer, 'ACH')
    await face.cancel(platform, cancelled)
    const early = await pulled(face, payer, 0)
    const late = await underWay(payer, 'ACH', '001')
    await send(platform, 'POST', '/sandbox/internal-accounts/x/fund', { amount: 1 })
    await send(platform, 'POST', `/sandbox/internal-accounts/${dollars}/fund`, { amount: 1 })
    const deposit = (await send(platform, 'GET', '/transactions?type=INCOMING&limit=1')).body.data[0].id
    const cases: readonly (readonly [id: string, answer: object])[] = [
      [publicId('Transaction', randomUUID()), { status: 404, code: 'TRANSACTION_NOT_FOUND' }],
      [await underWay(other, 'ACH'), { status: 404, code: 'TRANSACTION_NOT_FOUND' }],
      [publicId('Transaction', used?.id ?? ''), { status: 404, code: 'TRANSACTION_NOT_FOUND' }],
      [publicId('CardTransaction', used?.id ?? ''), { status: 404, code: 'TRANSACTION_NOT_FOUND' }],
      [await underWay(payer, 'RTP'), { status: 400, code: 'INVALID_INPUT' }],
      [deposit, { status: 400, code: 'INVALID_INPUT' }],
      [early, { status: 409, code: 'TRANSACTION_NOT_CANCELLABLE', details: { reason: 'NOT_STARTED' } }],
      [cancelled, { status: 409, code: 'TRANSACTION_NOT_CANCELLABLE', details: { reason: 'TOO_LATE' } }],
    ]
    for (const [id, answer] of cases) expect((await face.cancel(platform, id)).body).toMatchObject(answer)
    await face.advanceTime(platform, { seconds: 2 })
    expect((await face.cancel(platform, late)).body).toMatchObject({ status: 409, details: { reason: 'TOO_LATE' } })
    expect((await face.cancel(platform, late, { reason: '' })).body).toMatchObject({ status: 400 })
    const viewer = { id: platform.id, clientId: randomUUID(), secret: 'secret' }
    await createToken(platform.id, viewer, ['VIEW', 'MANAGE'])
    expect((await face.cancel(viewer, late)).body).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect((await face.confirm(viewer, late)).body).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  })

  it('is not available in production, where no provider makes the refund', async () => {
    const payer = await createPayer()
    const id = await underWay(payer, 'ACH')
    await changePlatform(payer.platform, { environment: 'PRODUCTION' })
    expect((await face.cancel(payer.platform, id)).body).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
    expect(await read(payer.platform, id)).not.toHaveProperty('refund')
  })

  it('a receipt is confirmed with the given time or the current one, any number of times', async () => {
    const payer = await createPayer()
    const { platform } = payer
    const id = await underWay(payer, 'ACH')
    const at = '2026-01-31T09:30:00.000Z'
    const told = await face.confirm(platform, id, { receiptDeliveryConfirmedAt: '2026-01-31T10:30:00+01:00' })
    expect(told).toMatchObject({ status: 200, body: { id, receiptDeliveryConfirmedAt: at } })
    const before = Date.now()
    const { body } = await face.confirm(platform, id)
    expect(Date.parse(body.receiptDeliveryConfirmedAt)).toBeGreaterThan(before - 60_000)
    expect(body.updatedAt >= body.receiptDeliveryConfirmedAt).toBe(true)
    expect(await read(platform, id)).toMatchObject({ receiptDeliveryConfirmedAt: body.receiptDeliveryConfirmedAt })
    const other = await createPayer()
    for (const [from, name] of [
      [other.platform, id],
      [platform, publicId('Transaction', randomUUID())],
      [platform, publicId('CardTransaction', bare(id))],
    ] as const) {
      expect((await face.confirm(from, name)).body).toMatchObject({ status: 404, code: 'TRANSACTION_NOT_FOUND' })
    }
    expect((await face.confirm(platform, id, { receiptDeliveryConfirmedAt: 'yesterday' })).body).toMatchObject({
      status: 400,
    })
  })
})
