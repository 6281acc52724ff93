// Database transactions with bounded waits. A transaction that lost a race for a lock is retried from the start.
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { traced } from '#core/tracing.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { db, type TransactionConnection, transactionBegins } from './db.ts'
import { RETRY_AFTER_SECONDS } from './outage.ts'
import { sqlState } from './pg/sql-state.ts'
import { withNames } from './pg/statement-names.ts'
import { stayAtPrimary } from './replicas/reading.ts'

export type Tx = Prisma.TransactionClient

const MAX_TRIES = 3
export const TRANSACTION_TIMEOUT_MS = 10_000

/** Serialization failure, deadlock and lock timeout (PostgreSQL, appendix A). */
const LOST_RACES = ['40001', '40P01', '55P03']

/**
 * Runs `work` in a transaction and returns its result after the commit. Throws 503 `SERVICE_UNAVAILABLE`, with nothing changed, if it
 * lost three races for a lock, found no free connection, or took too long.
 */
export const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
  untilNoRaceIsLost(() => withNames(() => traced('transaction', { 'db.system.name': 'postgresql' }, () => begin(work))))

const connections = new WeakMap<Tx, TransactionConnection>()

const begin = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  let own: TransactionConnection | undefined
  // The first transaction to begin is this one. Any later one begins within its work.
  const keep = (begun: TransactionConnection) => {
    own ??= begun
  }
  return transactionBegins.run(keep, () =>
    db.$transaction(
      (tx) => {
        if (own) connections.set(tx, own)
        return work(tx)
      },
      { maxWait: config.databaseWaitMs, timeout: TRANSACTION_TIMEOUT_MS },
    ),
  )
}

/** The connection of a transaction of `inTransaction`. Throws 503 if it took too long: other statements would not be part of it. */
export const connectionOf = (tx: Tx): TransactionConnection => {
  const connection = connections.get(tx)
  if (!connection) throw new Error('The transaction was not begun by inTransaction')
  if (connection.isOver) throw busy()
  return connection
}

/** Runs a transaction, and again if it lost a race for a lock, which has rolled it back. */
export const untilNoRaceIsLost = async <T>(run: () => Promise<T>): Promise<T> => {
  stayAtPrimary()
  for (let tries = 1; ; tries++) {
    try {
      const result = await run()
      for (const listener of commitListeners) listener()
      return result
    } catch (error) {
      if (isOutOfTime(error)) throw busy()
      if (!hasLostRace(error)) throw error
      if (tries === MAX_TRIES) throw busy()
      await wait(Math.random() * 50 * tries)
    }
  }
}

const commitListeners = new Set<() => void>()

/** Calls the listener, which must not throw, after each commit of this process. Returns the function that ends that. */
export const onCommit = (listener: () => void): (() => void) => {
  commitListeners.add(listener)
  return () => commitListeners.delete(listener)
}

/** The start time of the transaction, by the database clock. All its changes should use this time. Outside a transaction, the time now. */
export const timeOf = async (tx: Tx): Promise<Date> => {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`select now()::timestamptz(3) as now`
  if (!row) throw new Error('select now() returned no row')
  return row.now
}

const busy = () =>
  new ApiError('SERVICE_UNAVAILABLE', 'Too many changes at once. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })

/**
 * No free connection, `TRANSACTION_TIMEOUT_MS` passed, or a statement timed out. In a long queue for a row, the waits add up to a
 * statement timeout even though each is below the lock timeout.
 */
const isOutOfTime = (error: unknown) => prismaCode(error) === 'P2028' || sqlState(error) === '57014'

const hasLostRace = (error: unknown) => prismaCode(error) === 'P2034' || LOST_RACES.includes(sqlState(error) ?? '')

/** Excludes other transactions that lock the same text, until this one ends. */
export const lockText = (tx: Tx, text: string) =>
  tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`

const prismaCode = (error: unknown): string | undefined =>
  error instanceof Prisma.PrismaClientKnownRequestError ? error.code : undefined

/** Whether the statement violated a unique constraint. Citus reports an internal error if it copied the rows of a SELECT to a node. */
export const isDuplicate = (error: unknown): boolean =>
  prismaCode(error) === 'P2002' ||
  sqlState(error) === '23505' ||
  (sqlState(error) === 'XX000' && (error as Error).message.startsWith('duplicate key value violates unique constraint'))
