// Pages of customers and of accounts read a short range of an index.
// Own process: reads every row of its database.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { externalAccountList, internalAccountList } from '#accounts/list.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { customerList } from '#customers/list.ts'
import type { SortOrder, Window } from '#database/page.ts'
import { buffersOf, planner } from '#test/setup/read-buffers.ts'
import { createPlatform } from '#test/setup/world.ts'

const CUSTOMERS = 40_000
/** A page that reads the list of customers to its end reads 800, of accounts 1,300. */
const MOST = 500
/** A rare value is that of the 60 oldest customers, which come last in the list's usual order. */
const RARE = 60

const client = planner()
let caller: PlatformCaller

const FILL = `
  insert into customers (platform_id, id, platform_customer_id, customer_type, name, email, uma_address, region, verification_status, is_deleted, created_at, updated_at)
  select $1, md5('c' || n)::uuid, 'user-' || n, (case when n > $2 - $3 then 'BUSINESS' else 'INDIVIDUAL' end)::customer_type,
    (array['Amina', 'Ben', 'Chiara'])[1 + n % 3] || ' ' || n, 'c' || n || '@mail.example', '$c' || n || '@bank.example', case when n > $2 - $3 then 'JP' else (array['US', 'DE'])[1 + n % 2] end,
    (case when n > $2 - $3 then 'REJECTED' else 'APPROVED' end)::verification_status, n % 10 = 0,
    now() - n * interval '10 minutes', now() - case when n % 700 = 0 then 0 else n end * interval '10 minutes'
  from generate_series(1, $2::int) as n`
const fillAccounts = (table: string, columns: string, values: string) => `
  insert into ${table} (platform_id, id, customer_id, status, currency, created_at, ${columns})
  select $1, md5('a' || k || '-' || n)::uuid, md5('c' || n)::uuid, (case when n > $2 - $3 then 'PENDING' else 'ACTIVE' end)::${table.slice(0, -1)}_status,
    case when n > $2 - $3 then 'JPY' else (array['USD', 'EUR'])[k] end, now() - n * interval '10 minutes', ${values}
  from generate_series(1, $2::int) as n, generate_series(1, 2) as k`

beforeAll(async () => {
  const platform = await createPlatform()
  caller = { scheme: 'PLATFORM', platformId: platform.id, tokenId: '', permissions: ['VIEW'], environment: 'SANDBOX' }
  await client.connect()
  await client.query('set session_replication_role = replica')
  const values = [platform.id, CUSTOMERS, RARE]
  await client.query(FILL, values)
  await client.query(fillAccounts('internal_accounts', 'type', `'INTERNAL_FIAT'`), values)
  await client.query(
    fillAccounts('external_accounts', 'account_type, account_info, platform_account_id', `'USD_ACCOUNT', '{}', null`),
    values,
  )
  await client.query('set session_replication_role = default')
  await client.query('vacuum analyze customers, internal_accounts, external_accounts')
}, 120_000)
afterAll(() => client.end())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

const OF_CUSTOMERS = {
  'no filter': {},
  'customerType, common': { customerType: 'INDIVIDUAL' },
  'customerType, rare': { customerType: 'BUSINESS' },
  'verificationStatuses, common': { verificationStatuses: ['APPROVED'] },
  'verificationStatuses, rare': { verificationStatuses: ['REJECTED'] },
  platformCustomerId: { platformCustomerId: 'user-77' },
  umaAddress: { umaAddress: '$c77@bank.example' },
  'region, common': { region: 'DE' },
  'region, rare': { region: 'JP' },
  'region, none': { region: 'AQ' },
  'currency, common': { currency: 'EUR' },
  'currency, rare': { currency: 'JPY' },
  'currency, none': { currency: 'XAU' },
  'search, common': { search: 'amina' },
  'search, rare': { search: 'amina 1233' },
  'search, nothing': { search: 'no such text' },
  createdAfter: { createdAfter: minutesAgo(350_000) },
  createdBefore: { createdBefore: minutesAgo(300_000) },
  'updatedAfter, few': { updatedAfter: minutesAgo(100) },
  'updatedAfter, many': { updatedAfter: minutesAgo(300_000) },
  'updatedBefore, few': { updatedBefore: minutesAgo(10 * (CUSTOMERS - RARE)) },
  'updatedBefore, many': { updatedBefore: minutesAgo(100_000) },
} as const
const OF_ACCOUNTS = {
  'no filter': {},
  'currency, common': { currency: 'EUR' },
  'currency, rare': { currency: 'JPY' },
  'currency, none': { currency: 'XAU' },
  'owner, platform': { owner: 'PLATFORM' },
  'owner, customer': { owner: 'CUSTOMER' },
  'status, rare': { statuses: ['PENDING'] },
} as const

const windowOf = (sortOrder: SortOrder): Window => ({ size: 50, backward: false, sortOrder, cursor: null })

const pairsOf = (singles: object) =>
  Object.entries(singles).flatMap(([name, filter], place, all) => [
    [name, filter] as const,
    ...all
      .slice(place + 1)
      .filter(([, more]) => Object.keys(filter)[0] && Object.keys(more)[0] !== Object.keys(filter)[0])
      .map(([other, more]) => [`${name} + ${other}`, { ...more, ...filter }] as const),
  ])

it.each(['DESC', 'ASC'] as const)('%s, for every filter and every pair of filters', async (sortOrder) => {
  const lists = [
    ['customers', customerList, OF_CUSTOMERS],
    ['internal_accounts', internalAccountList, OF_ACCOUNTS],
    ['external_accounts', externalAccountList, OF_ACCOUNTS],
  ] as const
  const long: string[] = []
  for (const [table, list, singles] of lists) {
    for (const [name, filter] of pairsOf(singles)) {
      // Times without overlap are refused.
      const values = list.filter.safeParse(filter)
      if (!values.success) continue
      const page = () => list.page(caller, values.data as never, windowOf(sortOrder))
      const buffers = await buffersOf(client, table, page)
      if (buffers > MOST) long.push(`${table}, ${name}: ${buffers}`)
    }
  }
  expect(long).toEqual([])
})
