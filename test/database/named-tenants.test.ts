// A statement names the platform of every row that it reads or writes, so a distributed database sends it to the node that has them
// (docs/scale.md#citus). This holds without Citus: Postgres reports the plan of each statement that is executed.
// Own process: has every connection report its plans.
// Not distributed: it reads the plans of one Postgres.
import { beforeAll, expect, it, vi } from 'vitest'
import { db, query, type Sql, sql } from '#database/db.ts'
import { LOCAL, REFERENCE } from '#database/distribution/tables.ts'
import { startNumbering } from '#events/numbering.ts'
import { tasks } from '#tasks.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createFundedWallet, createPayer, payloadOf, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { paymentFaces } from '#test/setup/payments/payment-faces.ts'
import { type Crawled, createCrawled, namesOfTypes } from '#test/setup/places/crawled-platforms.ts'
import { kindAt } from '#test/setup/places/kinds.ts'
import { callerOf } from '#test/setup/places/places.ts'
import { restOperations } from '#test/setup/places/rest-places.ts'
import {
  everythingOf,
  linkedFields,
  mutations,
  queries,
  questionOf,
  typeOf,
} from '#test/setup/places/schema-queries.ts'
import { nodesOf, type Plan, type Planned, plansOf, tellPlans } from '#test/setup/plans.ts'
import { setEndpoint } from '#test/setup/webhooks/happenings.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'
import { startSending } from '#webhooks/sending/sender.ts'

