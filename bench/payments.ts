// Makes payments in its own process, each from the transfer to its arrival, with events or without.
import { postMovement } from '#accounts/ledger.ts'
import { API_PERMISSIONS, type PlatformCaller } from '#core/caller.ts'
import { newUuid, type PlatformId, publicId } from '#core/ids.ts'
import { db, pool } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { startNumbering } from '#events/numbering.ts'
import { advancePayment } from '#settlement/sandbox/events.ts'
import { startTransfer, transferOutOf } from '#transfers/transfer.ts'

if (process.env['WITH_EVENTS'] === 'false') {
  // The triggers still fire, and return at once.
  pool.options.onConnect = (client) => client.query(`set app.events = 'off'`)
}

interface Payer {
  readonly caller: PlatformCaller
  readonly from: string
  readonly to: string
}

/** A customer with enough money for every round. */
const createPayer = async (platformId: PlatformId): Promise<Payer> => {
  const own = () => ({ platformId, id: newUuid() })
  const { id: customerId } = await db.customer.create({
    data: { ...own(), platformCustomerId: newUuid(), customerType: 'INDIVIDUAL', verificationStatus: 'APPROVED' },
  })
  const account = await db.internalAccount.create({
    data: { ...own(), customerId, type: 'INTERNAL_FIAT', status: 'ACTIVE', currency: 'USD' },
  })
  const accountInfo = { accountNumber: '123456001', routingNumber: '021000021', paymentRails: ['ACH'] }
  const outside = await db.externalAccount.create({
    data: { ...own(), customerId, status: 'ACTIVE', currency: 'USD', accountType: 'USD_ACCOUNT', accountInfo },
  })
  const amount = 1_000_000_000n
  const entries = [
    { accountId: account.id, currency: 'USD', amount },
    { book: 'OUTSIDE' as const, currency: 'USD', amount: -amount },
  ]
  await inTransaction((tx) => postMovement(tx, platformId, { kind: 'OPENING', entries }))
  return {
    caller: {
      scheme: 'PLATFORM',
      platformId,
      environment: 'SANDBOX',
      tokenId: newUuid(),
      permissions: API_PERMISSIONS,
    },
    from: publicId('InternalAccount', account.id),
    to: publicId('ExternalAccount', outside.id),
  }
}

const pay = async ({ caller, from, to }: Payer) => {
  const { platformId } = caller
  const transfer = { source: { accountId: from }, destination: { accountId: to }, amount: 100 }
  const { id: transactionId } = await transferOutOf(caller, transfer, async () => {})
  await startTransfer.run({ platformId, transactionId })
  await advancePayment.run({ platformId, transactionId, event: 0 })
}

const PAYERS = 8
const { id } = await db.platform.create({ data: { id: newUuid(), name: 'Bench', environment: 'SANDBOX' } })
const payers = await Promise.all(Array.from({ length: PAYERS }, () => createPayer(id as PlatformId)))
startNumbering()

process.on('message', ({ seconds }: { seconds: number }) => {
  void (async () => {
    const end = performance.now() + seconds * 1_000
    let paid = 0
    const before = await db.$queryRaw<
      { count: number }[]
    >`select last_position::int as count from event_streams where platform_id = ${id}::uuid`
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
    >`select last_position::int as count from event_streams where platform_id = ${id}::uuid`
    process.send?.({ perSecond: paid / seconds, events: ((after[0]?.count ?? 0) - (before[0]?.count ?? 0)) / seconds })
  })().catch((error) => process.send?.({ failure: String(error) }))
})
process.on('disconnect', () => process.exit())
process.send?.({})
