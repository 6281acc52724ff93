// The database can be distributed by platform, with one node for all rows of a platform (docs/scale.md#citus). This holds without Citus.
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { LOCAL, REFERENCE, REMOVED_TRIGGERS } from '#database/distribution/tables.ts'
import { commandsOf, readMigration } from '#database/migrations.ts'
import { laterMigrations } from '#test/setup/citus.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import { isRefused, REFUSED } from '#test/setup/refused-by-citus.ts'

/** Tables of `public` with whether they belong to platforms. */
const tablesOf = () => db.$queryRaw<{ name: string; isTenants: boolean }[]>`
  select relname as name, exists (
    select from pg_attribute where attrelid = c.oid and attname = 'platform_id' and attnotnull and not attisdropped
  ) as "isTenants" from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`

const distributed = async () => {
  const special = new Set<string>([...REFERENCE, ...LOCAL])
  return (await tablesOf()).filter(({ name }) => !special.has(name)).map(({ name }) => name)
}

it('every table belongs to platforms, or is listed as one that each node has in full or as one of the coordinator', async () => {
  const tables = await tablesOf()
  const named = [...REFERENCE, ...LOCAL]
  console.log(`tables ${tables.length}, distributed ${tables.length - named.length}`)
  expect(named.filter((name) => !tables.some((table) => table.name === name))).toEqual([])
  expect(tables.filter(({ name, isTenants }) => !isTenants && !named.includes(name as never))).toEqual([])
})

it('every primary key and unique index of a distributed table includes the platform', async () => {
  const keys = await db.$queryRaw<{ index: string; isPrimary: boolean; table: string; includes: boolean }[]>`
    select indexrelid::regclass::text as index, indisprimary as "isPrimary", relname as table,
      attnum = any(indkey::int2[]) as includes
    from pg_index join pg_class c on c.oid = indrelid join pg_attribute on attrelid = indrelid and attname = 'platform_id'
    where indisunique and relname = any(${await distributed()}) and relnamespace = 'public'::regnamespace`
  const withoutKey = (await distributed()).filter((name) => !keys.some((key) => key.isPrimary && key.table === name))
  // It is written in bulk and folded away. Nothing refers to its rows.
  expect(withoutKey).toEqual(['transaction_count_changes'])
  expect(keys.length).toBeGreaterThan(80)
  expect(keys.filter(({ includes }) => !includes)).toEqual([])
})

it('no foreign key follows a change of a key, or sets a column of a distributed table to null', async () => {
  const keys = await db.$queryRaw<{ name: string }[]>`
    select conname as name from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and (confupdtype <> 'a' or confdeltype in ('n', 'd'))`
  expect(keys).toEqual([])
})

// On one Postgres only: Citus shows the parts of its tables with their keys.
it.skipIf(isDistributed)(
  'foreign keys lead from distributed tables to distributed ones or to those that each node has, never back',
  async () => {
    const tables = await distributed()
    const keys = await db.$queryRaw<{ name: string; from: string; to: string }[]>`
    select conname as name, conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`
    const isReference = (name: string) => REFERENCE.includes(name as never)
    const wrong = keys.filter(({ from, to }) => !isReference(to) && !(tables.includes(from) && tables.includes(to)))
    expect(wrong).toEqual([])
  },
)

it('no trigger reads its changed rows in a statement that touches a table', async () => {
  const functions = await db.$queryRaw<{ name: string; body: string; tables: string[] }[]>`
    select proname as name, prosrc as body, array_agg(distinct tgrelid::regclass::text) as tables
    from pg_trigger join pg_proc p on p.oid = tgfoid
    where (tgoldtable is not null or tgnewtable is not null) and pronamespace = 'public'::regnamespace
    group by proname, prosrc`
  const names = (await tablesOf()).map(({ name }) => name)
  expect(functions.length).toBeGreaterThan(2)
  const mixed = functions.flatMap(({ name, body }) =>
    body
      .split(/;|\bLOOP\b/)
      .filter((statement) => /\b(added|removed|changed)\b/i.test(statement.replaceAll(/\b(changed)\./g, '')))
      .filter((statement) => /\bFROM\s+(added|removed)\b/i.test(statement))
      .filter((statement) =>
        names.some((table) => new RegExp(`\\b(INTO|UPDATE|JOIN|FROM)\\s+${table}\\b`, 'i').test(statement)),
      )
      .map((statement) => ({ name, statement })),
  )
  expect(mixed).toEqual([])
})

it('tables that each node has in full have no triggers except those that a distribution removes', async () => {
  const triggers = await db.$queryRaw<{ name: string }[]>`
    select tgname as name from pg_trigger
    where not tgisinternal and tgrelid::regclass::text = any(${[...REFERENCE]}) and tgname not like 'track\\_%'`
  expect(triggers.filter(({ name }) => !REMOVED_TRIGGERS.some((known) => known.name === name))).toEqual([])
})

it('a migration has no command that a distributed database refuses', () => {
  const commands = laterMigrations().flatMap((name) =>
    commandsOf(readMigration(`${name}/migration.sql`)).map((command) => ({ name, command })),
  )
  expect(commands.length).toBeGreaterThan(90)
  expect(commands.filter(({ command }) => isRefused(command))).toEqual([])
  expect(REFUSED.filter(({ example }) => !isRefused(`-- A comment.\n${example}`))).toEqual([])
})