vi.hoisted(() => {
  const names = [
    'maxTokens',
    'maxDepth',
    'maxFields',
    'maxRepeats',
    'maxAliases',
    'maxNesting',
    'maxNodes',
    'nodesPerMinute',
  ]
  Object.assign(process.env, {
    GRAPHQL_LIMITS: names.map((name) => `${name}=1000000000`).join(),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
})

/** Statements of the background, by a part of their text. All nodes are asked at once, and no row is locked. */
const OF_EVERY_PLATFORM: Readonly<Record<string, readonly RegExp[]>> = {
  'work that is due is looked for, and then done for one platform after the other': [
    /^SELECT platform_id FROM events WHERE position IS NULL/,
    /^SELECT DISTINCT platform_id FROM \(SELECT platform_id FROM transaction_count_changes/,
    /^SELECT platform_id FROM partitions\.\w+_rest WHERE/,
    /^select platform_id from events_to_plan/,
    /^select e\.platform_id, environment from /,
    / from agent_actions where status = 'PENDING_APPROVAL' and approval_expires_at <= now\(\)/,
    / from sca_challenges where action = 'PAY' and expires_at </,
    / from transactions payment join platforms platform .* where payment\.refund_status = 'PENDING'/,
    / from quotes quote join transactions payment .* where quote\.status = 'PENDING' and quote\.expires_at </,
    / from event_streams stream join platforms platform /,
    / from stablecoin_operations operation join platforms platform /,
    / from uma_demands demand join transactions payment /,
    / from uploads where state <> 'KEPT' and expires_at < now\(\)/,
  ],
  'rows are changed when their time has come, each by itself': [
    /^delete from (signed_requests|spent_nodes|contact_codes|card_number_pages|uma_lookups|uma_answered_lookups|kyc_links) where \w+ </,
    /^update webhook_endpoints set public_key = next_public_key/,
  ],
}

let world: Crawled
beforeAll(async () => {
  await tellPlans(process.env['DATABASE_DIRECT_URL'] ?? '')
  world = await createCrawled('named')
}, 120_000)

/** A caller that may use the operation, with rows of its own. */
const callerAt = (name: string, at: number) =>
  callerOf(world, /^agent|\/agents\/me/.test(name) ? 'agent' : 'platform', at % world.agents.length)

const callRest = async (isRead: boolean) => {
  const operations = restOperations().filter(({ name }) => name.startsWith('GET ') === isRead)
  for (const [at, { name, ask }] of operations.entries()) await ask(callerAt(name, at))
}

const callFields = async (kind: 'query' | 'mutation') => {
  for (const [at, field] of (kind === 'query' ? queries() : mutations()).entries()) {
    const by = callerAt(field.name, at)
    const own = (path: readonly string[]) => by.own(kindAt(field.name, path) ?? 'Customer')
    const selection = kind === 'query' ? everythingOf(typeOf(field), 1) : '{ __typename }'
    const asked = questionOf(kind, field, selection, null, null, own)
    await callGraphQL(by.authorization, asked.query, asked.variables, by.address())
  }
}

/** Each list below a node. */
const callLists = async () => {
  const names = await namesOfTypes(world.platform, world.names)
  const by = callerOf(world, 'platform', 0)
  for (const { field, node, ask } of linkedFields()) {
    if (!field.args.some(({ name }) => name === 'first')) continue
    const own = node === null ? undefined : names.get(node)
    const asked = ask(own ? by.own(own.name, own.at) : null, ['first'], 3, everythingOf(typeOf(field), 1))
    await callGraphQL(by.authorization, asked.query, asked.variables)
  }
}

const read = async () => {
  await callRest(true)
  await callFields('query')
  await callLists()
}

const write = async () => {
  await callFields('mutation')
  await callRest(false)
}

/** Payments over both faces until they end, reported to a webhook. */
const pay = async () => {
  const receiver = await startReceiver()
  const { platform, dollars, outside } = await createPayer()
  await setEndpoint(platform, receiver.url)
  const sending = startSending()
  const numbering = startNumbering(sending.wake)
  const wallet = await createFundedWallet(platform)
  for (const face of paymentFaces) {
    const { body: signed } = await face.createQuote(platform, quoteInput(wallet.accountId, outside, 1_000_000))
    await face.executeQuote(platform, signed.id, await wallet.device.stamp(payloadOf(signed)))
    const { body: quote } = await face.createQuote(platform, quoteInput(dollars, outside))
    await face.executeQuote(platform, quote.id)
    await face.transferOut(platform, transferInput(dollars, outside, 500))
    await face.transferIn(platform, transferInput(outside, dollars, 500))
  }
  await passTime(platform.id)
  await expect.poll(() => receiver.received.length).toBeGreaterThan(10)
  await sending.stop()
  await numbering.stop()
  receiver.close()
}

const runBackground = async () => {
  for (const task of tasks.filter(({ cron }) => cron !== undefined)) await task.run({} as never)
}

const CONDITIONS = ['Index Cond', 'Recheck Cond', 'TID Cond', 'Filter', 'Hash Cond', 'Merge Cond', 'Join Filter']

/** The tables whose rows the plan finds by anything other than their platform. */
const unnamedIn = (plan: Plan, rootOf: ReadonlyMap<string, string>): string[] => {
  const nodes = nodesOf(plan)
  const conditions = nodes.flatMap((node) => CONDITIONS.flatMap((name) => (node[name] as string | undefined) ?? []))
  const scans = nodes.flatMap(({ 'Node Type': type, 'Relation Name': name = '', Alias: alias = '' }) => {
    const table = rootOf.get(name)
    if (table === undefined || type === 'ModifyTable') return []
    return [{ table, tenant: `${alias}.${table === 'platforms' ? 'id' : 'platform_id'}` }]
  })
  const named = new Set<string>()
  // Postgres leaves other conditions out if one of them is never true.
  if (conditions.some((text) => text.includes("= ANY ('{}'"))) return []
  const isTenant = (text: string) => scans.some(({ tenant }) => tenant === text)
  const equals = (tenant: string): string[] => {
    const escaped = tenant.replaceAll('.', '\\.')
    const pattern = new RegExp(`(?<![\\w.])${escaped} = ([^\\s()]+|\\()|([^\\s()]+|\\)) = ${escaped}(?!\\w)`, 'g')
    return conditions.flatMap((text) => [...text.matchAll(pattern)].map(([, right, left]) => right ?? left ?? ''))
  }
  for (let before = -1; before < named.size; ) {
    before = named.size
    for (const { tenant } of scans) {
      if (equals(tenant).some((other) => other !== 'ANY' && (!isTenant(other) || named.has(other)))) named.add(tenant)
    }
  }
  const isEverywhere = (table: string) => [...REFERENCE, ...LOCAL].includes(table as never)
  return scans.filter(({ table, tenant }) => !isEverywhere(table) && !named.has(tenant)).map(({ table }) => table)
}

/** The text of each statement that does not name the platform of all its rows, with the tables. */
const unnamedAmong = async (plans: readonly Planned[]): Promise<Map<string, string[]>> => {
  const rows = await db.$queryRaw<{ name: string; root: string }[]>`
    select c.relname as name, root.relname as root from pg_class c
    join pg_class root on root.oid = coalesce(pg_partition_root(c.oid)::oid, c.oid)
    where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'partitions'::regnamespace)`
  const rootOf = new Map(rows.map(({ name, root }) => [name, root]))
  const found = plans.map(({ text, plan }) => [text, unnamedIn(plan, rootOf)] as const)
  return new Map(found.filter(([, tables]) => tables.length > 0).map(([text, tables]) => [text, tables.toSorted()]))
}

it('every statement of the operations, payments and jobs names the platform of its rows', {
  timeout: 120_000,
}, async () => {
  const plans = await plansOf(async () => {
    for (const work of [read, write, pay, runBackground]) await work()
  })
  const found = await unnamedAmong(plans)
  const different = new Set(plans.map(({ text }) => text)).size
  console.log(`statements ${plans.length}, different ${different}, of every platform ${found.size}`)
  expect(different).toBeGreaterThan(450)
  const known = Object.values(OF_EVERY_PLATFORM).flat()
  expect([...found].filter(([text]) => !known.some((part) => part.test(text)))).toEqual([])
  expect(known.filter((part) => ![...found.keys()].some((text) => part.test(text)))).toEqual([])
})

it('a table whose platform is not named is found', async () => {
  const tablesOf = async (statement: Sql) => [...(await unnamedAmong(await plansOf(() => query(statement)))).values()]
  expect(await tablesOf(sql`select 1 from customers where name = 'Ada'`)).toEqual([['customers']])
  expect(await tablesOf(sql`select 1 from cards join customers using (platform_id)`)).toEqual([['cards', 'customers']])
  const named = sql`select 1 from cards join customers using (platform_id) where customers.platform_id = ${world.platform.id}::uuid`
  expect(await tablesOf(named)).toEqual([])
})
