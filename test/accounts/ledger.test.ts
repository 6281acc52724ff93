// The ledger enforces its own rules: movements always balance, and balances follow from them.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type LedgerBook,
  type LedgerEntry,
  type Movement,
  placeHold,
  postMovement,
  releaseHold,
} from '#accounts/ledger.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import {
  createCustomer,
  createInternalAccount,
  createPlatform,
  createTransactions,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

const SHORT = { code: 'INVALID_AMOUNT', details: { reason: 'INSUFFICIENT_BALANCE' } }

const post = (platform: Platform, entries: readonly LedgerEntry[], more: Partial<Movement> = {}) =>
  inTransaction((tx) => postMovement(tx, platform.id, { kind: 'PAYMENT', entries, ...more }))
const hold = (platform: Platform, accountId: string, amount: bigint) =>
  inTransaction((tx) => placeHold(tx, platform.id, { accountId, amount }))
const release = (platform: Platform, id: string) => inTransaction((tx) => releaseHold(tx, platform.id, id))

const fundsOf = async (platform: Platform, id: string) => {
  const { balance, totalBalance } = await db.internalAccount.findUniqueOrThrow({
    where: { platformId_id: { platformId: platform.id, id } },
  })
  return [balance, totalBalance]
}

/** A movement from one account to another, in dollars. */
const transfer = (from: string, to: string, amount: bigint): LedgerEntry[] => [
  { accountId: from, currency: 'USD', amount: -amount },
  { accountId: to, currency: 'USD', amount },
]
const out = (accountId: string, amount: bigint): LedgerEntry[] => [
  { accountId, currency: 'USD', amount: -amount },
  { book: 'OUTSIDE', currency: 'USD', amount },
]

describe('a movement', () => {
  it('changes both balances of its accounts and records its transaction', async () => {
    const platform = await createPlatform()
    const [a, b] = [
      await createInternalAccount(platform, { balance: 1_000n }),
      await createInternalAccount(platform, { balance: 5n }),
    ]
    const [payment] = await createTransactions(platform, [outgoing()])
    const id = await post(platform, transfer(a.id, b.id, 300n), { transactionId: payment?.id ?? '' })
    expect(await fundsOf(platform, a.id)).toEqual([700n, 700n])
    expect(await fundsOf(platform, b.id)).toEqual([305n, 305n])
    expect(
      await db.ledgerMovement.findUnique({
        where: { platformId_id: { platformId: platform.id, id } },
        include: { entries: { orderBy: { position: 'asc' } } },
      }),
    ).toMatchObject({
      kind: 'PAYMENT',
      transactionId: payment?.id,
      entries: [
        { position: 1, accountId: a.id, book: null, amount: -300n },
        { position: 2, accountId: b.id, book: null, amount: 300n },
      ],
    })
  })

  it('converts currencies through the exchange account, and omits entries of zero', async () => {
    const platform = await createPlatform()
    const dollars = await createInternalAccount(platform, { balance: 1_000n })
    const euros = await createInternalAccount(platform, { currency: 'EUR' })
    await post(platform, [
      { accountId: dollars.id, currency: 'USD', amount: -1_000n },
      { book: 'FEES', currency: 'USD', amount: 5n },
      { book: 'EXCHANGE', currency: 'USD', amount: 995n },
      { book: 'OUTSIDE', currency: 'USD', amount: 0n },
      { book: 'EXCHANGE', currency: 'EUR', amount: -915n },
      { accountId: euros.id, currency: 'EUR', amount: 915n },
    ])
    expect(await fundsOf(platform, dollars.id)).toEqual([0n, 0n])
    expect(await fundsOf(platform, euros.id)).toEqual([915n, 915n])
  })

  it('is refused when the balance is insufficient, and money on hold does not count', async () => {
    const platform = await createPlatform()
    const account = await createInternalAccount(platform, { balance: 100n, totalBalance: 150n })
    await expect(post(platform, out(account.id, 101n))).rejects.toMatchObject(SHORT)
    expect(await fundsOf(platform, account.id)).toEqual([100n, 150n])
    await post(platform, out(account.id, 100n))
    expect(await fundsOf(platform, account.id)).toEqual([0n, 50n])
  })

  it('is refused when only what it credits to the account would cover what it debits from it', async () => {
    const platform = await createPlatform()
    const account = await createInternalAccount(platform, { balance: 999n })
    const withFee = (amount: bigint, fee: bigint): LedgerEntry[] => [
      { accountId: account.id, currency: 'USD', amount: -amount },
      { book: 'OUTSIDE', currency: 'USD', amount: amount - fee },
      { accountId: account.id, currency: 'USD', amount: fee },
    ]
    await expect(post(platform, withFee(1_000n, 50n))).rejects.toMatchObject(SHORT)
    expect(await fundsOf(platform, account.id)).toEqual([999n, 999n])
    await post(platform, withFee(999n, 50n))
    expect(await fundsOf(platform, account.id)).toEqual([50n, 50n])
  })

  it('is refused when the account would exceed what a JSON number can hold', async () => {
    const platform = await createPlatform()
    const full = await createInternalAccount(platform, { balance: 9_000_000_000_000_000n })
    const some = await createInternalAccount(platform, { balance: 1n })
    await expect(post(platform, transfer(some.id, full.id, 1n))).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
  })

  it('spends the last money once under concurrency in both directions, without a deadlock', async () => {
    const platform = await createPlatform()
    const a = await createInternalAccount(platform, { balance: 500n })
    const b = await createInternalAccount(platform, { balance: 500n })
    const tries = Array.from({ length: 24 }, (_, index) =>
      post(platform, index % 3 === 0 ? transfer(b.id, a.id, 10n) : out(index % 2 ? a.id : b.id, 100n)),
    )
    const results = await Promise.allSettled(tries)
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    for (const reason of refused) expect(reason).toMatchObject(SHORT)
    const [left] = await db.$queryRaw<{ total: bigint }[]>`
      select sum(total_balance)::bigint as total from internal_accounts where platform_id = ${platform.id}::uuid`
    const paid = await db.ledgerEntry.count({ where: { platformId: platform.id, book: 'OUTSIDE', amount: 100n } })
    expect(left?.total).toBe(1_000n - 100n * BigInt(paid))
    expect(refused.length).toBeGreaterThan(0)
  })
})

