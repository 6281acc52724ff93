// Paging during concurrent writes: no existing item is missed or repeated, and counts stay exact.
import { EventEmitter, once } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import {
  type Given,
  type Item,
  inOrder,
  type PagedList,
  pagedLists,
  pageOf,
  type Window,
  walk,
} from '#test/setup/connection.ts'
import { paymentsOf, type Row, rowsAt, SOURCES } from '#test/setup/growing-lists.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const OLD = 120
const NEW = 144
const BATCH = 12
const BEGIN = Date.UTC(2025, 9, 13, 23, 58)

/** Creation times, each shared by several rows. Half of the new rows come before the end of the old ones, half after it. */
const oldTime = (index: number) => new Date(BEGIN + 500 * Math.floor(index / 3))
const newTime = (index: number) => new Date(BEGIN + 500 * Math.floor((((index * 7919) % NEW) * 2 * OLD) / NEW / 3))

const createWorld = async (list: PagedList) => {
  const platform = await createPlatform()
  const source = await (SOURCES[list.name] as typeof paymentsOf)(platform)
  const rows = rowsAt(Array.from({ length: OLD }, (_, index) => oldTime(index)))
  await source.insert(rows)
  const itemsOf = (some: readonly Row[]): Item[] =>
    some.map(({ id, createdAt }) => ({ id: publicId(source.kind, id), createdAt }))
  return { platform, ...source, itemsOf, old: itemsOf(rows) }
}

const fold = () => db.$queryRaw`SELECT fold_transaction_counts()`

const whileWorking = async (work: Promise<unknown>, repeat: () => Promise<unknown>) => {
  let isWorking = true
  const end = work.finally(() => {
    isWorking = false
  })
  // Once more after the writes have ended.
  for (let isLast = false; !isLast; ) {
    isLast = !isWorking
    await repeat()
  }
  await end
}

// The other lists are read by the same statement.
const lists = pagedLists.filter(({ name }) => SOURCES[name])
const countedLists = lists.filter(({ name }) => SOURCES[name] === paymentsOf)
const WINDOWS: readonly Window[] = [
  { sortOrder: 'DESC' },
  { sortOrder: 'ASC' },
  { sortOrder: 'DESC', backward: true },
  { sortOrder: 'ASC', backward: true },
]

describe.each(lists)(`$name while ${NEW} rows are inserted`, (list) => {
  let world: Awaited<ReturnType<typeof createWorld>>
  let given: Given

  beforeEach(async () => {
    world = await createWorld(list)
    given = { parent: world.parents[list.name] ?? '', items: world.old }
  })

  it('a walk visits every existing item once, in order, and each new item at most once', async () => {
    const { platform, insert, itemsOf, old } = world
    const rows = rowsAt(Array.from({ length: NEW }, (_, index) => newTime(index)))
    const added = itemsOf(rows)
    let written = 0
    let isWalking = true
    const walks = new EventEmitter()
    const write = async () => {
      for (; written < NEW; written += BATCH) {
        await insert(rows.slice(written, written + BATCH))
        if (written % (5 * BATCH) === 0) await fold()
        // A walk ends now and then among the inserts, however long it takes. The others are under way.
        if (written % (3 * BATCH) === 0 && isWalking) await once(walks, 'end')
      }
    }
    const writing = write()
    const met = new Set<number>()

    const walkOnce = async (window: Window) => {
      const before = written
      const pages = await walk(list, platform, given, { size: 23, ...window })
      const ids = (window.backward ? pages.toReversed() : pages).flatMap((page) => page.ids)
      const seen = new Set(ids)
      const items = [...old, ...added].filter(({ id }) => seen.has(id))
      expect(ids, pages[0]?.request).toEqual(inOrder(items, window.sortOrder ?? 'DESC'))
      const missed = [...old, ...added.slice(0, before)].filter(({ id }) => !seen.has(id))
      expect(missed, pages[0]?.request).toEqual([])
      const counts = pages.map(({ totalCount }) => totalCount ?? 0)
      expect(counts, pages[0]?.request).toEqual(counts.toSorted((a, b) => a - b))
      expect(counts[0], pages[0]?.request).toBeGreaterThanOrEqual(OLD + before)
      met.add(ids.length)
      walks.emit('end')
    }

    const windows = WINDOWS.filter(({ backward }) => list.face === 'GraphQL' || !backward)
    try {
      await Promise.all(windows.map((window) => whileWorking(writing, () => walkOnce(window))))
    } finally {
      isWalking = false
      walks.emit('end')
      await writing
    }
    expect(met).toContain(OLD + NEW)
    expect(met.size, 'the walks and the inserts did not overlap').toBeGreaterThan(2)
  })
})

describe.each(countedLists)('$name while its rows change', (list) => {
  it('totalCount equals count(*) before, during and after the counts are folded', async () => {
    const { platform, parents, insert, old } = await createWorld(list)
    const given: Given = { parent: parents[list.name] ?? '', items: old }
    const filters = [
      null,
      { type: 'INCOMING' },
      { status: 'FAILED' },
      { startDate: new Date(BEGIN + 30_000).toISOString() },
    ]
    const counted = () =>
      Promise.all(filters.map(async (filter) => (await pageOf(list, platform, given, { size: 1, filter })).totalCount))
    const expected = () =>
      countRows(platform, [
        {},
        { type: 'INCOMING' },
        { status: 'FAILED' },
        { createdAt: { gte: new Date(BEGIN + 30_000) } },
      ])

    const write = async (from: number) => {
      await insert(rowsAt(Array.from({ length: NEW / 4 }, (_, index) => newTime(from + index))))
      const [one, ...some] = old.slice(from / 10, from / 10 + 10).map(({ id }) => id.slice('Transaction:'.length))
      const changed = { platformId: platform.id, id: { in: some } }
      await db.transaction.updateMany({
        where: { ...changed, type: 'OUTGOING' },
        data: { status: 'FAILED', failureReason: 'QUOTE_EXPIRED' },
      })
      await db.transaction.updateMany({ where: { ...changed, type: 'INCOMING' }, data: { status: 'REFUNDED' } })
      await db.transactionStateChange.deleteMany({ where: { platformId: platform.id, transactionId: one ?? '' } })
      await db.transaction.delete({ where: { platformId_id: { platformId: platform.id, id: one ?? '' } } })
    }
    await Promise.all([0, 250, 500, 750].map((from) => whileWorking(write(from), fold)))
    await insert(rowsAt([newTime(0), newTime(1)]))
    const truth = await expected()
    expect(await counted()).toEqual(truth)
    await whileWorking(Promise.all([fold(), fold(), fold()]), async () => expect(await counted()).toEqual(truth))
    expect(await counted()).toEqual(truth)
    expect(
      await db.$queryRaw`SELECT * FROM transaction_count_changes WHERE platform_id = ${platform.id}::uuid`,
    ).toEqual([])
    expect(truth.every((count) => count > 0)).toBe(true)
  })
})

type Where = NonNullable<Parameters<typeof db.transaction.count>[0]>['where']

const countRows = (platform: Platform, conditions: readonly Where[]) =>
  Promise.all(conditions.map((where) => db.transaction.count({ where: { platformId: platform.id, ...where } })))
