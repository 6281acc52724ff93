// Does what `prisma migrate deploy` does, with Prisma's engine as WASM. It writes the same `_prisma_migrations` rows.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { inTransaction } from './distribution/aside.ts'
import { keepDistributed, UNLIMITED } from './distribution/distribute.ts'
import { prepareWorkerTables } from './jobs/worker-tables.ts'
import { commandsOf, migrationNames, readMigration, readSchema } from './migrations.ts'

// Node has WebAssembly, but only the DOM types declare it.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>
}

/** The longest wait for a table lock. Other sessions queue behind a waiting migration, so it pauses between attempts to let them pass. */
const LOCK_TIMEOUT = '2s'
const PAUSE_MS = 1_000

/** A server that accepts a connection and then says nothing must not block the start forever. A migration itself may take any time. */
const CONNECT_WITHIN_MS = 5_000

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
    const applied = (await isCurrent(pool, names)) ? [] : await applyTo(pool, names)
    await runMigrations({ pgPool: pool, logger: silent })
    await prepareWorkerTables(pool, (script) =>
      untilDone(() => pool.query(`set local lock_timeout = '${LOCK_TIMEOUT}'; ${script}`)),
    )
    await keepDistributed(pool)
    return applied
  } finally {
    await pool.end()
  }
}

/**
 * Whether all migrations of this release are applied already, which is usual. Then the engine, which takes time and memory, is not loaded.
 *
 * A killed process leaves an unfinished row in `_prisma_migrations`, at which the engine stops. Each script is one transaction, so
 * nothing was applied and the row can be deleted, unless another process holds the engine's lock and is migrating now.
 */
const isCurrent = async (pool: pg.Pool, names: readonly string[]): Promise<boolean> => {
  const { rows } = await pool.query(`select to_regclass('_prisma_migrations') as known`)
  if (rows[0].known === null) return false
  await pool.query('delete from _prisma_migrations where finished_at is null and pg_try_advisory_xact_lock(72707369)')
  const applied = await pool.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  )
  const known = new Set(applied.rows.map(({ name }) => name))
  return names.every((name) => known.has(name))
}

const silent = new Logger(() => () => {})

const applyTo = async (pool: pg.Pool, names: readonly string[]) => {
  await loadEngine()
  const schema = { path: 'schema.prisma', content: readSchema() }
  const scripts = new WholeScripts(pool)
  const session = await engine.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(scripts),
  )
  const applying = session.applyMigrations({
    migrationsList: {
      baseDir: 'migrations',
      lockfile: { path: 'migration_lock.toml', content: readMigration('migration_lock.toml') },
      shadowDbInitScript: '',
      migrationDirectories: names.map((name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: readMigration(`${name}/migration.sql`) },
        },
      })),
    },
    filters: { externalTables: [], externalEnums: [] },
  })
  const { appliedMigrationNames } = await applying.catch((error) => {
    throw scripts.failure ?? error
  })
  return appliedMigrationNames
}

/** The adapter's own `executeScript` splits at every semicolon, even inside function bodies, so it is neither correct nor atomic. */
class WholeScripts extends PrismaPg {
  /** The error of the database. The error of the engine does not contain it. */
  failure: unknown

  override async connect() {
    const adapter = await super.connect()
    adapter.executeScript = async (script) => {
      try {
        await untilDone(() => runScript(adapter.underlyingDriver(), script))
      } catch (error) {
        // The detail may quote a row.
        this.failure = Object.assign(error as Error, { detail: undefined })
        throw error
      }
    }
    return adapter
  }
}

/**
 * Runs one command at a time, because Citus sends the text of a query to its nodes, and they refuse several commands in one. `sequential` means
 * one connection to each node: after a change over several, Citus refuses to create functions and types. Without Citus it has no effect.
 */
const runScript = async (pool: pg.Pool, script: string) => {
  const client = await pool.connect()
  try {
    await inTransaction(client, async () => {
      await client.query(
        `set local lock_timeout = '${LOCK_TIMEOUT}'; set local citus.multi_shard_modify_mode = 'sequential'`,
      )
      for (const command of commandsOf(script)) await client.query(command)
    })
  } finally {
    client.release()
  }
}

const untilDone = async (work: () => Promise<unknown>) => {
  while (!(await isDone(work()))) await wait(PAUSE_MS)
}

/** False if the work timed out waiting for a lock, or gave way in a deadlock, and therefore changed nothing. */
const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (error) => {
      if (error?.code === '55P03' || error?.code === '40P01') return false
      throw error
    },
  )

let loading: Promise<void> | undefined

const loadEngine = () => {
  loading ??= (async () => {
    const bytes = readFileSync(
      createRequire(import.meta.url)
        .resolve('@prisma/schema-engine-wasm')
        .replace('schema_engine.js', 'schema_engine_bg.wasm'),
    )
    // The engine sets a ten-second timer and never clears it. A finished process must not wait for it.
    const setsTimer = Object.keys(engine).find((name) => name.startsWith('__wbg_setTimeout')) ?? ''
    const unheld = (run: () => void, delay: number) => setTimeout(run, delay).unref()
    const { instance } = await WebAssembly.instantiate(bytes, {
      './schema_engine_bg.js': { ...engine, [setsTimer]: unheld },
    })
    engine.__wbg_set_wasm(instance.exports)
    const start = instance.exports['__wbindgen_start']
    if (typeof start === 'function') start()
  })()
  return loading
}
