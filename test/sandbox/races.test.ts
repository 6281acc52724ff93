// Money that is pushed twice, and cancellations that race with the payout: each happens once, and the ledger balances.
import { expect, it } from 'vitest'
import {
  createOutside,
  createPayer,
  fundsOf,
  movementsOf,
  quoteInput,
  timelineOf,
} from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'

const ROUNDS = 5

it('only one of several pushes for one quote starts the payment', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { platform, iban, customerId } = await createPayer()
    const { body: quote } = await send(platform, 'POST', '/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
      destination: { destinationType: 'ACCOUNT', accountId: iban },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    })
    const push = (currencyAmount: number) =>
      send(platform, 'POST', '/sandbox/send', { quoteId: quote.id, currencyCode: 'USD', currencyAmount })
    const answers = await Promise.all([10_000, 10_000, 9_999, 10_000, 1].map(push))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect(await movementsOf(platform, quote.transactionId)).toHaveLength(1)
  }
})

it('deposits add up', async () => {
  const { platform, dollars } = await createPayer({ balance: 0n })
  const fund = () => send(platform, 'POST', `/sandbox/internal-accounts/${dollars}/fund`, { amount: 7 })
  const answers = await Promise.all(Array.from({ length: 10 }, fund))
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(await fundsOf(platform, dollars)).toEqual([70, 70])
})

it('a cancellation and a payout at the same time: the payment arrives, or its money is returned', async () => {
  const ends = new Set<string>()
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const { platform, dollars } = await createPayer()
    const outside = await createOutside(platform, '001', { paymentRails: ['ACH'] })
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    const id = quote.transactionId
    const cancel = () => send(platform, 'POST', `/transactions/${id}/cancel`)
    const advance = () => send(platform, 'POST', '/sandbox/advance-time', { seconds: 5 })
    const [{ status }] = await Promise.all(round % 2 === 0 ? [cancel(), advance()] : [cancel(), advance(), advance()])
    await advance()
    const { body } = await send(platform, 'GET', `/transactions/${id}`)
    ends.add(`${status} ${body.status} ${body.refund?.status}`)
    expect(await fundsOf(platform, dollars)).toEqual(status === 200 ? [100_000, 100_000] : [90_000, 90_000])
    expect(await movementsOf(platform, id)).toHaveLength(2)
    expect(await timelineOf(platform, id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  }
  for (const end of ends) expect(['200 COMPLETED COMPLETED', '409 COMPLETED undefined']).toContain(end)
})
