// The Postgres error code of a failed statement.
import pg from 'pg'
import { Prisma } from '#generated/prisma/client.ts'

/** The code (PostgreSQL, appendix A) of an error of `pg`, of Prisma's adapter for it, or of Prisma. */
export const sqlState = (error: unknown): string | undefined => {
  if (error instanceof pg.DatabaseError) return error.code
  const failure = error instanceof Prisma.PrismaClientKnownRequestError ? error.meta?.['driverAdapterError'] : error
  if (!(failure instanceof Error)) return undefined
  return (failure.cause as { originalCode?: string } | undefined)?.originalCode
}
