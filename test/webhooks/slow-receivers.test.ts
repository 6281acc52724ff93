// Receivers that hang delay neither other receivers nor payments.
// Own process: sets WEBHOOK_ALLOW_PRIVATE, and sends what is due in the whole database.
import { expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { changeAccounts, createAccounts, setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { type Receiver, startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

vi.hoisted(() => {
  process.env['WEBHOOK_ALLOW_PRIVATE'] = 'true'
})

const HANGING = Number(process.env['WEBHOOK_HANGING'] ?? 30)
const SAMPLES = Number(process.env['WEBHOOK_SAMPLES'] ?? 15)

useSending()

const at = (quantile: number, values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * quantile)] ?? 0

it('receivers that hang do not keep others waiting', async () => {
  const good = await startReceiver()
  const hanging = await startReceiver(() => new Promise<number>(() => {}))
  const payer = await createPayer()
  const { platform } = payer
  await setEndpoint(platform, good.url, ['INTERNAL_ACCOUNT.STATUS_UPDATED'])
  const accounts = await createAccounts(platform, SAMPLES)

  const arrival = async (account: string) => {
    const seen = good.received.length
    const began = performance.now()
    await changeAccounts(platform, [account])
    await expect.poll(() => good.received.length, { timeout: 30_000, interval: 2 }).toBeGreaterThan(seen)
    return performance.now() - began
  }
  const payment = async () => {
    const began = performance.now()
    const { status } = await send(platform, 'POST', '/transfer-out', transferInput(payer.dollars, payer.outside, 100))
    expect(status).toBe(201)
    return performance.now() - began
  }
  const measure = async () => {
    const arrivals = []
    const payments = []
    for (const account of accounts) {
      arrivals.push(await arrival(account))
      payments.push(await payment())
    }
    return { arrivals, payments }
  }
  await measure()
  const alone = await measure()
  const stuck = await Promise.all(Array.from({ length: HANGING }, () => stickTo(hanging)))
  await expect.poll(() => hanging.received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(HANGING)
  const beside = await measure()
  for (const what of ['arrivals', 'payments'] as const) {
    const [p50, p99] = [0.5, 0.99].map((quantile) =>
      [alone, beside].map((times) => Math.round(at(quantile, times[what]))),
    )
    console.log(`hanging receivers ${HANGING}: ${what} alone and beside, p50 ${p50} ms, p99 ${p99} ms`)
    // The limit has a minimum, because a busy machine is slow for other reasons.
    expect(p50?.[1]).toBeLessThan(Math.max(2 * (p50?.[0] ?? 0), 200))
    // Nobody waits for the end of a request that hangs.
    expect(p99?.[1]).toBeLessThan(10_000)
  }
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
