// The connection pools, the Prisma client, and handwritten statements, which do the hot reads and the steps of payments.
import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { config } from '#core/config.ts'
import { traced } from '#core/tracing.ts'
import { Prisma, PrismaClient } from '#generated/prisma/client.ts'
import { openServingPool } from './connections.ts'
import { sendingTogether } from './pg/sent-together.ts'
import { mayHaveNames, prismaNameOf, statementOf, withNames } from './pg/statement-names.ts'
import { atNode, closeReplicas } from './replicas/reading.ts'
import type { PoolName } from './replicas/replica.ts'
import { type Row, readRows, type Target } from './row.ts'

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

/** A separate pool for health checks and metrics, which must not wait for busy connections. Fails within two seconds without the database. */
export const probe = openServingPool('auto', { max: 1, connectionTimeoutMillis: 1_000 }, {}, 1_000)

/** The connection of a Prisma transaction. */
export interface TransactionConnection {
  readonly client: pg.PoolClient
  /** Whether Prisma has sent the end of the transaction. From then on, others may use the connection. */
  isOver: boolean
}

/** Receives the connection of the Prisma transaction that begins within its context. Prisma itself does not expose it. */
export const transactionBegins = new AsyncLocalStorage<(connection: TransactionConnection) => void>()

class ObservedPrismaPg extends PrismaPg {
  constructor() {
    super(pool, { statementNameGenerator: prismaNameOf })
  }

  override async connect() {
    const adapter = await super.connect()
    const [query, change] = [adapter.queryRaw.bind(adapter), adapter.executeRaw.bind(adapter)]
    adapter.queryRaw = (statement) => withNames(() => query(statement))
    adapter.executeRaw = (statement) => withNames(() => change(statement))
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

export const db = new PrismaClient({ adapter: new ObservedPrismaPg() })

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

const primary: Readonly<Record<PoolName, Target>> = { lookUps: sendingTogether(pool), lists }

const sendTo = (name: PoolName, { text, values }: Sql): Promise<Row[]> => {
  // `Sql` composes its text again each time it is read.
  const statement = { text, values }
  return traced('query', { 'db.system.name': 'postgresql', 'db.query.text': text }, () =>
    atNode(name, (replica) =>
      withNames(() =>
        readRows(replica ?? primary[name], statementOf(statement, replica !== null || mayHaveNames(name))),
      ),
    ),
  )
}

/** Within a request that only reads, this and `lookUp` may read at a replica. */
export const query = (statement: Sql): Promise<Row[]> => sendTo('lists', statement)

/** Like `query`, for a statement whose best plan does not depend on the values: a look-up by a unique key, or a whole list. */
export const lookUp = (statement: Sql): Promise<Row[]> => sendTo('lookUps', statement)

/** The names of the applied migrations. */
export const appliedMigrations = async (): Promise<string[]> => {
  const { rows } = await probe.query<{ name: string }>(
    'select migration_name as name from _prisma_migrations where finished_at is not null',
  )
  return rows.map(({ name }) => name)
}
