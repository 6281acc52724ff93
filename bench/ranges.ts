// `npm run bench -- --ranges`: what partitioning `transactions` by month with the same keys costs and gains (docs/scale.md#ranges-of-time).
// It copies the seeded rows into two tables with the indexes of `transactions`: one as it is, one partitioned by the time within the ids.
import pg from 'pg'
import { databaseOf, openServer } from './databases.ts'

const TIMES = 200

/** The ids of the seed are hashes. Here each id begins with the time of its row, as in the gateway. */
const TIMED_ID = `(lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || right(replace(id::text, '-', ''), 20))::uuid`

const UNIQUE_BESIDES = ['quote_id', 'reconciliation_reference']

export const measureRanges = async (rows: number): Promise<void> => {
  const server = await openServer()
  const client = new pg.Client({
    connectionString: await databaseOf(server, rows),
    options: '-c TimeZone=UTC -c jit=off -c plan_cache_mode=force_custom_plan',
  })
  await client.connect()
  try {
    await build(client)
    await report(client)
  } finally {
    await client.query('drop schema if exists ranges cascade')
    await client.end()
    await server.stop()
  }
}

const one = async <T>(client: pg.Client, text: string, values: unknown[] = []): Promise<T> => {
  const { rows } = await client.query({ text, values, rowMode: 'array' })
  return rows[0]?.[0] as T
}

const build = async (client: pg.Client) => {
  await client.query(
    `set maintenance_work_mem = '1GB'; set synchronous_commit = off; drop schema if exists ranges cascade; create schema ranges`,
  )
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = 'public.transactions'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const names = columns.map(({ name }) => name)
  const copied = `select ${names.map((name) => (name === 'id' ? TIMED_ID : name)).join()} from public.transactions`
  const { rows: indexes } = await client.query<{ definition: string; isUnique: boolean }>(
    `select pg_get_indexdef(indexrelid) as definition, indisunique as "isUnique" from pg_index where indrelid = 'public.transactions'::regclass`,
  )
  for (const [name, by] of [
    ['whole', ''],
    ['ranged', 'partition by range (id)'],
  ] as const) {
    await client.query(`create table ranges.${name} (like public.transactions including all excluding indexes) ${by}`)
    if (by) {
      await client.query(`
        select public.first_uuid_at(month) as first, public.first_uuid_at(month + interval '1 month') as next, to_char(month, 'YYYYMM') as name
        into temp months from generate_series(date_trunc('month', (select min(created_at) from public.transactions)), now(), '1 month') month;
        do $$ declare m record; begin for m in select * from months loop
          execute format('create table ranges.ranged_%s partition of ranges.ranged for values from (%L) to (%L)', m.name, m.first, m.next);
        end loop; end $$;
        create table ranges.ranged_rest partition of ranges.ranged default`)
    }
    await client.query(`insert into ranges.${name} (${names.join()}) ${copied}`)
    for (const { definition, isUnique } of indexes) {
      if (by && isUnique && !/\(platform_id, id\)/.test(definition)) continue
      await client.query(definition.replace(/INDEX \S+ ON (ONLY )?public\.transactions/, `INDEX ON ranges.${name}`))
    }
  }
  // A unique key without the id needs a table of its own that is not partitioned.
  for (const column of UNIQUE_BESIDES) {
    await client.query(`
      create table ranges.by_${column} as select platform_id, ${column}, id from ranges.whole where ${column} is not null;
      create index on ranges.by_${column} (platform_id, ${column})`)
  }
  for (const name of ['whole', 'ranged']) {
    await client.query(`
      create table ranges.of_${name} (platform_id uuid, transaction_id uuid, foreign key (platform_id, transaction_id) references ranges.${name} (platform_id, id))`)
  }
  await client.query('analyze')
}

