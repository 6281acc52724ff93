// The signature counter of a passkey, which distinguishes a copy from its original (Web Authentication Level 3 §6.1.1).
import { ApiError } from '#core/errors.ts'
import { logStaleCounter } from '#core/log.ts'
import type { Sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** The row of a passkey. */
interface Place {
  readonly platformId: string
  readonly id: string
}

/** If two assertions have the same counter, one of them comes from a copy. Authenticators without a counter always send 0. */
export const raiseCounter = async (tx: Tx, table: Sql, { platformId, id }: Place, counter: number): Promise<void> => {
  const raised = await tx.$executeRaw`
    update ${table} set counter = ${counter}
    where platform_id = ${platformId}::uuid and id = ${id}::uuid
      and (counter < ${counter} or (counter = 0 and ${counter}::bigint = 0))`
  if (raised !== 1) {
    throw new ApiError('UNAUTHORIZED', 'The signature counter has not increased', { reason: 'ASSERTION_COUNTER' })
  }
}

/** Logs that the counter of a passkey did not increase. */
export const loggingStaleCounter = async <T>({ platformId, id }: Place, check: () => Promise<T>): Promise<T> => {
  try {
    return await check()
  } catch (error) {
    const isStale = error instanceof ApiError && error.details?.reason === 'ASSERTION_COUNTER'
    if (isStale) logStaleCounter(platformId, id)
    throw error
  }
}
