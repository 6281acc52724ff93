// The benchmark databases: one for each size, seeded once and kept.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '#database/migrate.ts'
import { seedTransactions } from '../dev/bulk.ts'
import { seedDemo } from '../dev/demo.ts'
import { startPostgres } from '../dev/postgres.ts'
import { openDataFolder } from '../dev/postgres-home.ts'
import { progressOf } from '../dev/progress.ts'

export interface Server {
  readonly url: string
  stop(): Promise<void>
}

export const openServer = async (): Promise<Server> => {
  const { DATABASE_URL: url } = process.env
  return url ? { url, stop: async () => {} } : startPostgres(join(openDataFolder(), 'bench'))
}

/** The URL of the database with this many transactions. An interrupted seed leaves a draft, which the next one removes. */
export const databaseOf = async (server: Server, rows: number): Promise<string> => {
  const name = `paygraph_bench_${rows}_${fingerprint()}`
  const draft = `paygraph_bench_${rows}_draft`
  const address = (database: string) => new URL(`/${database}`, server.url).href
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return address(name)
    await client.query(`drop database if exists ${draft}`)
    await client.query(`create database ${draft}`)
    await migrate(address(draft))
    await seedDemo(address(draft))
    await seedTransactions(address(draft), { count: rows, onProgress: progressOf(process.stdout) })
    await client.query(`alter database ${draft} rename to ${name}`)
    return address(name)
  } finally {
    await client.end()
  }
}

/** A hash of the tables, indexes and bulk data, so that an outdated database is not used. */
const fingerprint = () => {
  const hash = createHash('sha256')
  for (const folder of ['../migrations', '../dev/bulk']) {
    const path = fileURLToPath(new URL(folder, import.meta.url))
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
      if (/\.(sql|ts)$/.test(file)) hash.update(readFileSync(join(path, file)))
    }
  }
  return hash.digest('hex').slice(0, 8)
}

/** Calls `work` with the URL of a copy of the database, and drops the copy. */
export const withCopy = async <T>(databaseUrl: string, work: (copyUrl: string) => Promise<T>): Promise<T> => {
  const name = new URL(databaseUrl).pathname.slice(1)
  const copy = `${name}_copy`
  const onServer = async (...statements: readonly string[]) => {
    const client = new pg.Client({ connectionString: new URL('/postgres', databaseUrl).href })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await onServer(`drop database if exists ${copy} with (force)`, `create database ${copy} template ${name}`)
  try {
    return await work(new URL(`/${copy}`, databaseUrl).href)
  } finally {
    await onServer(`drop database ${copy} with (force)`)
  }
}