interface Plan {
  readonly 'Planning Time': number
  readonly 'Execution Time': number
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Medians in milliseconds, and the pages of memory that were read. */
const measured = async (client: pg.Client, text: string, values: readonly (readonly unknown[])[]) => {
  const plans: Plan[] = []
  await client.query('begin')
  try {
    for (let time = 0; time < TIMES; time += 1) {
      const explained = `explain (analyze, buffers, timing off, format json) ${text}`
      const [plan] = await one<Plan[]>(client, explained, [...(values[time % values.length] ?? [])])
      if (plan && time >= TIMES / 10) plans.push(plan)
    }
  } finally {
    await client.query('rollback')
  }
  const planning = median(plans.map((plan) => plan['Planning Time']))
  const execution = median(plans.map((plan) => plan['Execution Time']))
  const pages = median(plans.map(({ Plan: top }) => top['Shared Hit Blocks'] + top['Shared Read Blocks']))
  return `${planning.toFixed(2)} + ${execution.toFixed(2)} (${pages})`
}

const report = async (client: pg.Client) => {
  const { rows } = await client.query<{ platform_id: string; id: string; created_at: Date; customer_id: string }>(
    `select platform_id, id, created_at, customer_id from ranges.whole where customer_id is not null order by md5(id::text) limit 2000`,
  )
  const some = rows.slice(0, 50)
  const page = 'order by created_at desc, id desc limit 21'
  const columns = 'id, created_at, status, type'
  const cases: [name: string, text: (table: string) => string, values: unknown[][]][] = [
    [
      'the newest page',
      (t) => `select ${columns} from ${t} where platform_id = $1 ${page}`,
      some.map((row) => [row.platform_id]),
    ],
    [
      'a page behind a cursor',
      (t) => `select ${columns} from ${t} where platform_id = $1 and (created_at, id) < ($2, $3) ${page}`,
      some.map((row) => [row.platform_id, row.created_at, row.id]),
    ],
    [
      'the same, which also says id < a day after the cursor',
      (t) => `select ${columns} from ${t} where platform_id = $1 and (created_at, id) < ($2, $3) and id < $4 ${page}`,
      some.map((row) => [row.platform_id, row.created_at, row.id, uuidAt(row.created_at.getTime() + 86_400_000)]),
    ],
    [
      'the same, and id > 90 days before it',
      (t) =>
        `select ${columns} from ${t} where platform_id = $1 and (created_at, id) < ($2, $3) and id < $4 and id > $5 ${page}`,
      some.map((row) => [
        row.platform_id,
        row.created_at,
        row.id,
        uuidAt(row.created_at.getTime() + 86_400_000),
        uuidAt(row.created_at.getTime() - 90 * 86_400_000),
      ]),
    ],
    [
      'the newest page of a customer',
      (t) => `select ${columns} from ${t} where platform_id = $1 and customer_id = $2 ${page}`,
      some.map((row) => [row.platform_id, row.customer_id]),
    ],
    [
      'one by its id',
      (t) => `select * from ${t} where platform_id = $1 and id = $2`,
      some.map((row) => [row.platform_id, row.id]),
    ],
    [
      '100 by their ids, of all months',
      (t) => `select * from ${t} where platform_id = $1 and id = any($2::uuid[])`,
      some.map((row, index) => [row.platform_id, rows.slice(index * 30, index * 30 + 100).map(({ id }) => id)]),
    ],
    [
      'a change of one by its id',
      (t) => `update ${t} set updated_at = updated_at + interval '1 second' where platform_id = $1 and id = $2`,
      some.map((row) => [row.platform_id, row.id]),
    ],
    [
      'a row that refers to one',
      (t) => `insert into ${t.replace('.', '.of_')} values ($1, $2)`,
      some.map((row) => [row.platform_id, row.id]),
    ],
  ]
  const size = await one<string>(
    client,
    `select count(*) || ' rows, ' || pg_size_pretty(pg_total_relation_size('ranges.whole')) from ranges.whole`,
  )
  const parts = await one<string>(
    client,
    `select count(*) from pg_inherits where inhparent = 'ranges.ranged'::regclass`,
  )
  console.log(
    `${size} with indexes; ${parts} partitions. Planning + execution in ms (pages read), medians of ${TIMES * 0.9}.`,
  )
  for (const [name, text, values] of cases) {
    const [whole, ranged] = [
      await measured(client, text('ranges.whole'), values),
      await measured(client, text('ranges.ranged'), values),
    ]
    console.log(`| ${name} | ${whole} | ${ranged} |`)
  }
  const { rows: months } = await client.query<{ name: string; first: string; next: string }>(
    'select * from months order by name limit 1 offset 1',
  )
  const [month] = months
  if (!month) return
  const timed = async (text: string) => {
    const began = performance.now()
    await client.query(text)
    return Math.round(performance.now() - began)
  }
  await client.query('drop table ranges.of_whole, ranges.of_ranged')
  const count = await one<string>(client, `select count(*) from ranges.ranged_${month.name}`)
  const dropped = await timed(`drop table ranges.ranged_${month.name}`)
  const deleted = await timed(`delete from ranges.whole where id >= '${month.first}' and id < '${month.next}'`)
  const vacuumed = await timed('vacuum ranges.whole')
  console.log(
    `a month of ${count} rows: dropped in ${dropped} ms; deleted in ${deleted} ms and vacuumed in ${vacuumed} ms`,
  )
}

const uuidAt = (ms: number) => `${ms.toString(16).padStart(12, '0')}${'0'.repeat(20)}`
