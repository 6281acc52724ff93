// Payments in production, where no provider settles them.
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, fundsOf, quoteInput, timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { changePlatform, createCustomer, createInternalAccount } from '#test/setup/world.ts'

const createProductionPayer = async () => {
  const payer = await createPayer()
  await changePlatform(payer.platform, { environment: 'PRODUCTION' })
  const { id: customerId } = await createCustomer(payer.platform)
  const friend = await createInternalAccount(payer.platform, { customerId })
  return { ...payer, friend: publicId('InternalAccount', friend.id) }
}
type Paying = Awaited<ReturnType<typeof createProductionPayer>>

const pay = async ({ platform, dollars }: Paying, to: string) => {
  const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, to, 10_000))
  expect((await send(platform, 'POST', `/quotes/${quote.id}/execute`)).status).toBe(200)
  return quote.transactionId as string
}

it('a payment between internal accounts arrives, because all its money is in the ledger', async () => {
  const payer = await createProductionPayer()
  const id = await pay(payer, payer.friend)
  await passTime(payer.platform.id)
  expect(await timelineOf(payer.platform, id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([90_000, 90_000])
  expect(await fundsOf(payer.platform, payer.friend)).toEqual([10_000, 10_000])
})

it('a payment to an internal account that was closed meanwhile is refunded', async () => {
  const payer = await createProductionPayer()
  const id = await pay(payer, payer.friend)
  await db.internalAccount.updateMany({ where: { id: payer.friend.split(':')[1] ?? '' }, data: { status: 'CLOSED' } })
  await passTime(payer.platform.id)
  expect(await timelineOf(payer.platform, id)).toEqual(['PENDING', 'PROCESSING', 'FAILED QUOTE_EXECUTION_FAILED'])
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([100_000, 100_000])
})
