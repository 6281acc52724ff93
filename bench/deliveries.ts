// Delivers the events of some platforms to a receiver in its own process, which answers at once.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_PERMISSIONS } from '#core/caller.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { numberEventsOf } from '#events/numbering.ts'
import { setEndpoint } from '#webhooks/endpoint.ts'
import { startSending } from '#webhooks/sending/sender.ts'
import { createPlatform } from './payers.ts'

const OBJECTS = 200
const EVENTS_OF_AN_OBJECT = 5

let received = 0
const receiver = createServer((request, response) => {
  request.resume().once('end', () => {
    received += 1
    response.end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

/** A platform whose events wait for delivery. Each object has several, which are sent one after the other. */
const createBacklog = async (): Promise<PlatformId> => {
  const platformId = await createPlatform()
  const account = { platformId, type: 'INTERNAL_FIAT', status: 'ACTIVE', currency: 'USD' } as const
  await db.internalAccount.createMany({ data: Array.from({ length: OBJECTS }, () => ({ ...account, id: newUuid() })) })
  const caller = {
    scheme: 'PLATFORM',
    platformId,
    environment: 'SANDBOX',
    tokenId: newUuid(),
    permissions: API_PERMISSIONS,
  } as const
  await setEndpoint(caller, { url, types: ['INTERNAL_ACCOUNT.STATUS_UPDATED'] })
  for (let change = 0; change < EVENTS_OF_AN_OBJECT; change += 1) {
    const status = change % 2 === 0 ? 'FROZEN' : 'ACTIVE'
    await db.internalAccount.updateMany({ where: { platformId }, data: { status } })
  }
  await numberEventsOf(platformId)
  return platformId
}

const deliver = async (platforms: number): Promise<number> => {
  for (let created = 0; created < platforms; created += 1) await createBacklog()
  const expected = received + platforms * OBJECTS * EVENTS_OF_AN_OBJECT
  const start = performance.now()
  const sending = startSending()
  sending.wake()
  while (received < expected) await new Promise((resolve) => setTimeout(resolve, 10))
  const milliseconds = performance.now() - start
  await sending.stop()
  return (platforms * OBJECTS * EVENTS_OF_AN_OBJECT * 1_000) / milliseconds
}

process.on('message', ({ platforms }: { platforms: number }) => {
  void deliver(platforms).then(
    (perSecond) => process.send?.({ perSecond }),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
process.send?.({})
