// What `prisma migrate deploy` does, by Prisma's own engine as WASM: it writes the same `_prisma_migrations` rows.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import * as engine from '@prisma/schema-engine-wasm/schema_engine_bg'
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'
import { migrationNames, readMigration, readSchema } from './migrations.ts'

// Part of Node and of the DOM's types, but not of Node's.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>
}

/** A lock that others hold is waited for no longer at a time, because everybody else queues up behind whoever waits: between two tries they pass. */
const LOCK_TIMEOUT = '2s'
const PAUSE_MS = 1_000

/**
 * Applies the migrations that the database does not have yet, each in a transaction of its own, and names them. Then those of
 * graphile-worker. Goes on until it gets the locks that it needs.
 */
export const migrate = async (databaseUrl: string): Promise<string[]> => {
  await loadEngine()
  const pool = new pg.Pool({ connectionString: databaseUrl })
  // A connection that breaks between two statements is told by the next one, and must not end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await forgetUnfinished(pool)
    const applied = await applyTo(pool)
    await runMigrations({ pgPool: pool, logger: silent })
    return applied
  } finally {
    await pool.end()
  }
}

/**
 * A process that was killed has left word of a migration that it began, and the engine goes no further then. Nothing of it was done:
 * the script is one transaction. While another process migrates, which has the engine's lock, it is that one's word and stays.
 */
const forgetUnfinished = async (pool: pg.Pool) => {
  const { rows } = await pool.query(`select to_regclass('_prisma_migrations') as known`)
  if (rows[0].known === null) return
  await pool.query('delete from _prisma_migrations where finished_at is null and pg_try_advisory_xact_lock(72707369)')
}

const silent = new Logger(() => () => {})

const applyTo = async (pool: pg.Pool) => {
  const schema = { path: 'schema.prisma', content: readSchema() }
  const session = await engine.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool)),
  )
  const { appliedMigrationNames } = await session.applyMigrations({
    migrationsList: {
      baseDir: 'migrations',
      lockfile: { path: 'migration_lock.toml', content: readMigration('migration_lock.toml') },
      shadowDbInitScript: '',
      migrationDirectories: migrationNames().map((name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: readMigration(`${name}/migration.sql`) },
        },
      })),
    },
    filters: { externalTables: [], externalEnums: [] },
  })
  return appliedMigrationNames
}

/** The adapter's own `executeScript` cuts at every semicolon, inside function bodies too, and so is neither right nor atomic. */
class WholeScripts extends PrismaPg {
  override async connect() {
    const adapter = await super.connect()
    adapter.executeScript = async (script) => {
      const patient = `set local lock_timeout = '${LOCK_TIMEOUT}';\n${script}`
      while (!(await isDone(adapter.underlyingDriver().query(patient)))) await wait(PAUSE_MS)
    }
    return adapter
  }
}

/** False when only a lock was missing: nothing has changed then. */
const isDone = (script: Promise<unknown>) =>
  script.then(
    () => true,
    (error) => {
      if (error?.code === '55P03') return false
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
    // The engine sets a timer of ten seconds and never clears it; a finished process must not wait for that.
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
