// In every snapshot the statistics are exactly the counts and sums of the rows, while others write, roll back and fold.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { cardUse, createInternalAccount, createPlatform, incoming, outgoing, type Platform } from '#test/setup/world.ts'

const SNAPSHOTS = Number(process.env['STATISTICS_SNAPSHOTS'] ?? 60)
const WRITERS = 4

const below = (bound: number) => Math.floor(Math.random() * bound)
const oneOf = <T>(...items: readonly T[]) => items[below(items.length)] as T

const reader = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] ?? '' })
let platform: Platform
let account: string

beforeAll(async () => {
  await reader.connect()
  platform = await createPlatform()
  account = (await createInternalAccount(platform)).id
})
afterAll(() => reader.end())

/** Days around the end of a month, and amounts whose sum exceeds a bigint. */
const randomRow = (description: string) => {
  const createdAt = new Date(Date.UTC(2025, 9, 29 + below(6), below(24), 59, 59, 999))
  const amount = oneOf(BigInt(below(1_000)), 9_000_000_000_000_000n - BigInt(below(1_000)))
  const currency = oneOf('USD', 'EUR', 'JPY')
  return oneOf(
    () =>
      incoming({
        createdAt,
        description,
        receivedAmount: amount,
        receivedCurrency: currency,
        status: oneOf('CREATED', 'PENDING'),
      }),
    () => outgoing({ createdAt, description, sentAmount: amount, sentCurrency: currency, status: 'PENDING' }),
    () => cardUse({ createdAt, authorizedAmount: amount, cardCurrency: currency, sourceInternalAccountId: account }),
  )()
}

/** One statement that writes, on rows of this writer alone: waits for locks would only make the test slower. */
const randomStep = async (tx: Tx, writer: string) => {
  const where = {
    platformId: platform.id,
    description: writer,
    createdAt: { gte: new Date(Date.UTC(2025, 9, 29 + below(6))) },
  }
  await oneOf<() => Promise<unknown>>(
    async () => {
      const data = Array.from({ length: oneOf(1, 1, 30) }, () => ({
        ...randomRow(writer),
        platformId: platform.id,
        id: randomUUID(),
      }))
      await tx.transaction.createMany({ data: data as Prisma.TransactionCreateManyInput[] })
    },
    () => tx.transaction.updateMany({ where: { ...where, status: 'PENDING' }, data: { status: 'PROCESSING' } }),
    () => tx.transaction.updateMany({ where: { ...where, status: 'PROCESSING' }, data: { status: 'COMPLETED' } }),
    () =>
      tx.transaction.updateMany({
        where: { ...where, status: 'CREATED' },
        data: { receivedAmount: oneOf(5n, 7n) },
      }),
    () =>
      tx.transaction.updateMany({
        where: { ...where, status: 'CREATED' },
        data: { receivedCurrency: oneOf('USD', 'GBP') },
      }),
    () => tx.transaction.updateMany({ where: { ...where, status: 'CREATED' }, data: { status: 'PENDING' } }),
    async () => {
      const gone = await tx.transaction.findMany({ where, select: { id: true }, take: below(20) })
      const ids = { in: gone.map(({ id }) => id) }
      await tx.transactionStateChange.deleteMany({ where: { platformId: platform.id, transactionId: ids } })
      await tx.transaction.deleteMany({ where: { platformId: platform.id, id: ids } })
    },
  )()
}

class RolledBack extends Error {}

/** The lines of both kinds, sorted: a bucket of each day, and the totals. */
const linesOf = ({ rows }: pg.QueryResult) => rows.map((row) => JSON.stringify(row)).toSorted()

const HEADLINES = `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, type, direction, status,
    case type when 'INCOMING' then received_currency when 'OUTGOING' then sent_currency else card_currency end as currency,
    case type when 'INCOMING' then received_amount when 'OUTGOING' then sent_amount else authorized_amount end as amount
  from transactions where platform_id = $1 and created_at >= '2025-10-29' and created_at < '2025-11-05'`
