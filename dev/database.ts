// Opens the database at DATABASE_URL or, without it, an embedded PostgreSQL.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** `folder` holds the data that survives a restart. `own` is true for the embedded PostgreSQL, which contains no other data. */
export type Database = { url: string; folder: string; own: boolean; stop(): Promise<void> }

export const openDatabase = (): Promise<Database> => {
  const { DATABASE_URL, DATABASE_DIRECT_URL: url = DATABASE_URL } = process.env
  return url ? useDatabase(url) : startOwnDatabase()
}

const useDatabase = async (url: string) => {
  const version = await ask(url, `current_setting('server_version')`).catch((error) => {
    throw new Error(`Cannot connect to DATABASE_URL: ${error.message || error.code}`)
  })
  if (Number.parseInt(version, 10) < 15)
    throw new Error(`PostgreSQL 15 or newer is required. The server at DATABASE_URL is ${version}.`)
  const folder = fileURLToPath(new URL('../.data', import.meta.url))
  return { url, folder, own: false, stop: async () => {} }
}

const startOwnDatabase = async () => {
  const { openDataFolder } = await import('./postgres-home.ts')
  const { startPostgres } = await import('./postgres.ts')
  const folder = openDataFolder()
  return { ...(await startPostgres(join(folder, 'postgres'))), folder, own: true }
}

/** Evaluates one SQL expression. */
export const ask = async (url: string, expression: string) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 15_000 })
  try {
    await client.connect()
    const { rows } = await client.query({ text: `SELECT ${expression}`, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}
