// Postgres: Prisma for writes and single reads, handwritten SQL for the hot reads, both on one pool.
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { config } from '#core/config.ts'
import { traced } from '#core/tracing.ts'
import { Prisma, PrismaClient } from '#generated/prisma/client.ts'

// Plans follow the values (a generic plan reads up to 10,000 times more at 10 million rows), waits are bounded, time is UTC.
const SESSION = [
  'TimeZone=UTC',
  'plan_cache_mode=force_custom_plan',
  'jit=off',
  'statement_timeout=5000',
  'lock_timeout=2000',
  'idle_in_transaction_session_timeout=5000',
]

/** A server that says nothing any more, not even that a statement took too long, is given up. */
const SILENCE_MS = 8_000

const openPool = (settings: pg.PoolConfig) => {
  const opened = new pg.Pool({
    connectionString: config.databaseUrl,
    options: SESSION.map((setting) => `-c ${setting}`).join(' '),
    keepAlive: true,
    query_timeout: SILENCE_MS,
    ...settings,
  })
  // A connection that breaks is replaced by the pool at the next query; whoever uses it learns from the query.
  opened.on('error', () => {})
  opened.on('connect', (client) => client.on('error', () => {}))
  return opened
}

export const pool = openPool({ max: config.databasePoolSize, connectionTimeoutMillis: config.databaseWaitMs })

/** Of its own: whether the database answers does not depend on how busy the others are. */
const probe = openPool({ max: 1, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })

export const db = new PrismaClient({ adapter: new PrismaPg(pool) })

export const closeDatabase = async () => {
  await db.$disconnect()
  await Promise.all([pool.end(), probe.end()])
}

/** Composes a statement; every interpolated value is a parameter. */
export const sql = Prisma.sql
export const join = Prisma.join
export type Sql = Prisma.Sql

/** Only for names that stand in the source. */
export const identifier = (name: string): Sql => Prisma.raw(name)
export const nothing: Sql = Prisma.empty

/** A row as Postgres sent it: text or null by column, decoded when read. */
export type Row = readonly (string | null)[]

/** Values stay the text that Postgres sent: what reads a column decodes it. */
const TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value }

export const query = ({ text, values }: Sql): Promise<Row[]> =>
  traced('query', { 'db.system.name': 'postgresql', 'db.query.text': text }, async () => {
    const { rows } = await pool.query<(string | null)[]>({ text, values, rowMode: 'array', types: TEXT })
    return rows
  })

/** The migrations that are applied. Fails within two seconds when the database does not answer. */
export const appliedMigrations = async (): Promise<string[]> => {
  const { rows } = await probe.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null',
  )
  return rows.map(({ name }) => name)
}
