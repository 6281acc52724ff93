// Postgres: Prisma for writes and single reads, handwritten SQL for the hot reads, both on one pool.
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '#generated/prisma/client.ts'
import { config } from './config.ts'

// Plans follow the values (a generic plan reads up to 10,000 times more at 10 million rows), waits are bounded, time is UTC.
const SESSION = [
  'TimeZone=UTC',
  'plan_cache_mode=force_custom_plan',
  'jit=off',
  'statement_timeout=5000',
  'lock_timeout=2000',
  'idle_in_transaction_session_timeout=5000',
]

const pool = new pg.Pool({
  connectionString: config.databaseUrl,
  max: config.databasePoolSize,
  connectionTimeoutMillis: config.databaseWaitMs,
  options: SESSION.map((setting) => `-c ${setting}`).join(' '),
})
// An idle connection that breaks is replaced by the pool at the next query.
pool.on('error', () => {})

export const db = new PrismaClient({ adapter: new PrismaPg(pool) })

export const closeDatabase = async () => {
  await db.$disconnect()
  await pool.end()
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

export const query = async ({ text, values }: Sql): Promise<Row[]> => {
  const { rows } = await pool.query<(string | null)[]>({ text, values, rowMode: 'array', types: TEXT })
  return rows
}