describe('a hold', () => {
  it('makes money unavailable until it is released, once', async () => {
    const platform = await createPlatform()
    const account = await createInternalAccount(platform, { balance: 100n })
    const id = await hold(platform, account.id, 60n)
    expect(await fundsOf(platform, account.id)).toEqual([40n, 100n])
    await expect(hold(platform, account.id, 41n)).rejects.toMatchObject(SHORT)
    await release(platform, id)
    expect(await fundsOf(platform, account.id)).toEqual([100n, 100n])
    await expect(release(platform, id)).rejects.toMatchObject({ code: 'CONFLICT', message: 'The hold is not open' })
    await expect(release(await createPlatform(), id)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await fundsOf(platform, account.id)).toEqual([100n, 100n])
  })
})

describe('the database refuses', () => {
  const world = async () => {
    const platform = await createPlatform()
    const account = await createInternalAccount(platform, { balance: 100n, totalBalance: 110n })
    const other = await createInternalAccount(platform)
    return { platform, platformId: platform.id, account, other }
  }
  type World = Awaited<ReturnType<typeof world>>

  type Row = readonly [accountId: string | null, book: LedgerBook | null, amount: bigint]

  /** Writes directly, without the ledger's functions. */
  const write = (platformId: string, rows: readonly Row[], currency = 'USD') =>
    db.$transaction(async (tx) => {
      const id = randomUUID()
      await tx.ledgerMovement.create({ data: { platformId, id, kind: 'PAYMENT' } })
      await tx.ledgerEntry.createMany({
        data: rows.map(([accountId, book, amount], index) => ({
          platformId,
          movementId: id,
          position: index + 1,
          accountId,
          book,
          currency,
          amount,
        })),
      })
    })

  const ATTEMPTS: Record<string, (world: World) => Promise<unknown>> = {
    'a movement that does not add up': ({ platformId, account }) =>
      write(platformId, [
        [account.id, null, -10n],
        [null, 'OUTSIDE', 9n],
      ]),
    'a movement of one entry': ({ platformId }) => write(platformId, [[null, 'OUTSIDE', 9n]]),
    'an entry of zero': ({ platformId }) => write(platformId, [[null, 'OUTSIDE', 0n]]),
    'an entry in a currency that its account does not have': ({ platformId, account }) =>
      write(
        platformId,
        [
          [account.id, null, 10n],
          [null, 'OUTSIDE', -10n],
        ],
        'EUR',
      ),
    'an entry on an account of another platform': async ({ account }) =>
      write((await createPlatform()).id, [
        [account.id, null, 10n],
        [null, 'OUTSIDE', -10n],
      ]),
    'an entry on an account and in a book': ({ platformId, account }) =>
      write(platformId, [
        [account.id, 'FEES', 10n],
        [null, 'OUTSIDE', -10n],
      ]),
    'a movement of a transaction of another platform': async ({ platformId }) => {
      const [their] = await createTransactions(await createPlatform(), [outgoing()])
      const data = { platformId, id: randomUUID(), kind: 'PAYMENT' as const, transactionId: their?.id ?? '' }
      await db.ledgerMovement.create({ data })
    },
    'a hold on an account of another platform': async ({ account }) => hold(await createPlatform(), account.id, 1n),
    'a balance below zero': ({ platformId, account }) =>
      write(platformId, [
        [account.id, null, -101n],
        [null, 'OUTSIDE', 101n],
      ]),
    'an entry that joins a movement later': ({ platformId }) =>
      db.$executeRaw`
        insert into ledger_entries (platform_id, movement_id, position, book, currency, amount)
        select platform_id, id, 2 + n, 'OUTSIDE', 'USD', 3 - 2 * n from ledger_movements, generate_series(1, 2) n
        where platform_id = ${platformId}::uuid`,
    'a changed entry': ({ platformId }) =>
      db.ledgerEntry.updateMany({ where: { platformId }, data: { currency: 'EUR' } }),
    'an entry less': ({ platformId }) => db.ledgerEntry.deleteMany({ where: { platformId } }),
    'a changed movement': ({ platformId }) =>
      db.ledgerMovement.updateMany({ where: { platformId }, data: { kind: 'REFUND' } }),
    'a movement less': ({ platformId }) => db.ledgerMovement.deleteMany({ where: { platformId } }),
    'a hold of more than there is': ({ platformId, account }) =>
      db.ledgerHold.create({ data: { platformId, id: randomUUID(), accountId: account.id, amount: 101n } }),
    'a hold of nothing': ({ platformId, account }) =>
      db.ledgerHold.create({ data: { platformId, id: randomUUID(), accountId: account.id, amount: 0n } }),
    'a smaller hold': ({ platformId }) => db.ledgerHold.updateMany({ where: { platformId }, data: { amount: 1n } }),
    'a hold on another account': ({ platformId, other }) =>
      db.ledgerHold.updateMany({ where: { platformId }, data: { accountId: other.id, releasedAt: new Date() } }),
    'a hold less': ({ platformId }) => db.ledgerHold.deleteMany({ where: { platformId } }),
    'a balance without movement': ({ platformId }) =>
      db.internalAccount.updateMany({ where: { platformId }, data: { balance: 1n } }),
    'a total balance without movement': ({ platformId }) =>
      db.internalAccount.updateMany({ where: { platformId }, data: { totalBalance: 1_000n } }),
    'an account that comes with money': ({ platformId }) =>
      db.internalAccount.create({
        data: {
          platformId,
          id: randomUUID(),
          type: 'INTERNAL_FIAT',
          status: 'ACTIVE',
          currency: 'USD',
          balance: 1n,
          totalBalance: 1n,
        },
      }),
  }

  it.each(Object.entries(ATTEMPTS))('%s', async (_name, attempt) => {
    const before = await world()
    await expect(attempt(before)).rejects.toThrow()
    expect(await fundsOf(before.platform, before.account.id)).toEqual([100n, 110n])
  })

  it('no other update of an account: its other columns can be changed', async () => {
    const { platformId, account } = await world()
    const where = { platformId_id: { platformId, id: account.id } }
    await db.internalAccount.update({ where, data: { status: 'FROZEN', balance: 100n } })
    const { id: customerId } = await createCustomer({ id: platformId } as Platform)
    await db.internalAccount.update({ where, data: { customerId } })
  })
})

