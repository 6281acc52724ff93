// A release migrates the database while the previous release serves, and a backup or report may hold table locks for long.
// Own process: reads every row of its database.
// Not distributed: an old migration does not do what a distribution needs.
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { migrate } from '#database/migrate.ts'
import { readMigration } from '#database/migrations.ts'
import { createPlatform, createTransactions, outgoing } from '#test/setup/world.ts'

const { DATABASE_DIRECT_URL: url = '' } = process.env
/** Changes tables that every request reads. Can be applied repeatedly. */
const NAME = '20261121000830_lists_without_null'

const [backup, reader] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })]
beforeAll(() => Promise.all([backup.connect(), reader.connect()]))
afterAll(() => Promise.all([backup.end(), reader.end()]))
beforeEach(() => reader.query('delete from _prisma_migrations where migration_name = $1', [NAME]))

const unfinished = async () =>
  (await reader.query('select from _prisma_migrations where finished_at is null or rolled_back_at is not null'))
    .rowCount

/** When each wait for an exclusive lock of the table began. */
const waitsForAgents = async () => {
  const { rows } = await backup.query<{ began: string }>(
    `select waitstart::text as began from pg_locks
     where database = (select oid from pg_database where datname = current_database()) and relation = 'agents'::regclass
       and mode = 'AccessExclusiveLock' and waitstart is not null`,
  )
  return rows.map(({ began }) => began)
}

it('waits for a lock two seconds at a time, and lets readers through in between', async () => {
  await backup.query('begin')
  await backup.query('lock table agents in access share mode')
  let isOver = false
  const migrated = migrate(url).finally(() => {
    isOver = true
  })
  const waits = new Set<string>()
  while (waits.size < 3 && !isOver) {
    await wait(20)
    for (const began of await waitsForAgents()) waits.add(began)
    // A read queues behind the migration, until that stops waiting for a while.
    await reader.query('select from agents limit 1')
  }
  expect(isOver).toBe(false)
  await backup.query('commit')
  expect(await migrated).toEqual([NAME])
  expect(await unfinished()).toBe(0)
})

it('continues after a killed process left a half-recorded migration', async () => {
  await reader.query(
    'insert into _prisma_migrations (id, checksum, migration_name) values (gen_random_uuid(), $1, $1)',
    [NAME],
  )
  expect(await migrate(url)).toEqual([NAME])
  expect(await unfinished()).toBe(0)
})

it('fails with the error of the database, and tries the migration again at the next start', async () => {
  await reader.query('alter table agents rename to renamed')
  await expect(migrate(url)).rejects.toMatchObject({ code: '42P01' })
  await reader.query('alter table renamed rename to agents')
  expect(await migrate(url)).toEqual([NAME])
  expect(await unfinished()).toBe(0)
})

it('lets one of two processes that start together migrate', async () => {
  const applied = await Promise.all([migrate(url), migrate(url)])
  expect(applied.flat()).toEqual([NAME])
})

it('records a migration as `prisma migrate deploy` does', async () => {
  await migrate(url)
  const script = readMigration(`${NAME}/migration.sql`)
  const { rows } = await reader.query(
    `select checksum, applied_steps_count, logs, rolled_back_at, finished_at >= started_at as "isFinished"
     from _prisma_migrations where migration_name = $1`,
    [NAME],
  )
  const checksum = createHash('sha256').update(script).digest('hex')
  expect(rows).toEqual([{ checksum, applied_steps_count: 1, logs: null, rolled_back_at: null, isFinished: true }])
})

it('refuses a database with tables of another program', async () => {
  await reader.query('create schema other')
  await reader.query('create table other.notes (text text)')
  const address = new URL(url)
  address.searchParams.set('options', '-c search_path=other')
  await expect(migrate(address.href)).rejects.toThrow('The database at DATABASE_URL has tables of another program')
  expect((await reader.query(`select tablename from pg_tables where schemaname = 'other'`)).rows).toEqual([
    { tablename: 'notes' },
  ])
  // A table of an extension is not refused. So the migration is tried, and misses the tables of those before it.
  await reader.query('alter extension plpgsql add table other.notes')
  await expect(migrate(address.href, [NAME])).rejects.toMatchObject({ code: '42P01' })
  await reader.query('alter extension plpgsql drop table other.notes')
  await reader.query('drop schema other cascade')
})

// It selects every column that it knows with each payment.
it('keeps the columns of payments that the release before `searches_by_index` reads', async () => {
  const platform = await createPlatform()
  await createTransactions(platform, [outgoing({ counterpartyInformation: { FULL_NAME: 'Ada' } })])
  const { rows } = await reader.query('select counterparty_name from transactions where platform_id = $1', [
    platform.id,
  ])
  expect(rows).toEqual([{ counterparty_name: 'Ada' }])
})
