// Searches that many transactions match. Those of many texts read in the order of the list first, and all matches if that finds too few. Those of
// few texts read each text in the order of the list.
// Own process: seeds a large platform.
// Not distributed: bulk data is written with functions of one session.

import { randomInt } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlatformCaller } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Window } from '#database/page.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { countTransactions, countTransactionsOf } from '#transactions/list/count.ts'
import type { TransactionFilter } from '#transactions/list/filter.ts'
import { listTransactions, listTransactionsOf } from '#transactions/list/list.ts'
import type { Transaction } from '#transactions/transaction.ts'
import { seedTransactions } from '../../dev/bulk.ts'
import { seedDemo } from '../../dev/demo.ts'

const ROWS = 20_000
const MANY = 3_000

const { DATABASE_DIRECT_URL: url = '' } = process.env
const client = new pg.Client({ connectionString: url })
let caller: PlatformCaller

beforeAll(async () => {
  await seedDemo(url)
  await seedTransactions(url, { count: ROWS })
  await client.connect()
  const { rows } = await client.query<{ id: PlatformId }>(`select id from platforms where name = 'demo'`)
  const platformId = rows[0]?.id ?? expect.fail('The demo is missing')
  caller = { scheme: 'PLATFORM', platformId, tokenId: '', permissions: ['VIEW'], environment: 'SANDBOX' }
  // Only older payments match, so the order of the list leads past thousands of others.
  await client.query('set session_replication_role = replica')
  const { rowCount } = await client.query(
    `update transactions set description = 'Common purchase ' || right(id::text, 4) where platform_id = $1 and description is not null
       and created_at < (select percentile_disc(0.5) within group (order by created_at) from transactions where platform_id = $1)`,
    [platformId],
  )
  expect(rowCount).toBeGreaterThan(MANY)
}, 120_000)
afterAll(() => client.end())

const PARENTS = {
  Customer: { column: 'customer_id', isOf: 'customer_id = $5' },
  InternalAccount: {
    column: 'source_internal_account_id',
    isOf: '$5 in (source_internal_account_id, destination_internal_account_id)',
  },
} as const
const KINDS = ['Customer', 'InternalAccount'] as const

const FIRST: Window = { size: 50, backward: false, sortOrder: 'DESC', cursor: null }

/** The ids of all matches, found by looking at every row. */
const matching = async ({ search, statuses, types }: TransactionFilter, isOf: string, parentId?: string) => {
  const { rows } = await client.query<{ id: string }>(
    `select id from transactions
     where platform_id = $1 and ($2::text[] is null or status::text = any($2)) and ($3::text[] is null or type::text = any($3))
       and (starts_with(lower(description), $4) or starts_with(lower(merchant_descriptor), $4)
         or starts_with(lower(coalesce(counterparty_information ->> 'FULL_NAME', counterparty_information ->> 'COMPANY_LEGAL_NAME')), $4))
       and ${isOf}
     order by created_at desc, id desc`,
    [caller.platformId, statuses, types, search, ...(parentId ? [parentId] : [])],
  )
  return rows.map(({ id }) => id)
}

const busiest = async (column: string): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    `select ${column} as id from transactions where platform_id = $1 and ${column} is not null group by 1 order by count(*) desc, 1 limit 3`,
    [caller.platformId],
  )
  return rows.map(({ id }) => id)
}

const idsOf = (items: readonly Transaction[]) => items.map(({ id }) => uuidOf(id))

/** The first one matches thousands of texts. The others match one: a description that later payments have, and a merchant. */
const SEARCHES = ['common', 'refund', 'corner bakery']
const OTHERS: readonly (readonly [string, TransactionFilter])[] = [
  ['alone', {}],
  ['and a rare status', { statuses: ['REJECTED'] }],
  ['and open statuses', { statuses: ['PENDING', 'PROCESSING'] }],
  ['and cards, which have no description', { types: ['CARD'] }],
]
const FILTERS = SEARCHES.flatMap((search) =>
  OTHERS.map(([name, filter]) => [search, name, { ...filter, search }] as const),
)

// Each letter takes four bytes, in either case. An entry of an index holds at most 2,704 bytes.
it('a description and a counterparty of the longest letters are found', async () => {
  const text = Array.from({ length: 300 }, () => String.fromCodePoint(0x10400 + randomInt(40))).join('')
  const { rows } = await client.query<{ id: string }>(
    `update transactions set description = $2, counterparty_information = jsonb_build_object('FULL_NAME', $2::text)
     where platform_id = $1 and id = (select id from transactions where platform_id = $1 and type = 'OUTGOING' order by created_at limit 1) returning id`,
    [caller.platformId, text],
  )
  const filter = { search: [...text].slice(0, 100).join('') }
  const { items } = await listTransactions(caller, filter, FIRST)
  expect(idsOf(items)).toEqual([rows[0]?.id])
  expect(await countTransactions(caller, filter)).toBe(1)
})

it.each(FILTERS)(
  'the search %o %s finds and counts what looking at every row finds',
  async (_search, _name, filter) => {
    const all = await matching(filter, 'true')
    const { items, hasMore } = await listTransactions(caller, filter, FIRST)
    expect(idsOf(items)).toEqual(all.slice(0, FIRST.size))
    expect(hasMore).toBe(all.length > FIRST.size)
    expect(await countTransactions(caller, filter)).toBe(all.length)
  },
)

it.each(FILTERS)(
  'for each of several parents, the search %o %s finds and counts the same',
  async (_search, _name, filter) => {
    for (const kind of KINDS) {
      const { column, isOf } = PARENTS[kind]
      const parentIds = await busiest(column)
      const all = await Promise.all(parentIds.map((id) => matching(filter, isOf, id)))
      const firstOf = async (ids: readonly string[]) =>
        (await listTransactionsOf(caller, kind, ids, filter, FIRST)).map((page) =>
          page instanceof Error ? page : idsOf(page.items),
        )
      const expected = all.map((ids) => ids.slice(0, FIRST.size))
      expect(await firstOf(parentIds)).toEqual(expected)
      expect((await Promise.all(parentIds.map((id) => firstOf([id])))).flat()).toEqual(expected)
      expect(await countTransactionsOf(caller, kind, parentIds, filter)).toEqual(all.map(({ length }) => length))
    }
  },
)