it('after any history, the balances equal a plain sum', async () => {
  const platform = await createPlatform()
  const accounts = [await createInternalAccount(platform), await createInternalAccount(platform)]
  const step = fc.record({
    what: fc.constantFrom('fund', 'pay', 'transfer', 'hold', 'release'),
    account: fc.integer({ min: 0, max: 1 }),
    amount: fc.bigInt({ min: 1n, max: 400n }),
  })
  const expected = accounts.map(() => ({ total: 0n, held: 0n }))
  const holds: { id: string; account: number; amount: bigint }[] = []
  let histories = 0
  let refusals = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      histories += 1
      for (const { what, account, amount } of steps) {
        const [own, others] = [expected[account], expected[1 - account]]
        const [from, to] = [accounts[account]?.id ?? '', accounts[1 - account]?.id ?? '']
        if (!own || !others) throw new Error('There are two accounts')
        const spendable = own.total - own.held
        const run = {
          fund: async () => {
            await post(platform, out(from, -amount), { kind: 'FUNDING' })
            own.total += amount
          },
          pay: async () => {
            await post(platform, out(from, amount))
            own.total -= amount
          },
          transfer: async () => {
            await post(platform, transfer(from, to, amount))
            own.total -= amount
            others.total += amount
          },
          hold: async () => {
            holds.push({ id: await hold(platform, from, amount), account, amount })
            own.held += amount
          },
          release: async () => {
            const last = holds.pop()
            if (!last) return
            await release(platform, last.id)
            const owner = expected[last.account]
            if (owner) owner.held -= last.amount
          },
        }[what as 'fund']
        const isShort = ['pay', 'transfer', 'hold'].includes(what) && amount > spendable
        if (isShort) refusals += 1
        if (isShort) await expect(run()).rejects.toMatchObject(SHORT)
        else await run()
      }
      for (const [index, { id }] of accounts.entries()) {
        const { total, held } = expected[index] ?? { total: 0n, held: 0n }
        expect(await fundsOf(platform, id)).toEqual([total - held, total])
      }
      expect(await db.$queryRaw`select * from ledger_violations`).toEqual([])
    }),
    { numRuns: 40 },
  )
  console.log(`histories ${histories}, refusals ${refusals}, violated 0`)
})

