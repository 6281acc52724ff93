// Does what `prisma migrate deploy` does, and writes the same rows into `_prisma_migrations`. Prisma's engine is not used: it commits a script and
// its row separately, and its adapter splits scripts at every semicolon, even inside function bodies.
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { StartupError } from '#core/environment.ts'
import { keepDistributed } from './distribution/distribute.ts'
import { prepareWorkerTables } from './jobs/worker-tables.ts'
import { commandsOf, migrationNames, readMigration } from './migrations.ts'
import { inOneTransaction, UNLIMITED } from './pg/long-transaction.ts'

/** The longest wait for a table lock. Other sessions queue behind a waiting migration, so it pauses between attempts to let them pass. */
const LOCK_TIMEOUT = '2s'
const PAUSE_MS = 1_000

/** A server that accepts a connection and then says nothing must not block the start forever. A migration itself may take any time. */
const CONNECT_WITHIN_MS = 15_000

const INSUFFICIENT_PRIVILEGE = '42501'

/**
 * Applies pending migrations, each in its own transaction, then those of graphile-worker. Retries until it gets the locks that it
 * needs. The address must lead to the database itself, not to a pooler. A test passes the `names` of an earlier release
 * to upgrade from it. Returns the names of the applied migrations.
 */
export const migrate = async (databaseUrl: string, names: readonly string[] = migrationNames()): Promise<string[]> => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    options: UNLIMITED,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  })
  // If a connection breaks between two statements, the next one fails. The event alone must not end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    const isCurrent = (await pendingOf(pool, names)).length === 0
    const applied = isCurrent ? [] : await applyTo(pool, names)
    await runMigrations({ pgPool: pool, logger: silent })
    await prepareWorkerTables(pool, (script) =>
      untilDone(() => pool.query(`set local lock_timeout = '${LOCK_TIMEOUT}'; ${script}`)),
    )
    await keepDistributed(pool)
    return applied
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE)) throw error
    throw new StartupError(`The role of the database address may not migrate the database: ${(error as Error).message}`)
  } finally {
    await pool.end()
  }
}

/** The migrations that the database lacks. */
const pendingOf = async (on: pg.Pool | pg.PoolClient, names: readonly string[]) => {
  const { rows: tables } = await on.query(`select to_regclass('_prisma_migrations') as history`)
  if (tables[0].history === null) return [...names]
  const { rows } = await on.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  )
  const applied = new Set(rows.map(({ name }) => name))
  return names.filter((name) => !applied.has(name))
}

const silent = new Logger(() => () => {})

/** The number that Prisma's engine locks, because earlier releases migrate with it. */
const LOCK = 72707369

/** Waits while another process migrates. Its lock ends with its connection, so that of a killed process does not stay. */
const applyTo = async (pool: pg.Pool, names: readonly string[]) => {
  const client = await pool.connect()
  try {
    // Not a waiting lock, for whose snapshot a migration could have to wait in turn.
    await until(async () => (await client.query(`select pg_try_advisory_lock(${LOCK}) as locked`)).rows[0].locked)
    await prepareHistory(client)
    const pending = await pendingOf(client, names)
    for (const name of pending) await untilDone(() => apply(client, name))
    return pending
  } finally {
    client.release(true)
  }
}

const prepareHistory = async (client: pg.PoolClient) => {
  // Extensions may have tables there, such as PostGIS.
  const { rows } = await client.query(`
    select to_regclass('_prisma_migrations') is null and exists (
      select from pg_class t where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and not exists (select from pg_depend where objid = t.oid and classid = 'pg_class'::regclass and deptype = 'e')
    ) as "isForeign"`)
  if (rows[0].isForeign) throw new StartupError('The database at DATABASE_URL has tables of another program')
  await client.query(`create table if not exists _prisma_migrations (
    id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz, migration_name varchar(255) not null,
    logs text, rolled_back_at timestamptz, started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`)
  // Earlier releases left such a row when they were killed. The script itself was one transaction, so nothing of it was applied.
  await client.query('delete from _prisma_migrations where finished_at is null')
}

/**
 * Runs one command at a time, because Citus sends the text of a query to its nodes, and they refuse several commands in one. `sequential` means
 * one connection to each node: after a change over several, Citus refuses to create functions and types. Without Citus it has no effect.
 */
const apply = (client: pg.PoolClient, name: string) =>
  inOneTransaction(client, async () => {
    const script = readMigration(`${name}/migration.sql`)
    await client.query(
      `set local lock_timeout = '${LOCK_TIMEOUT}'; set local citus.multi_shard_modify_mode = 'sequential'`,
    )
    for (const command of commandsOf(script)) await client.query(command)
    await client.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values (gen_random_uuid(), $1, $2, clock_timestamp(), 1)`,
      [createHash('sha256').update(script).digest('hex'), name],
    )
  })

const untilDone = (work: () => Promise<unknown>) => until(() => isDone(work()))

const until = async (attempt: () => Promise<boolean>) => {
  while (!(await attempt())) await wait(PAUSE_MS)
}

/** False if the work timed out waiting for a lock, or gave way in a deadlock, and therefore changed nothing. */
const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (error) => {
      if (error?.code === '55P03' || error?.code === '40P01') return false
      // The detail may quote a row.
      throw Object.assign(error, { detail: undefined })
    },
  )