const PLAIN = `with headlines as (${HEADLINES})
  select day, type, direction, status, currency, count(*), sum(amount) from headlines group by 1, 2, 3, 4, 5
  union all select null, type, direction, status, currency, count(*), sum(amount) from headlines group by 2, 3, 4, 5`

/** The statement by which the gateway answers. */
const sentStatement = async () => {
  const sent = vi.spyOn(pg.Pool.prototype, 'query')
  try {
    const { body } = await callGraphQL(
      basic(platform),
      `{ transactionStatistics(
        startDate: "2025-10-29", endDate: "2025-11-04", interval: DAY, groupBy: [TYPE, DIRECTION, STATUS, CURRENCY], filter: { currencies: ["USD", "EUR", "JPY", "GBP"] }
      ) { totals { count } } }`,
    )
    expect(body.errors).toBeUndefined()
    const [statement] = (sent.mock.calls as unknown as [pg.QueryArrayConfig][])
      .map(([config]) => config)
      .filter(({ text }) => text.includes('platform_transaction_days'))
    if (!statement) throw new Error('No statement')
    const { text, values = [] } = statement
    return { text, values, rowMode: 'array' as const, types: { getTypeParser: () => (value: unknown) => value } }
  } finally {
    sent.mockRestore()
  }
}

it('the statistics equal a plain count and sum in the same snapshot', { timeout: 3_600_000 }, async () => {
  const statistics = await sentStatement()
  const done = { commits: 0, rollbacks: 0, folded: 0 }
  let isOver = false

  const write = async (writer: string) => {
    while (!isOver) {
      const work = db.$transaction(async (tx) => {
        for (let steps = 1 + below(4); steps > 0; steps -= 1) await randomStep(tx, writer)
        await wait(below(20))
        if (below(4) === 0) throw new RolledBack()
      })
      await work.then(
        () => {
          done.commits += 1
        },
        (error) => {
          if (!(error instanceof RolledBack)) throw error
          done.rollbacks += 1
        },
      )
    }
  }
  const fold = async () => {
    while (!isOver) {
      const [row] = await db.$queryRaw<{ moved: bigint }[]>`select fold_transaction_counts(${1 + below(300)}) as moved`
      done.folded += Number(row?.moved)
      await wait(below(30))
    }
  }
  const compare = async () => {
    const distinct = new Set<string>()
    let waiting = 0
    try {
      for (let taken = 0; taken < SNAPSHOTS; taken += 1) {
        await reader.query('begin isolation level repeatable read read only')
        const counted = linesOf(await reader.query(statistics))
        await wait(below(10))
        const plain = linesOf(await reader.query({ text: PLAIN, values: [platform.id], rowMode: 'array' }))
        const { rows } = await reader.query('select from transaction_count_changes where platform_id = $1 limit 1', [
          platform.id,
        ])
        await reader.query('commit')
        expect(counted).toEqual(plain)
        distinct.add(plain.join())
        waiting += rows.length
      }
    } finally {
      isOver = true
    }
    return { distinct: distinct.size, waiting }
  }
  const writers = Array.from({ length: WRITERS }, (_, index) => write(`writer ${index}`))
  const [seen] = await Promise.all([compare(), fold(), ...writers])
  console.log(
    `${SNAPSHOTS} snapshots, ${seen.distinct} different, ${seen.waiting} with changes not folded; ${done.commits} commits, ${done.rollbacks} rollbacks, ${done.folded} changes folded; differing 0`,
  )
  expect(seen.distinct).toBeGreaterThan(SNAPSHOTS / 5)
  expect(seen.waiting).toBeGreaterThan(SNAPSHOTS / 10)
  expect(Math.min(done.commits, done.rollbacks, done.folded)).toBeGreaterThan(0)
})
