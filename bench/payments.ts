// Makes payments in its own process, each from the transfer to its arrival, with events or without.
import { API_PERMISSIONS, type PlatformCaller } from '#core/caller.ts'
import { newUuid } from '#core/ids.ts'
import { db, pool } from '#database/db.ts'
import { startNumbering } from '#events/numbering.ts'
import { recordNothing } from '#idempotency/idempotency.ts'
import { advancePayment } from '#settlement/sandbox/events.ts'
import { startTransfer } from '#transfers/start.ts'
import { createTransferOut } from '#transfers/transfer.ts'
import { createPayer, createPlatform, type Payer } from './payers.ts'

if (process.env['WITH_EVENTS'] === 'false') {
  // The triggers still fire, and return at once.
  pool.options.onConnect = (client) => client.query(`set app.events = 'off'`)
}

const platformId = await createPlatform()
const caller: PlatformCaller = {
  scheme: 'PLATFORM',
  platformId,
  environment: 'SANDBOX',
  tokenId: newUuid(),
  permissions: API_PERMISSIONS,
}

const pay = async ({ from, to }: Payer) => {
  const transfer = { source: { accountId: from }, destination: { accountId: to }, amount: 100 }
  const { id: transactionId } = await createTransferOut(caller, transfer, recordNothing)
  await startTransfer.run({ platformId, transactionId })
  await advancePayment.run({ platformId, transactionId, event: 0 })
}

const PAYERS = 8
const payers = await Promise.all(Array.from({ length: PAYERS }, () => createPayer(platformId)))
startNumbering(() => {})

process.on('message', ({ seconds }: { seconds: number }) => {
  void (async () => {
    const end = performance.now() + seconds * 1_000
    let paid = 0
    const before = await db.$queryRaw<
      { count: number }[]
    >`select last_position::int as count from event_streams where platform_id = ${platformId}::uuid`
    await Promise.all(
      payers.map(async (payer) => {
        while (performance.now() < end) {
          await pay(payer)
          paid += 1
        }
      }),
    )
    const after = await db.$queryRaw<
      { count: number }[]
    >`select last_position::int as count from event_streams where platform_id = ${platformId}::uuid`
    process.send?.({ perSecond: paid / seconds, events: ((after[0]?.count ?? 0) - (before[0]?.count ?? 0)) / seconds })
  })().catch((error) => process.send?.({ failure: String(error) }))
})
process.on('disconnect', () => process.exit())
process.send?.({})
