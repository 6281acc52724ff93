// A client that follows a stream by its cursor gets every committed event once, and those of one object in order.
// Own process: numbers events in the background, and other processes do too.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import type { Repeated } from '#database/repeated.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { startNumbering } from '#events/numbering.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { cardUse, createInternalAccount, createPlatform, createTransactions, type Platform } from '#test/setup/world.ts'

const EVENTS = Number(process.env['EVENTS'] ?? 500)
const PLATFORMS = 4
const OBJECTS_OF_A_PLATFORM = 50
const WRITERS = 8
const MOST_IN_A_TRANSACTION = 5
const ROLLED_BACK = 0.1
const LONGEST_DELAY_MS = EVENTS > 10_000 ? 100 : 40

let gateways: GatewayProcess[]
let numbering: Repeated

beforeAll(async () => {
  const settings = { GRAPHQL_LIMITS: 'nodesPerMinute=1000000000' }
  gateways = [await startGateway(settings), await startGateway(settings)]
  numbering = startNumbering(() => {})
})
afterAll(async () => {
  await numbering.stop()
  await Promise.all(gateways.map(({ stop }) => stop()))
})

interface Seen {
  readonly id: string
  readonly object: string
  /** 1, 2, 3… for each object. */
  readonly step: number
}

const PAGE = `query ($after: String) {
  events(first: 100, after: $after, sortOrder: ASC, filter: { types: [CARD_TRANSACTION_REFUNDED] }) { nodes { id subjectId data cursor } }
}`

interface Answer {
  readonly data: { readonly events: { readonly nodes: readonly Node[] } }
  readonly errors?: unknown
}

interface Node {
  readonly id: string
  readonly subjectId: string
  readonly cursor: string
  readonly data: { readonly refundSummary: { readonly count: number } }
}

/** Undefined if the call has to be repeated: the machine is too busy, or the gateway closed the connection. */
const readPage = async (url: string, platform: Platform, after: string | null): Promise<Answer | undefined> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: basic(platform) },
    body: JSON.stringify({ query: PAGE, variables: { after } }),
  }).catch(() => undefined)
  if (!response || response.status === 503) return undefined
  const answer = (await response.json()) as Answer
  if (answer.errors) throw new Error(JSON.stringify(answer.errors))
  return answer
}

/** Reads on from a cursor, each page from another gateway, until `isOver` and no event is left. */
const follow = async (platform: Platform, isOver: () => boolean): Promise<Seen[]> => {
  const seen: Seen[] = []
  let after: string | null = null
  for (let turn = 0; ; turn++) {
    const wasOver = isOver()
    const { url } = gateways[turn % gateways.length] as GatewayProcess
    const answer = await readPage(url, platform, after)
    if (!answer) {
      await wait(50)
      continue
    }
    const { nodes } = answer.data.events
    for (const { id, subjectId, data: body } of nodes)
      seen.push({ id, object: subjectId, step: body.refundSummary.count })
    after = nodes.at(-1)?.cursor ?? after
    if (nodes.length === 0 && wasOver) return seen
    if (nodes.length === 0) await wait(50)
  }
}

/** The same in the order in which rows were written, which is not the order of the commits. */
const followByWriting = async (platform: Platform, isOver: () => boolean): Promise<Seen[]> => {
  const seen: Seen[] = []
  let after = 0n
  for (;;) {
    const wasOver = isOver()
    const rows = await db.$queryRaw<(Seen & { recorded: bigint })[]>`
      select id, 'CardTransaction:' || object_id as object, (snapshot ->> 'refund_count')::int as step, recorded from events
      where platform_id = ${platform.id}::uuid and type = 'CARD_TRANSACTION.REFUNDED' and recorded > ${after} order by recorded limit 100`
    seen.push(...rows)
    after = rows.at(-1)?.recorded ?? after
    if (rows.length === 0 && wasOver) return seen
    if (rows.length === 0) await wait(50)
  }
}

const createCardUses = async () => {
  const platform = await createPlatform()
  const { id } = await createInternalAccount(platform)
  const used = {
    ...cardUse({ sourceInternalAccountId: id }),
    status: 'REFUNDED' as const,
    refundCount: 0,
    refundTotalAmount: 0n,
  }
  const uses = await createTransactions(
    platform,
    Array.from({ length: OBJECTS_OF_A_PLATFORM }, () => used),
  )
  return { platform, ids: uses.map(({ id }) => id).sort() }
}

type CardUses = Awaited<ReturnType<typeof createCardUses>>

const ROLLBACK = new Error('Rolled back')

