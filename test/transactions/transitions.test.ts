// A transaction takes the steps of docs/domain/transactions.md#status-changes. Each is recorded, and any other is rejected.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { TransactionLifecycleStatus as Status, TransactionItemType } from '#generated/prisma/client.ts'
import {
  cardUse,
  createInternalAccount,
  createPlatform,
  createTransactions,
  incoming,
  outgoing,
} from '#test/setup/world.ts'
import {
  CARD_TRANSACTION_STATUSES,
  OUTGOING_TRANSACTION_STATUSES,
  TRANSACTION_LIFECYCLE_STATUSES,
  TRANSACTION_STATUSES,
} from '#transactions/transaction.ts'
import { moveTransaction } from '#transactions/transition.ts'

type Step = readonly [from: Status, to: Status, row: string]

const ALLOWED: Record<TransactionItemType, readonly Step[]> = {
  OUTGOING: [
    ['PENDING', 'PROCESSING', 'executed, funds received'],
    ['PENDING', 'PENDING_AUTHORIZATION', 'SCA needed'],
    ['PENDING', 'EXPIRED', 'quote window ended'],
    ['PENDING', 'FAILED', 'agent action rejected, or wrong funding amount'],
    ['PENDING_AUTHORIZATION', 'PROCESSING', 'challenge authorized'],
    ['PENDING_AUTHORIZATION', 'PENDING', 'challenge authorized, but funds still to be pushed'],
    ['PENDING_AUTHORIZATION', 'FAILED', 'challenge expired'],
    ['PROCESSING', 'COMPLETED', 'payout arrived'],
    ['PROCESSING', 'FAILED', 'payout failed'],
    ['COMPLETED', 'FAILED', 'bank return'],
  ],
  INCOMING: [
    ['CREATED', 'PENDING', 'quote made; approval webhook sent'],
    ['CREATED', 'EXPIRED', 'no quote in time'],
    ['CREATED', 'FAILED', 'look-up failed'],
    ['PENDING', 'PROCESSING', 'platform approved, or no approval needed'],
    ['PENDING', 'REJECTED', 'platform refused'],
    ['PENDING', 'FAILED', 'webhook error, timeout, missing payee data, quote expired'],
    ['PROCESSING', 'COMPLETED', 'credited'],
    ['PROCESSING', 'FAILED', 'off-ramp or quote execution failed'],
    ['COMPLETED', 'REFUNDED', 'whole amount returned later'],
  ],
  CARD: [
    ['AUTHORIZED', 'PARTIALLY_SETTLED', 'clearing below the authorized amount'],
    ['PARTIALLY_SETTLED', 'PARTIALLY_SETTLED', 'a further clearing below the authorized amount'],
    ['AUTHORIZED', 'SETTLED', 'sum reaches the authorized amount, or clearing of 0'],
    ['PARTIALLY_SETTLED', 'SETTLED', 'sum reaches the authorized amount, or clearing of 0'],
    ['AUTHORIZED', 'EXCEPTION', 'clearing posted but a pull failed'],
    ['PARTIALLY_SETTLED', 'EXCEPTION', 'clearing posted but a pull failed'],
    ['SETTLED', 'REFUNDED', 'return, part or whole'],
    ['REFUNDED', 'REFUNDED', 'further return while net settled > 0'],
    ['REFUNDED', 'SETTLED', 'return reversal that leaves no return'],
  ],
}

const STATUSES: Record<TransactionItemType, readonly Status[]> = {
  // Not used for incoming transactions.
  INCOMING: TRANSACTION_STATUSES.filter((status) => status !== 'PENDING_AUTHORIZATION'),
  OUTGOING: OUTGOING_TRANSACTION_STATUSES,
  CARD: CARD_TRANSACTION_STATUSES,
}

const reasonOf = (status: Status) => (status === 'FAILED' ? { failureReason: 'QUOTE_EXECUTION_FAILED' as const } : {})

/** Creates one transaction in each status. */
const createInEach = async (type: TransactionItemType, statuses: readonly Status[]) => {
  const platform = await createPlatform()
  const { id: sourceInternalAccountId } = await createInternalAccount(platform)
  const make = { INCOMING: incoming, OUTGOING: outgoing, CARD: () => cardUse({ sourceInternalAccountId }) }[type]
  const rows = await createTransactions(
    platform,
    statuses.map((status) => ({ ...make(), status, ...reasonOf(status) })),
  )
  return { platform, ids: rows.map(({ id }) => id) }
}

const createOne = async (type: TransactionItemType, status: Status) => {
  const { platform, ids } = await createInEach(type, [status])
  return { platform, id: ids[0] ?? '' }
}

interface Recorded {
  readonly sequence: number
  readonly fromStatus: Status | null
  readonly toStatus: Status
  readonly at: Date
  readonly reason: string | null
}

const rowOf = async (platformId: string, id: string) => ({
  ...(await db.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })),
  timeline: await db.$queryRaw<Recorded[]>`
    select sequence, from_status as "fromStatus", to_status as "toStatus", at, reason from transaction_timelines
    where platform_id = ${platformId}::uuid and transaction_id = ${id}::uuid order by sequence`,
})

