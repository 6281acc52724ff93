// Senders that die in the middle of sending lose nothing, and repeat only with the same id.
// Own process: starts gateways that send what is due in the whole database.
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { startGateway } from '#test/setup/gateway-process.ts'
import { changeAccounts, createAccounts, setEndpoint, statusesOf, toldOf } from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { createPlatform } from '#test/setup/world.ts'

const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 2)
const DELIVERIES = Number(process.env['WEBHOOK_DELIVERIES'] ?? 200)
const OBJECTS = 20

const settings = { WEBHOOK_ALLOW_PRIVATE: 'true' }

it('delivers each event, in the order of its object', async () => {
  const receiver = await startReceiver(() => new Promise((resolve) => setTimeout(resolve, Math.random() * 100, 200)))
  const platform = await createPlatform()
  // No gateway sends yet, so this address is refused here and set below.
  await setEndpoint(platform, 'https://platform.example/')
  await db.$executeRaw`update webhook_endpoints set url = ${receiver.url} where platform_id = ${platform.id}::uuid`
  const accounts = await createAccounts(platform, OBJECTS)
  let isDone = false
  const watching = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setTimeout(resolve, 500))
      // The leases of those who died would end after 45 seconds, which is longer than any request.
      await db.$executeRaw`
        update webhook_lanes set due_at = now() where platform_id = ${platform.id}::uuid and is_leased and due_at < now() + interval '42 seconds'`
      await db.$executeRaw`
        update webhook_lanes set due_at = now() where platform_id = ${platform.id}::uuid and not is_leased and due_at > now()`
      await db.$executeRaw`
        update webhook_endpoints set probe_at = now() where platform_id = ${platform.id}::uuid and status = 'SUSPENDED'`
    }
  })()
  const started = [await startGateway(settings), await startGateway(settings)]
  const rounds = DELIVERIES / OBJECTS / KILLS
  for (let kill = 0; kill < KILLS; kill++) {
    const before = receiver.received.length
    for (let round = 0; round < rounds; round++) await changeAccounts(platform, accounts)
    await expect
      .poll(() => receiver.received.length, { timeout: 60_000, interval: 5 })
      .toBeGreaterThan(before + (rounds * OBJECTS) / 3)
    await started.shift()?.kill()
    started.push(await startGateway(settings))
  }
  await expect.poll(() => statusesOf(platform), { timeout: 200_000, interval: 250 }).toEqual({ DELIVERED: DELIVERIES })
  isDone = true
  await watching
  await Promise.all(started.map((gateway) => gateway.kill()))
  receiver.close()

  let disordered = 0
  let lost = 0
  const told = await toldOf(platform)
  for (const [subject, expected] of told) {
    const ids = receiver.received.filter((one) => one.subject === subject).map(({ id }) => id)
    const firsts = [...new Set(ids)]
    lost += expected.filter((id) => !firsts.includes(id)).length
    if (JSON.stringify(firsts) !== JSON.stringify(expected)) disordered += 1
  }
  const ids = receiver.received.map(({ id }) => id)
  const repeated = ids.length - new Set(ids).size
  console.log(
    `kills ${KILLS}, events ${DELIVERIES}, lost ${lost}, repeated with the same id ${repeated}, objects out of order ${disordered}`,
  )
  expect([lost, disordered, new Set(ids).size]).toEqual([0, 0, DELIVERIES])
  // At most the requests that a sender had in flight when it died.
  expect(repeated).toBeLessThanOrEqual(KILLS * 32)
}, 600_000)