const write = async (things: readonly CardUses[], isEnough: () => boolean, wrote: (count: number) => void) => {
  while (!isEnough()) {
    const { platform, ids } = things[Math.floor(Math.random() * things.length)] as CardUses
    const count = 1 + Math.floor(Math.random() * MOST_IN_A_TRANSACTION)
    const some = ids
      .toSorted(() => Math.random() - 0.5)
      .slice(0, count)
      .sort()
    try {
      await inTransaction(async (tx) => {
        await tx.$executeRaw`
          with locked as materialized (
            select id from transactions where platform_id = ${platform.id}::uuid and id = any(${some}::uuid[]) order by id for no key update)
          update transactions set status = 'REFUNDED', refund_count = refund_count + 1
          where platform_id = ${platform.id}::uuid and id in (select id from locked)`
        await wait(Math.random() * LONGEST_DELAY_MS)
        if (Math.random() < ROLLED_BACK) throw ROLLBACK
      })
      wrote(count)
    } catch (error) {
      // A writer that waits too long for a row gives up, as a request does.
      if (error !== ROLLBACK && (error as { code?: string }).code !== 'SERVICE_UNAVAILABLE') throw error
    }
  }
}

const faultsIn = (seen: readonly Seen[], expected: ReadonlyMap<string, number>) => {
  const ids = new Set(seen.map(({ id }) => id))
  const steps = new Map<string, number[]>()
  for (const { object, step } of seen) steps.set(object, [...(steps.get(object) ?? []), step])
  const all = [...expected.values()].reduce((sum, count) => sum + count, 0)
  const distinct = [...steps.values()].reduce((sum, of) => sum + new Set(of).size, 0)
  const disordered = [...steps.values()].filter((of) =>
    of.some((step, index) => index > 0 && step <= (of[index - 1] ?? 0)),
  )
  return { all, lost: all - distinct, doubled: seen.length - ids.size, disordered: disordered.length }
}

it(`no reader loses, repeats or reorders any of ${EVENTS} events by ${WRITERS} writers`, {
  timeout: 3_600_000,
}, async () => {
  const things: CardUses[] = []
  for (let index = 0; index < PLATFORMS; index++) things.push(await createCardUses())
  let written = 0
  let isOver = false
  const began = performance.now()
  const reading = things.map(({ platform }) =>
    Promise.all([follow, follow, followByWriting].map((read) => read(platform, () => isOver))),
  )
  const writing = Array.from({ length: WRITERS }, () =>
    write(
      things,
      () => written >= EVENTS,
      (count) => {
        written += count
      },
    ),
  )
  await Promise.all(writing)
  const seconds = (performance.now() - began) / 1_000
  const unnumbered = async () => (await db.$queryRaw<object[]>`select id from events where position is null`).length
  await expect.poll(unnumbered, { timeout: 60_000 }).toBe(0)
  isOver = true
  const total = { events: 0, lost: 0, doubled: 0, disordered: 0 }
  let lostByWriting = 0
  for (const [index, readers] of (await Promise.all(reading)).entries()) {
    const { platform, ids } = things[index] as CardUses
    const rows = await db.transaction.findMany({ where: { platformId: platform.id, id: { in: ids } } })
    // The row was created with an event of its own.
    const expected = new Map(rows.map(({ id, refundCount }) => [`CardTransaction:${id}`, (refundCount ?? 0) + 1]))
    const [naive, ...faults] = readers.toReversed().map((seen) => faultsIn(seen, expected))
    for (const { all, lost, doubled, disordered } of faults) {
      total.events += all
      total.lost += lost
      total.doubled += doubled
      total.disordered += disordered
    }
    lostByWriting += naive?.lost ?? 0
    const gaps = await db.$queryRaw`
      select last_position from event_streams s where platform_id = ${platform.id}::uuid
        and last_position <> (select count(*) from events e where e.platform_id = s.platform_id and position <= s.last_position)`
    expect(gaps).toEqual([])
  }
  console.log(
    `written ${written} in ${seconds.toFixed(0)} s, read ${total.events}, lost ${total.lost}, doubled ${total.doubled}, disordered objects ${total.disordered}; by the order of writing lost ${lostByWriting}`,
  )
  expect(total).toEqual({ events: total.events, lost: 0, doubled: 0, disordered: 0 })
  expect(total.events).toBeGreaterThanOrEqual(2 * EVENTS)
  // The proof that the test can fail: this order does lose events.
  expect(lostByWriting).toBeGreaterThan(0)
})

it('events that a killed process has committed but not numbered are numbered by another', async () => {
  await numbering.stop()
  const killed = await startGateway()
  const { platform, dollars, outside } = await createPayer()
  const blocker = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
  await blocker.connect()
  const pending = async () => {
    const { rows } = await blocker.query('select from events where platform_id = $1 and position is null', [
      platform.id,
    ])
    return rows.length
  }
  try {
    await blocker.query('begin')
    await blocker.query('select from event_streams where platform_id = $1 for no key update', [platform.id])
    const response = await fetch(`${killed.url}/2025-10-13/transfer-out`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: basic(platform) },
      body: JSON.stringify(transferInput(dollars, outside, 500)),
    })
    // The writer waits for no one.
    expect(response.status).toBe(201)
    await killed.kill()
    await blocker.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
      killed.name,
    ])
    expect(await pending()).toBeGreaterThan(0)
    await blocker.query('commit')
    await expect.poll(pending).toBe(0)
  } finally {
    await blocker.end()
    await killed.kill()
  }
})
