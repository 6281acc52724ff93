// The life of a card over both faces: it is ordered, used, frozen, released and closed.
import { describe, expect, it } from 'vitest'
import { cardFaces } from '#test/setup/cards/card-faces.ts'
import {
  authorized,
  createShopper,
  purchase,
  readTransaction,
  type Shopper,
  SOON,
  simulated,
  transactionOf,
} from '#test/setup/cards/shoppers.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { fundsOf } from '#test/setup/payments/payers.ts'

describe.each(cardFaces)('over $name', (face) => {
  it('a card pays for coffee, gets a part back, declines while it is frozen, and is closed for good', async () => {
    const { platform, customerId, accountId } = await createShopper()
    const { status, body: ordered } = await face.create(platform, {
      cardholderId: customerId,
      platformCardId: 'coffee-card',
      form: 'VIRTUAL',
      fundingSources: [accountId],
    })
    expect({ status, body: ordered }).toMatchObject({ status: 201, body: { state: 'PROCESSING', currency: 'USD' } })
    await passTime(platform.id, SOON)
    expect((await face.reveal(platform, ordered.id)).status).toBe(200)

    const shopper: Shopper = { platform, customerId, accountId, cardId: ordered.id }
    const cardTransactionId = await authorized(shopper, 1_250, undefined, face)
    await passTime(platform.id, SOON)
    await simulated(shopper, 'clearing', { cardTransactionId, amount: 1_250 }, face)
    await passTime(platform.id, SOON)
    expect(await readTransaction(shopper, cardTransactionId)).toMatchObject({ cardId: ordered.id, status: 'SETTLED' })
    expect(await fundsOf(platform, accountId)).toEqual([18_750, 18_750])
    await simulated(shopper, 'return', { cardTransactionId, amount: 250 }, face)
    await passTime(platform.id, SOON)
    expect(await readTransaction(shopper, cardTransactionId)).toMatchObject({ status: 'REFUNDED' })
    expect(await fundsOf(platform, accountId)).toEqual([19_000, 19_000])

    expect((await face.update(platform, ordered.id, { state: 'FROZEN' })).body.state).toBe('FROZEN')
    const declined = await simulated(shopper, 'authorization', purchase(100), face)
    expect(await transactionOf(shopper, declined)).toBeUndefined()
    expect((await face.update(platform, ordered.id, { state: 'ACTIVE' })).body.state).toBe('ACTIVE')
    expect((await face.update(platform, ordered.id, { state: 'CLOSED' })).body).toMatchObject({
      state: 'CLOSED',
      stateReason: 'CLOSED_BY_PLATFORM',
    })
    expect(await face.update(platform, ordered.id, { state: 'ACTIVE' })).toMatchObject({ status: 409 })
    expect((await face.simulate(platform, ordered.id, 'authorization', purchase(100))).status).toBe(400)
    expect(await fundsOf(platform, accountId)).toEqual([19_000, 19_000])
  })
})
