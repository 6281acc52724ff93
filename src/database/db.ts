// The Postgres connection pool. Prisma does writes and single reads; hot reads are handwritten SQL.
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { config } from '#core/config.ts'
import { traced } from '#core/tracing.ts'
import { Prisma, PrismaClient } from '#generated/prisma/client.ts'
import type { Row } from './row.ts'

// Every wait has a time-out.
const SESSION = [
  'TimeZone=UTC',
  'jit=off',
  'statement_timeout=5000',
  'lock_timeout=2000',
  'idle_in_transaction_session_timeout=5000',
]

/** Longer than the statement time-out, so it only expires if the server does not respond at all. */
const SILENCE_MS = 8_000

const openPool = (planCacheMode: 'auto' | 'force_custom_plan', settings: pg.PoolConfig) => {
  const opened = new pg.Pool({
    connectionString: config.databaseUrl,
    options: [...SESSION, `plan_cache_mode=${planCacheMode}`].map((setting) => `-c ${setting}`).join(' '),
    keepAlive: true,
    query_timeout: SILENCE_MS,
    ...settings,
  })
  // The pool replaces a broken connection at the next query. A query that was using it fails by itself.
  opened.on('error', () => {})
  opened.on('connect', (client) => client.on('error', () => {}))
  return opened
}

const limits = { max: config.databasePoolSize, connectionTimeoutMillis: config.databaseWaitMs }

/**
 * For writes, and for look-ups by a unique key. Postgres plans such a statement once per connection. Forced custom plans would also plan
 * foreign keys and triggers again for each row.
 */
export const pool = openPool('auto', limits)

/** For lists. Plans every statement for its values, because one plan for all values reads up to 10,000 times more at 10 million rows. */
const lists = openPool('force_custom_plan', limits)

/** A separate pool for health checks, which must not wait for busy connections. */
const probe = openPool('auto', { max: 1, connectionTimeoutMillis: 1_000, query_timeout: 1_000 })

export const db = new PrismaClient({ adapter: new PrismaPg(pool) })

export const closeDatabase = async () => {
  await db.$disconnect()
  await Promise.all([pool.end(), lists.end(), probe.end()])
}

/** Composes a statement. Every interpolated value becomes a parameter. */
export const sql = Prisma.sql
export const join = Prisma.join
export type Sql = Prisma.Sql

/** Inserts a name unescaped, so the name must be a constant of the source. */
export const identifier = (name: string): Sql => Prisma.raw(name)
export const nothing: Sql = Prisma.empty

/** Keeps values as text. Records decode a column when it is read. */
const TEXT: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value }

/** A named statement is sent, parsed and analysed once per connection. The first texts get names, because Postgres keeps every name. */
const MAX_NAMES = 300
const names = new Map<string, string>()

const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known !== undefined || names.size === MAX_NAMES) return known
  const name = `statement_${names.size}`
  names.set(text, name)
  return name
}

const send = async (on: pg.Pool, { text, values }: Sql, name?: string): Promise<Row[]> => {
  const named = name === undefined ? {} : { name }
  const { rows } = await on.query<(string | null)[]>({ ...named, text, values, rowMode: 'array', types: TEXT })
  return rows
}

/** A migration may change a column that a named statement of an open connection returns. Then the statement is sent without its name. */
const isOutdated = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'

const sendNamed = (on: pg.Pool, statement: Sql): Promise<Row[]> => {
  const { text } = statement
  return traced('query', { 'db.system.name': 'postgresql', 'db.query.text': text }, async () => {
    try {
      return await send(on, statement, nameOf(text))
    } catch (error) {
      if (isOutdated(error)) return send(on, statement)
      throw error
    }
  })
}

export const query = (statement: Sql): Promise<Row[]> => sendNamed(lists, statement)

/** Like `query`, for a statement that finds rows by a unique key, whatever the values are. */
export const lookUp = (statement: Sql): Promise<Row[]> => sendNamed(pool, statement)

/** The names of the applied migrations. Fails within two seconds if the database does not respond. */
export const appliedMigrations = async (): Promise<string[]> => {
  const { rows } = await probe.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null',
  )
  return rows.map(({ name }) => name)
}