it('ledger_violations shows rows that were corrupted directly', async () => {
  const platform = await createPlatform()
  const { id } = await createInternalAccount(platform, { balance: 100n })
  const seen = db.$transaction(async (tx) => {
    // The nodes with the rows must have the setting too.
    await tx.$executeRaw`set local citus.propagate_set_commands = 'local'`
    await tx.$executeRaw`set local session_replication_role = replica`
    await tx.$executeRaw`update internal_accounts set balance = 99 where platform_id = ${platform.id}::uuid`
    await tx.$executeRaw`
      insert into ledger_movements (platform_id, id, kind) values (${platform.id}::uuid, ${randomUUID()}::uuid, 'PAYMENT')`
    await tx.$executeRaw`
      insert into ledger_entries (platform_id, movement_id, position, book, currency, amount)
      select platform_id, id, 3, 'FEES', 'USD', 7 from ledger_movements
      where platform_id = ${platform.id}::uuid and kind = 'OPENING'`
    throw await tx.$queryRaw`select id, violation from ledger_violations order by violation`
  })
  await expect(seen).rejects.toMatchObject([
    { id, violation: 'account shows 99 of 100, its ledger 100 of 100' },
    { violation: 'movement does not add up to zero in USD' },
    { violation: 'movement has no entries' },
  ])
})
