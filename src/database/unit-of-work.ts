// A change: all of it or nothing, with bounded waits, and again from the start when it only lost a race for a lock.
import { setTimeout as wait } from 'node:timers/promises'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { traced } from '#core/tracing.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { db } from './db.ts'

export type Tx = Prisma.TransactionClient

const MAX_TRIES = 3
const TIMEOUT_MS = 10_000

/** Serialization failure, deadlock, lock time-out (PostgreSQL, appendix A). */
const LOST_RACES = ['40001', '40P01', '55P03']

/**
 * What `work` returns, once committed. 503 `SERVICE_UNAVAILABLE` when it was lost three times, or when no connection was free or the
 * work took too long; nothing has changed then.
 */
export const inTransaction = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await traced('transaction', { 'db.system.name': 'postgresql' }, () =>
        db.$transaction(work, { maxWait: config.databaseWaitMs, timeout: TIMEOUT_MS }),
      )
    } catch (error) {
      if (isOutOfTime(error)) throw busy()
      if (!hasLostRace(error)) throw error
      if (tries === MAX_TRIES) throw busy()
      await wait(Math.random() * 50 * tries)
    }
  }
}

/** The time of the transaction, by the clock of the database: the same for all that it changes. */
export const timeOf = async (tx: Tx): Promise<Date> => {
  const [row] = await tx.$queryRaw<{ now: Date }[]>`select now()::timestamptz(3) as now`
  if (!row) throw new Error('Postgres does not know the time')
  return row.now
}

const busy = () => new ApiError('SERVICE_UNAVAILABLE', 'Too many changes at once. Try again.')

/** Of the wait for a connection, of `TIMEOUT_MS`, or of a statement: in a long queue for a row its waits add up, each below the lock time-out. */
const isOutOfTime = (error: unknown) =>
  error instanceof Prisma.PrismaClientKnownRequestError && (error.code === 'P2028' || sqlState(error) === '57014')

const hasLostRace = (error: unknown) =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === 'P2034' || LOST_RACES.includes(sqlState(error) ?? ''))

/** Takes turns with every other transaction that locks the same text, until it ends. */
export const lockText = (tx: Tx, text: string) =>
  tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${text}, 0))`

/** The code that Postgres gave to a failed statement. */
const sqlState = ({ meta }: Prisma.PrismaClientKnownRequestError): string | undefined => {
  const cause = (meta?.['driverAdapterError'] as { cause?: { originalCode?: string } } | undefined)?.cause
  return cause?.originalCode
}

/** Whether the statement failed because a row with the same key is there already. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && (error.code === 'P2002' || sqlState(error) === '23505')
