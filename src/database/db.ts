// The Postgres connection pool. Prisma does writes and single reads; hot reads are handwritten SQL.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { config } from '#core/config.ts'
import { traced } from '#core/tracing.ts'
import { Prisma, PrismaClient } from '#generated/prisma/client.ts'
import { isPooled, openServingPool } from './connections.ts'
import { sendingTogether } from './pg/sent-together.ts'
import { atNode, closeReplicas } from './replicas/reading.ts'
import type { PoolName } from './replicas/replica.ts'
import { type Row, readRows, type Statement, type Target } from './row.ts'

const limits = { max: config.databasePoolSize, connectionTimeoutMillis: config.databaseWaitMs }

/**
 * For writes, for look-ups by a unique key, and for whole lists. Postgres plans such a statement once per connection. Forced custom
 * plans would also plan foreign keys and triggers again for each row. Pages are read from memory or from flash: with Postgres' costs, which are
 * those of rotating disks, it reads small tables as a whole for each row that is looked up.
 */
export const pool = openServingPool('auto', { ...limits, pipeline: true }, { random_page_cost: '1.1' })

/**
 * For lists with other filters or a parent. Plans every statement for its values, because one plan for all values reads up to 10,000 times more at
 * 10 million rows. Through a pooler, which knows one plan mode only, list statements have no names: Postgres plans a statement without a name each
 * time.
 */
const lists = openServingPool('force_custom_plan', limits)

/** The pools of `DATABASE_POOL_SIZE` connections each, for metrics. */
export const servingPools: readonly pg.Pool[] = [pool, lists]

/** A separate pool for health checks, which must not wait for busy connections. */
const probe = openServingPool('auto', { max: 1, connectionTimeoutMillis: 1_000 }, {}, 1_000)

/** The connection of a Prisma transaction. */
export interface TransactionConnection {
  readonly client: pg.PoolClient
  /** Whether Prisma has sent the end of the transaction. From then on, others may use the connection. */
  isOver: boolean
}

/** Receives the connection of the Prisma transaction that begins within its context. Prisma itself does not expose it. */
export const transactionBegins = new AsyncLocalStorage<(connection: TransactionConnection) => void>()

class ObservedPrismaPg extends PrismaPg {
  override async connect() {
    const adapter = await super.connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel)
      const { client } = transaction as unknown as { readonly client: pg.PoolClient }
      const connection = { client, isOver: false }
      const execute = transaction.executeRaw.bind(transaction)
      transaction.executeRaw = (statement) => {
        connection.isOver ||= statement.sql === 'COMMIT' || statement.sql === 'ROLLBACK'
        return execute(statement)
      }
      transactionBegins.getStore()?.(connection)
      return transaction
    }
    return adapter
  }
}

export const db = new PrismaClient({ adapter: new ObservedPrismaPg(pool) })

export const closeDatabase = async () => {
  await db.$disconnect()
  await Promise.all([pool.end(), lists.end(), probe.end(), closeReplicas()])
}

/** Composes a statement. Every interpolated value becomes a parameter. */
export const sql = Prisma.sql
export const join = Prisma.join
export type Sql = Prisma.Sql

/** Inserts a name unescaped, so the name must be a constant of the source. */
export const identifier = (name: string): Sql => Prisma.raw(name)
export const nothing: Sql = Prisma.empty

/**
 * A named statement is sent, parsed and analysed once per connection. The first texts get names, up to this many characters together, because
 * each connection keeps about 100 bytes for each of them. Clients can cause any number of texts, by what they select.
 */
const MAX_NAMED_CHARACTERS = 300_000
/** A longer text gets no name. Otherwise a few of them would leave no room for others. */
const LONGEST_NAMED_TEXT = 20_000
const names = new Map<string, string>()
let namedCharacters = 0
const namedPools = new Set<PoolName>(isPooled ? [] : ['lookUps', 'lists'])

/** Look-ups get names from now on, because the pooler prepares a named statement at whichever server connection it uses. */
export const nameLookUps = (): void => {
  namedPools.add('lookUps')
}

/** Whether the statements of this pool of the primary may have names. */
export const mayHaveNames = (pool: PoolName): boolean => namedPools.has(pool)

/** The name is a hash of the text, so it never means another text, whichever process prepared it. */
const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  const isTooLong = text.length > LONGEST_NAMED_TEXT || namedCharacters + text.length > MAX_NAMED_CHARACTERS
  if (known !== undefined || isTooLong) return known
  namedCharacters += text.length
  const name = `statement_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  names.set(text, name)
  return name
}

type Composed = Pick<Sql, 'text' | 'values'>

/** The statement as `pg` sends it. The text has a name if there is room for one. */
export const statementOf = ({ text, values }: Composed, isNamed: boolean): Statement => {
  const name = isNamed ? nameOf(text) : undefined
  return name === undefined ? { text, values } : { name, text, values }
}

/**
 * A migration may change a column that a named statement of an open connection returns, a pooler may stop preparing named statements, and
 * a statement that is sent together with others of the same text is unknown if the first of them failed before it was prepared. In all three
 * cases the statement is sent again without its name.
 */
const isNameUnusable = (error: unknown) =>
  error instanceof pg.DatabaseError &&
  ((error.code === '0A000' && error.routine === 'RevalidateCachedQuery') ||
    error.code === '26000' ||
    (isPooled && error.code === '42P05'))

/** Does the work with named statements if it may. If a name has become unusable, does it again without names. */
export const withNames = async <T>(mayBeNamed: boolean, work: (isNamed: boolean) => Promise<T>): Promise<T> => {
  try {
    return await work(mayBeNamed)
  } catch (error) {
    if (!isNameUnusable(error)) throw error
    return work(false)
  }
}

const primary: Readonly<Record<PoolName, Target>> = { lookUps: sendingTogether(pool), lists }

const sendTo = (name: PoolName, { text, values }: Sql): Promise<Row[]> => {
  // `Sql` composes its text again each time it is read.
  const statement = { text, values }
  return traced('query', { 'db.system.name': 'postgresql', 'db.query.text': text }, () =>
    atNode(name, (replica) =>
      withNames(replica !== null || mayHaveNames(name), (isNamed) =>
        readRows(replica ?? primary[name], statementOf(statement, isNamed)),
      ),
    ),
  )
}

/** Within a request that only reads, this and `lookUp` may read at a replica. */
export const query = (statement: Sql): Promise<Row[]> => sendTo('lists', statement)

/** Like `query`, for a statement whose best plan does not depend on the values: a look-up by a unique key, or a whole list. */
export const lookUp = (statement: Sql): Promise<Row[]> => sendTo('lookUps', statement)

/** The names of the applied migrations. Fails within two seconds if the database does not respond. */
export const appliedMigrations = async (): Promise<string[]> => {
  const { rows } = await probe.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null',
  )
  return rows.map(({ name }) => name)
}
