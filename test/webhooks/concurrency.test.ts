// Events of several objects are sent to an endpoint at the same time (docs/domain/events.md#delivery).
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import {
  changeAccounts,
  createAccounts,
  endpointOf,
  passWaits,
  setEndpoint,
  statusesOf,
  toldOf,
} from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import { createPlatform } from '#test/setup/world.ts'

useSending()

it('keeps the order of each object, and sends the events of up to 32 objects concurrently', async () => {
  const receiver = await startReceiver(async () => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30))
    return Math.random() < 0.03 ? 500 : 200
  })
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  const accounts = await createAccounts(platform, 40)
  for (let round = 0; round < 5; round++) await changeAccounts(platform, accounts)
  await expect
    .poll(async () => {
      await passWaits(platform)
      return statusesOf(platform)
    })
    .toEqual({ DELIVERED: 200 })
  for (const [subject, told] of await toldOf(platform)) {
    const first = receiver.received.filter((one) => one.subject === subject).map(({ id }) => id)
    // Retries follow a failure directly.
    expect(first.filter((id, index) => id !== first[index - 1])).toEqual(told)
  }
  expect(receiver.mostOpen()).toBeGreaterThan(1)
  expect(receiver.mostOpen()).toBeLessThanOrEqual(32)
  receiver.close()
})

it('counts the failures of requests that were open at the same time as one, so a short outage does not suspend it', async () => {
  let open = 0
  let isDown = true
  const receiver = await startReceiver(async () => {
    open += 1
    await expect.poll(() => open).toBeGreaterThanOrEqual(32)
    return isDown ? 500 : 200
  })
  const platform = await createPlatform()
  await setEndpoint(platform, receiver.url)
  await changeAccounts(platform, await createAccounts(platform, 32))
  await expect.poll(async () => (await endpointOf(platform)).failingSince).not.toBeNull()
  const attempts = () => db.$queryRaw`select 1 from webhook_attempts where platform_id = ${platform.id}::uuid`
  await expect.poll(attempts).toHaveLength(32)
  isDown = false
  expect(await endpointOf(platform)).toMatchObject({ status: 'ENABLED' })
  await expect
    .poll(async () => {
      await passWaits(platform)
      return statusesOf(platform)
    })
    .toEqual({ DELIVERED: 32 })
  expect(await endpointOf(platform)).toMatchObject({ status: 'ENABLED', failingSince: null })
  receiver.close()
})
