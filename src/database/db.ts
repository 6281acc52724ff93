// The Postgres connection pool. Prisma does writes and single reads; hot reads are handwritten SQL.
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { config } from '#core/config.ts'
import { traced } from '#core/tracing.ts'
import { Prisma, PrismaClient } from '#generated/prisma/client.ts'

// Custom plans, because a generic plan reads up to 10,000 times more at 10 million rows. Every wait has a time-out.
const SESSION = [
  'TimeZone=UTC',
  'plan_cache_mode=force_custom_plan',
  'jit=off',
  'statement_timeout=5000',
  'lock_timeout=2000',
  'idle_in_transaction_session_timeout=5000',
]

/** Longer than the statement time-out, so it only expires if the server does not respond at all. */
const SILENCE_MS = 8_000

const openPool = (settings: pg.PoolConfig) => {
  const opened = new pg.Pool({
    connectionString: config.databaseUrl,
    options: SESSION.map((setting) => `-c ${setting}`).join(' '),
    keepAlive: true,
    query_timeout: SILENCE_MS,
    ...settings,
  })
  // The pool replaces a broken connection at the next query. A query that was using it fails by itself.
  opened.on('error', () => {})
  opened.on('connect', (client) => client.on('error', () => {}))
  return opened
}

export const pool = openPool({ max: config.databasePoolSize, connectionTimeoutMillis: config.databaseWaitMs })

/** A separate pool for health checks, which must not wait for busy connections. */
const probe = openPool({ max: 1, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })

export const db = new PrismaClient({ adapter: new PrismaPg(pool) })

export const closeDatabase = async () => {
  await db.$disconnect()
  await Promise.all([pool.end(), probe.end()])
}

/** Composes a statement. Every interpolated value becomes a parameter. */
export const sql = Prisma.sql
export const join = Prisma.join
export type Sql = Prisma.Sql

/** Inserts a name unescaped, so the name must be a constant of the source. */
export const identifier = (name: string): Sql => Prisma.raw(name)
export const nothing: Sql = Prisma.empty

/** A row as Postgres sent it: each column is text or null. */
export type Row = readonly (string | null)[]

/** Keeps values as text. Records decode a column when it is read. */
const TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value }

export const query = ({ text, values }: Sql): Promise<Row[]> =>
  traced('query', { 'db.system.name': 'postgresql', 'db.query.text': text }, async () => {
    const { rows } = await pool.query<(string | null)[]>({ text, values, rowMode: 'array', types: TEXT })
    return rows
  })

/** The names of the applied migrations. Fails within two seconds if the database does not respond. */
export const appliedMigrations = async (): Promise<string[]> => {
  const { rows } = await probe.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null',
  )
  return rows.map(({ name }) => name)
}
