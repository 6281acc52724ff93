// A process whose lease has ended changes nothing (docs/domain/events.md#delivery).
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { send } from '#test/setup/payments/payment-faces.ts'
import { changeAccounts, createAccounts, setEndpoint, statusesOf } from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { useSending } from '#test/setup/webhooks/sending.ts'
import { createPlatform } from '#test/setup/world.ts'

useSending()

/** Starts a receiver that replies with this status once `answer` is called. */
const startSlowReceiver = async (status: number) => {
  let answer = () => {}
  const told = new Promise<number>((resolve) => {
    answer = () => resolve(status)
  })
  return { ...(await startReceiver(() => told)), answer }
}

it('an answer from before a removal does not end the wait for the answer to a later event of the object', async () => {
  const [previous, current] = [await startSlowReceiver(500), await startSlowReceiver(200)]
  const platform = await createPlatform()
  const accounts = await createAccounts(platform, 1)
  await setEndpoint(platform, previous.url)
  await changeAccounts(platform, accounts)
  await expect.poll(() => previous.received.length).toBe(1)
  await send(platform, 'PATCH', '/config', { webhookEndpoint: null })
  await setEndpoint(platform, current.url)
  await changeAccounts(platform, accounts)
  await expect.poll(() => current.received.length).toBe(1)

  previous.answer()
  await expect.poll(() => previous.ended()).toBe(1)
  await wait(1_000)
  current.answer()
  await expect.poll(() => statusesOf(platform)).toEqual({ SKIPPED: 1, DELIVERED: 1 })
  expect(current.received).toHaveLength(1)
  previous.close()
  current.close()
})
