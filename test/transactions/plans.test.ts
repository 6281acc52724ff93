// Every page reads a short range of an index, measured in buffers. Unlike time, these are the same on every machine.
// Own process: reads every row of its database.
// Not distributed: it counts the buffers of one Postgres.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PlatformCaller } from '#core/caller.ts'
import { type PlatformId, publicId } from '#core/ids.ts'
import { cursorOf, type SortOrder, type Window } from '#database/page.ts'
import { createActing, quoteOf, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { ask } from '#test/setup/faces.ts'
import { nodesOf } from '#test/setup/plans.ts'
import { buffersOfPlan, buffersOf as buffersRead, planner } from '#test/setup/read-buffers.ts'
import { sentBy } from '#test/setup/sent-statements.ts'
import { countTransactionsOf } from '#transactions/list/count.ts'
import type { ParentKind } from '#transactions/list/kinds.ts'
import { listTransactions, listTransactionsOf } from '#transactions/list/list.ts'
import type { Transaction } from '#transactions/transaction.ts'
import { type Case, pairsOf, singleFilters } from '../../bench/filters.ts'
import { QUERY_OF_RECORD } from '../../bench/query-of-record.ts'
import { seedTransactions } from '../../dev/bulk.ts'
import { seedDemo } from '../../dev/demo.ts'

const ROWS = 30_000
/** In CI each pair of filters gets one order and one page: the next pair gets the next. */
const IS_FULL = process.env['PLANS'] === 'full'
/** A page of 50 reads about 60 buffers, or a few hundred if it skips a third of the rows on six ranges. The table has thousands. */
const MOST = 500

/**
 * A customer and an unrelated account: each may have many rows but few in common. Such a page reads the rows of the one with fewer,
 * because another id in two indexes would cost 32 bytes per row, and callers who combine them usually know that rows exist.
 */
const ACCOUNTS = ['accountIdentifier', 'senderAccountIdentifier', 'receiverAccountIdentifier']
const OPEN: Readonly<Record<string, readonly string[]>> = {
  customerId: ACCOUNTS,
  platformCustomerId: ACCOUNTS,
  cardId: ACCOUNTS,
  currency: ACCOUNTS,
  minAmount: ACCOUNTS,
  maxAmount: ACCOUNTS,
}
/** The busiest account of its kind has some hundred rows here. */
const MOST_OF_OPEN = 1200

const client = planner()
let caller: PlatformCaller
let singles: readonly Case[]
/** A position in the middle of the list, and one before the oldest year. */
let middle: Place
let early: Place

interface Place {
  readonly id: string
  readonly createdAt: string
}

beforeAll(async () => {
  const { DATABASE_DIRECT_URL: url = '' } = process.env
  await seedDemo(url)
  await seedTransactions(url, { count: ROWS })
  await client.connect()
  const platformId = (await find(`select id from platforms where name = 'demo'`, [])) as PlatformId
  caller = { scheme: 'PLATFORM', platformId, tokenId: '', permissions: ['VIEW'], environment: 'SANDBOX' }
  singles = await singleFilters((statement) => find(statement, [platformId]))
  middle = await placeAt(0.5)
  early = await placeAt(0.8)
}, 120_000)
afterAll(() => client.end())

const find = async (text: string, values: readonly unknown[]): Promise<string> => {
  const { rows } = await client.query<[string]>({ text, values: [...values], rowMode: 'array' })
  return String(rows[0]?.[0])
}

const placeAt = async (share: number): Promise<Place> => {
  const { rows } = await client.query<{ id: string; at: Date }>(
    `select id, created_at as at from transactions where platform_id = $1
     order by created_at desc, id desc offset (select count(*) * $2::float8 from transactions where platform_id = $1)::int limit 1`,
    [caller.platformId, share],
  )
  return { id: rows[0]?.id ?? '', createdAt: rows[0]?.at.toISOString() ?? '' }
}

const buffersOf = (work: () => Promise<unknown>) => buffersRead(client, 'transactions', work)

const windowOf = (sortOrder: SortOrder, cursor: string | null = null): Window => ({
  size: 50,
  backward: false,
  sortOrder,
  cursor: cursor === null ? null : { text: cursor, field: 'after' },
})

const buffersOfPage = async ({ filter }: Case, sortOrder: SortOrder, isDeep: boolean) => {
  const first = windowOf(sortOrder)
  if (!isDeep) return buffersOf(() => listTransactions(caller, filter, first))
  // No page has a cursor outside its dates, because no such cursor is ever issued.
  const { list } = await listTransactions(caller, filter, first)
  const cursor = cursorOf(filter.endDate ? early : middle, list)
  return buffersOf(() => listTransactions(caller, filter, windowOf(sortOrder, cursor)))
}

const isOpenPair = (first: string, second: string) =>
  Boolean(OPEN[first]?.includes(second) || OPEN[second]?.includes(first))

const isOpen = ({ filter }: Case) => {
  const [first = '', second = ''] = Object.keys(filter)
  return isOpenPair(first, second)
}

const mostOf = (each: Case) => (isOpen(each) ? MOST_OF_OPEN : MOST)

const ORDERS = [
  { order: 'newest first', sortOrder: 'DESC', turn: 0 },
  { order: 'oldest first', sortOrder: 'ASC', turn: 1 },
] as const

const OF_KINDS = ['types', 'direction', 'statuses', 'startDate', 'endDate']
const PAYEE = '$payee@bank.example'
const PAID = {
  columns: 'source_type, source_currency, destination_type, destination_uma_address',
  values: `'REALTIME_FUNDING', 'USD', 'UMA_ADDRESS', '${PAYEE}'`,
}
const PAYOUTS = {
  kind: 'payouts',
  type: 'OUTGOING',
  direction: 'DEBIT',
  status: 'COMPLETED',
  columns: `${PAID.columns}, sent_amount, sent_currency`,
  values: `${PAID.values}, 1, 'USD'`,
}
const KINDS = [
  PAYOUTS,
  {
    kind: 'pulls',
    type: 'INCOMING',
    direction: 'DEBIT',
    status: 'COMPLETED',
    columns: `${PAID.columns}, received_amount, received_currency`,
    values: `${PAID.values}, 1, 'USD'`,
  },
  {
    kind: 'cards',
    type: 'CARD',
    direction: 'DEBIT',
    status: 'SETTLED',
    columns: 'source_internal_account_id, merchant_descriptor, authorized_amount, card_currency',
    values: `$1, 'COFFEE BAR', 1, 'USD'`,
  },
]

const inTurn = <T>(all: readonly T[], turn: number, turns: number) =>
  all.filter((_, index) => IS_FULL || index % turns === turn)

describe.each(ORDERS)('$order', ({ sortOrder, turn }) => {
  it.each([
    { page: 'the first page', isDeep: false },
    { page: 'a page in the middle', isDeep: true },
  ])('$page reads few buffers for every filter and every pair of filters', async ({ isDeep }) => {
    const pairs = inTurn(pairsOf(singles), 2 * turn + Number(isDeep), 4)
    const long: string[] = []
    for (const each of [{ name: 'no filter', filter: {} }, ...singles, ...pairs]) {
      const buffers = await buffersOfPage(each, sortOrder, isDeep)
      if (buffers > mostOf(each)) long.push(`${each.name}: ${buffers}`)
    }
    expect(long).toEqual([])
  })

  it('the pages of parents read few buffers for every filter', async () => {
    const long: string[] = []
    for (const parent of PARENTS) {
      const parentIds = await busiest(parent, 1)
      for (const each of [{ name: 'no filter', filter: {} }, ...singles]) {
        const { name, filter } = each
        const buffers = await buffersOf(() =>
          listTransactionsOf(caller, parent, parentIds, filter, windowOf(sortOrder)),
        )
        if (buffers > (isOpenOf(parent, each) ? MOST_OF_OPEN : mostOf(each)))
          long.push(`${parent}, ${name}: ${buffers}`)
      }
    }
    expect(long).toEqual([])
  })
})

it('the pages of several parents read few buffers for a search or an amount that few rows match', async () => {
  const parentIds = await busiest('Customer', 10)
  const rare = singles.filter(({ name }) => /^(search, nothing|(min|max)Amount, rare)$/.test(name))
  expect(rare).toHaveLength(3)
  for (const { name, filter } of rare) {
    const buffers = await buffersOf(() => listTransactionsOf(caller, 'Customer', parentIds, filter, windowOf('DESC')))
    expect(buffers, name).toBeLessThan(MOST)
  }
})

it("the counts of an account, and of a customer's transactions with it, read the entries of indexes", async () => {
  await client.query('vacuum transactions')
  const parentIds = await busiest('InternalAccount', 1)
  const { filter: customer } = singles.find(({ name }) => name === 'customerId, busy') as Case
  for (const filter of [{}, customer, { ...customer, types: ['OUTGOING' as const] }]) {
    let counted: number | null = 0
    const buffers = await buffersOf(async () => {
      ;[counted = null] = await countTransactionsOf(caller, 'InternalAccount', parentIds, filter)
    })
    expect(counted).toBeGreaterThan(500)
    expect(buffers).toBeLessThan(Number(counted) / 10)
  }
})

// With a million rows and an account of 100,000, this form reads 54 buffers for any type. Two ranges of indexes without the type
// read 67,572 where one side has no such rows. An OR over both columns reads 500, and more the rarer the account is.
it('an account combined with a type reads few buffers on both sides, even if one side has no such rows', async () => {
  const account = singles.find(({ name }) => name === 'accountIdentifier, internal')
  for (const item of ['INCOMING', 'OUTGOING', 'CARD'] as const) {
    for (const { sortOrder } of ORDERS) {
      const filter = { ...account?.filter, types: [item] }
      const buffers = await buffersOfPage({ name: item, filter }, sortOrder, false)
      expect(buffers, item).toBeLessThan(150)
    }
  }
})

/** Inserts a platform with payments of one kind. `row` is the number of the payment, the newest first. */
const insertPlatform = async (
  id: PlatformId,
  { kind, type, direction, status, columns, values }: (typeof KINDS)[number],
) => {
  await client.query('set session_replication_role = replica')
  await client.query(`insert into platforms (id, name, environment) values ($1, $2, 'SANDBOX')`, [id, kind])
  await client.query(
    `insert into transactions (platform_id, id, type, direction, status, created_at, ${columns})
     select $1, gen_random_uuid(), '${type}', '${direction}', '${status}', now() - row * interval '10 minutes', ${values}
     from generate_series(1, ${ROWS}) as row`,
    [id],
  )
  await client.query('set session_replication_role = default')
}

describe('a platform with one type of transactions only', () => {
  it.each(KINDS)(
    '$kind: every filter of kinds and statuses reads few buffers, whether it matches rows or not',
    async (kind) => {
      const platformId = randomUUID() as string as PlatformId
      await insertPlatform(platformId, kind)
      await client.query('analyze transactions')
      const filters = singles.filter(({ filter }) => OF_KINDS.includes(Object.keys(filter)[0] ?? ''))
      filters.push({ name: 'credits of the payee', filter: { direction: 'CREDIT', accountIdentifier: PAYEE } })
      const long: string[] = []
      for (const { sortOrder, turn } of ORDERS) {
        for (const { name, filter } of [...filters, ...inTurn(pairsOf(filters), turn, 2 * ORDERS.length)]) {
          const buffers = await buffersOf(() =>
            listTransactions({ ...caller, platformId }, filter, windowOf(sortOrder)),
          )
          // A plan that reads a list to its end without finding anything reads thousands.
          if (buffers > 150) long.push(`${name}, ${sortOrder}: ${buffers}`)
        }
      }
      expect(long).toEqual([])
    },
  )
})

/** What follows the place in the list, and the buffers of its last page. */
const walkFrom = async (place: Place, filter: Case['filter'], sortOrder: SortOrder) => {
  const { list } = await listTransactions(caller, filter, windowOf(sortOrder))
  const items: Transaction[] = []
  for (;;) {
    const window = windowOf(sortOrder, cursorOf(items.at(-1) ?? place, list))
    const page = await listTransactions(caller, filter, window)
    items.push(...page.items)
    if (!page.hasMore) return { items, buffers: await buffersOf(() => listTransactions(caller, filter, window)) }
  }
}

const beginsWith = ({ description, merchantDescriptor, counterpartyInformation: known }: Transaction, text = '') =>
  [description, merchantDescriptor, known?.['FULL_NAME'] ?? known?.['COMPANY_LEGAL_NAME']].some((each) =>
    each?.toLowerCase().startsWith(text?.toLowerCase()),
  )

it.each(ORDERS)('$order, the last pages of a common search are complete and short', async ({ sortOrder }) => {
  await client.query('vacuum transactions')
  const place = await placeAt(sortOrder === 'DESC' ? 0.99 : 0.01)
  const { items } = await walkFrom(place, {}, sortOrder)
  for (const { name, filter } of singles.filter((each) => /^search, (common|merchant)/.test(each.name))) {
    const found = await walkFrom(place, filter, sortOrder)
    const expected = items.filter((item) => beginsWith(item, filter.search ?? undefined))
    expect(expected.length, name).toBeGreaterThan(2)
    expect(found.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    expect(found.buffers, name).toBeLessThan(MOST)
  }
})

it('an agent and its platform find one action among many waiting ones with few buffers', async () => {
  const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
  const { platform, agent, owner } = acting
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into agent_actions (platform_id, id, agent_id, customer_id, type, status, approval_expires_at, quote_id, transaction_id)
     select $1, gen_random_uuid(), $2, $3, 'EXECUTE_QUOTE', 'PENDING_APPROVAL', now() + interval '7 days', gen_random_uuid(), gen_random_uuid()
     from generate_series(1, ${ROWS})`,
    [platform.id, uuidOf(acting.agentId), uuidOf(acting.customerId)],
  )
  await client.query('set session_replication_role = default; analyze agent_actions')
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  for (const face of actionFaces) {
    const { body: quote } = await face.createQuote(agent, quoteOf(acting, 100))
    expect((await face.execute(agent, quote.id)).body.status).toBe('PENDING_APPROVAL')
    expect((await face.approveTransaction(owner, quote.transactionId)).status).toBe(200)
  }
  const reads = sent.mock.calls
    .flatMap(([query]) => sentBy(query))
    .filter(({ text }) => /^\s*select.*\bagent_actions\b/is.test(text))
  sent.mockRestore()
  expect(reads.length).toBeGreaterThan(5)
  for (const { text, values = [] } of reads) expect(await buffersOfPlan(client, text, values), text).toBeLessThan(30)
})

it('few amounts in a range are found in the index of amounts, even if those of another currency are greater', async () => {
  const platformId = randomUUID() as string as PlatformId
  const currency = `case when row % 2 = 0 then 'EUR' else 'USD' end`
  await insertPlatform(platformId, { ...PAYOUTS, values: `${PAID.values}, row * (1 + row % 2 * 10000), ${currency}` })
  await client.query('vacuum analyze transactions')
  const filter = { currency: 'EUR', minAmount: ROWS - 20 }
  const read = () => listTransactions({ ...caller, platformId }, filter, windowOf('DESC'))
  expect((await read()).items).toHaveLength(11)
  expect(await buffersOf(read)).toBeLessThan(40)
})

it('the payments of an agent with an account are found without reading all of either', async () => {
  const platformId = randomUUID() as string as PlatformId
  const [agentId, accountId, other] = [randomUUID(), randomUUID(), randomUUID()]
  await insertPlatform(platformId, {
    ...PAYOUTS,
    columns:
      'source_type, source_currency, source_internal_account_id, agent_id, destination_type, destination_uma_address, sent_amount, sent_currency',
    values: `'ACCOUNT', 'USD', (case when row % 2 = 0 then '${accountId}' else '${other}' end)::uuid,
      case when row % 2 = 1 or row % 1000 = 0 then '${agentId}'::uuid end, 'UMA_ADDRESS', '$payee@bank.example', 1, 'USD'`,
  })
  await client.query('vacuum analyze transactions')
  const filter = { agentId: publicId('Agent', agentId), accountIdentifier: publicId('InternalAccount', accountId) }
  const read = () => listTransactions({ ...caller, platformId }, filter, windowOf('DESC'))
  expect((await read()).items).toHaveLength(ROWS / 1000)
  expect(await buffersOf(read)).toBeLessThan(100)
})

// The plan is made once, for a page of unknown size, and this platform is small.
it('the rows that a page leads to are found by their keys, not among all of the platform', async () => {
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  const demo = { clientId: 'demo', secret: 'demo-secret' }
  const { data } = await ask<{ transactions: { nodes: object[] } }, object>(demo, QUERY_OF_RECORD, { first: 50 })
  const statements = sent.mock.calls.flatMap(([query]) => sentBy(query))
  sent.mockRestore()
  expect(data.transactions.nodes).toHaveLength(50)
  const { text = '', values = [] } = statements.find((each) => each.text.includes('linked_0')) ?? {}
  await client.query('set plan_cache_mode = force_generic_plan; set random_page_cost = 1.1')
  await client.query(`prepare page as ${text}`)
  const literals = values.map((value) => client.escapeLiteral(String(value))).join(', ')
  const { rows } = await client.query(`explain (format json) execute page(${literals})`)
  await client.query('reset plan_cache_mode; reset random_page_cost')
  const reads = nodesOf(rows[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] !== undefined)
  expect(reads.length).toBeGreaterThan(5)
  for (const read of reads) {
    expect(read['Index Name'], read['Relation Name']).toMatch(/_pkey$|_platform_id_id_|^transactions_list$/)
  }
})

/** The parents whose transactions can be filtered. */
const PARENTS = ['Customer', 'InternalAccount', 'ExternalAccount', 'Agent'] as const
type Parent = (typeof PARENTS)[number] & ParentKind

const COLUMNS: Record<Parent, string> = {
  Customer: 'customer_id',
  InternalAccount: 'source_internal_account_id',
  ExternalAccount: 'destination_external_account_id',
  Agent: 'agent_id',
}

/** The busiest ones. */
const busiest = async (parent: Parent, number: number): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    `select ${COLUMNS[parent]} as id from transactions where platform_id = $1 and ${COLUMNS[parent]} is not null
     group by 1 order by count(*) desc limit $2`,
    [caller.platformId, number],
  )
  return rows.map(({ id }) => id)
}

/** The platform filter that selects the same rows as the parent's list. */
const FILTERS_LIKE: Record<Parent, string> = {
  Customer: 'customerId',
  InternalAccount: 'accountIdentifier',
  ExternalAccount: 'accountIdentifier',
  Agent: 'agentId',
}

const isOpenOf = (parent: Parent, { filter }: Case) => {
  const [field = ''] = Object.keys(filter)
  return isOpenPair(FILTERS_LIKE[parent], field)
}
