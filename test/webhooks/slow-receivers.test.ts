// Receivers that hang delay neither other receivers nor payments.
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { changeAccounts, createAccounts, setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { type Receiver, startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const HANGING = Number(process.env['WEBHOOK_HANGING'] ?? 30)
const SAMPLES = Number(process.env['WEBHOOK_SAMPLES'] ?? 15)

useSending()

it('receivers that hang do not keep others waiting', async () => {
  const good = await startReceiver()
  const hanging = await startReceiver(() => new Promise<number>(() => {}))
  const payer = await createPayer()
  const { platform } = payer
  await setEndpoint(platform, good.url, ['INTERNAL_ACCOUNT.STATUS_UPDATED'])
  const accounts = await createAccounts(platform, SAMPLES)

  const stuck = await Promise.all(Array.from({ length: HANGING }, () => stickTo(hanging)))
  await expect.poll(() => hanging.received.length).toBeGreaterThanOrEqual(HANGING)
  for (const account of accounts) {
    const seen = good.received.length
    await changeAccounts(platform, [account])
    await expect.poll(() => good.received.length, { timeout: 60_000, interval: 2 }).toBeGreaterThan(seen)
    const { status } = await send(platform, 'POST', '/transfer-out', transferInput(payer.dollars, payer.outside, 100))
    expect(status).toBe(201)
  }
  // The sender gives them up after 30 seconds, so nobody has waited for the end of one.
  expect(hanging.ended()).toBe(0)
  await db.$executeRaw`delete from webhook_lanes where platform_id = any(${stuck.map(({ id }) => id)}::uuid[])`
  hanging.close()
  good.close()
}, 900_000)

/** A platform with 10 objects whose events all hang. */
const stickTo = async (hanging: Receiver): Promise<Platform> => {
  const platform = await createPlatform()
  await setEndpoint(platform, hanging.url)
  await changeAccounts(platform, await createAccounts(platform, 10))
  return platform
}