describe.each(Object.entries(ALLOWED) as [TransactionItemType, readonly Step[]][])('%s', (type, allowed) => {
  it.each(allowed)('%s → %s: %s', async (from, to) => {
    const { platform, id } = await createOne(type, from)
    await inTransaction((tx) => moveTransaction(tx, platform.id, id, to, reasonOf(to)))
    const { status, timeline, updatedAt } = await rowOf(platform.id, id)
    expect(status).toBe(to)
    expect(timeline).toMatchObject([
      { sequence: 1, fromStatus: null, toStatus: from },
      { sequence: 2, fromStatus: from, toStatus: to, reason: reasonOf(to).failureReason ?? null, at: updatedAt },
    ])
  })

  it('rejects every other step', async () => {
    const names = allowed.map(([from, to]) => `${from} ${to}`)
    let tried = 0
    for (const from of STATUSES[type]) {
      const others = TRANSACTION_LIFECYCLE_STATUSES.filter((to) => !names.includes(`${from} ${to}`))
      const { platform, id } = await createOne(type, from)
      const before = await rowOf(platform.id, id)
      for (const to of others) {
        tried += 1
        const move = inTransaction((tx) => moveTransaction(tx, platform.id, id, to, reasonOf(to)))
        await expect(move, `${from} → ${to}`).rejects.toMatchObject({ code: 'CONFLICT' })
        const write = db.transaction.updateMany({
          where: { id },
          data: { status: to, failureReason: null, ...reasonOf(to) },
        })
        await expect(write, `${from} → ${to} past the domain`).rejects.toThrow('does not go from')
      }
      expect(await rowOf(platform.id, id)).toEqual(before)
    }
    console.log(`${type}: forbidden steps tried ${tried}, accepted 0`)
  })
})

describe('a timeline', () => {
  it('starts with the status in which the transaction was created, which is not stored again', async () => {
    const createdAt = new Date('2025-10-13T12:00:00Z')
    const platform = await createPlatform()
    const [made] = await createTransactions(platform, [outgoing({ status: 'PENDING', createdAt })])
    const { timeline } = await rowOf(platform.id, made?.id ?? '')
    expect(timeline).toEqual([{ sequence: 1, fromStatus: null, toStatus: 'PENDING', at: createdAt, reason: null }])
    expect(await db.transactionStateChange.count({ where: { platformId: platform.id } })).toBe(0)
  })

  it('records every step, even several in one database transaction', async () => {
    const { platform, id } = await createOne('OUTGOING', 'PENDING')
    await inTransaction(async (tx) => {
      await moveTransaction(tx, platform.id, id, 'PENDING_AUTHORIZATION')
      await moveTransaction(tx, platform.id, id, 'PENDING')
      await moveTransaction(tx, platform.id, id, 'PROCESSING', { paymentRail: 'ACH' })
    })
    await inTransaction((tx) => moveTransaction(tx, platform.id, id, 'COMPLETED', { settledAt: new Date() }))
    await inTransaction((tx) =>
      moveTransaction(tx, platform.id, id, 'FAILED', { failureReason: 'COUNTERPARTY_POST_TX_FAILED' }),
    )
    const { timeline, paymentRail, failureReason } = await rowOf(platform.id, id)
    expect(timeline.map(({ sequence, toStatus }) => `${sequence} ${toStatus}`)).toEqual([
      '1 PENDING',
      '2 PENDING_AUTHORIZATION',
      '3 PENDING',
      '4 PROCESSING',
      '5 COMPLETED',
      '6 FAILED',
    ])
    const times = timeline.map(({ at }) => at.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect([paymentRail, failureReason]).toEqual(['ACH', 'COUNTERPARTY_POST_TX_FAILED'])
  })
})

describe('moving a transaction', () => {
  it('of another platform fails as for an unknown one', async () => {
    const { id } = await createOne('OUTGOING', 'PENDING')
    const stranger = await createPlatform()
    for (const foreign of [id, randomUUID()]) {
      const move = inTransaction((tx) => moveTransaction(tx, stranger.id, foreign, 'PROCESSING'))
      await expect(move).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
    }
  })

  it('succeeds for one of several concurrent callers', async () => {
    const { platform, ids } = await createInEach('OUTGOING', Array<Status>(10).fill('PENDING'))
    for (const id of ids) {
      const results = await Promise.allSettled(
        (['PROCESSING', 'EXPIRED', 'PROCESSING', 'FAILED'] as const).map((to) =>
          inTransaction((tx) => moveTransaction(tx, platform.id, id, to, reasonOf(to))),
        ),
      )
      const won = results.filter(({ status }) => status === 'fulfilled').length
      const { status, timeline } = await rowOf(platform.id, id)
      expect(won).toBeGreaterThan(0)
      // PROCESSING may still fail after that.
      expect(won).toBe(timeline.length - 1)
      expect(timeline.at(-1)?.toStatus).toBe(status)
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'CONFLICT' })
    }
  })

  it('leaves the database transaction usable after a refusal', async () => {
    const { platform, ids } = await createInEach('OUTGOING', ['EXPIRED', 'PENDING'])
    const [expired = '', pending = ''] = ids
    await inTransaction(async (tx) => {
      await moveTransaction(tx, platform.id, expired, 'PROCESSING').catch(() => {})
      await moveTransaction(tx, platform.id, pending, 'PROCESSING')
    })
    expect((await rowOf(platform.id, pending)).status).toBe('PROCESSING')
  })
})
