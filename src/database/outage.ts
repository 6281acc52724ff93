// Recognizes failures that mean the database is unreachable or too slow, and that are not caused by the request.
import { ApiError } from '#core/errors.ts'
import { logFailure, logOutage, logRepeated } from '#core/log.ts'
import type { RequestContext } from '#core/request-context.ts'

/** Socket errors, and Postgres codes (appendix A) for connections, resources, operator intervention, timeouts, lost races for a lock, and read-only servers. */
const CODE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0.|57014|25P03|25006|40001|40P01|55P03)$/
/** Prisma's codes. */
const PRISMA_CODE = /^(P1001|P1002|P1008|P1017|P2024|P2028)$/
const PRISMA_KIND = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/
/** `pg` raises these errors without a code. */
const MESSAGE =
  /^(Connection terminated|timeout expired|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

export const RETRY_AFTER_SECONDS = 1

/**
 * The 503 for such a failure, whose cause is logged, or undefined. A change may have been committed; an idempotency key makes it safe to
 * retry.
 */
export const outageOf = (error: unknown, { traceId }: Pick<RequestContext, 'traceId'>): ApiError | undefined => {
  const cause = causeOfOutage(error)
  if (cause === undefined) return undefined
  logOutage({ traceId }, cause)
  return new ApiError('SERVICE_UNAVAILABLE', 'The service is temporarily unavailable. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/** Timeouts of statements, and lost races for a lock. The database responds, so they may be a fault of the work itself. */
const OF_STATEMENT = /^(57014|25P03|40001|40P01|55P03)$/

interface OfJob {
  readonly traceId?: string | undefined
  readonly isLast?: boolean
}

/**
 * Logs that background work failed. It is repeated, unless this was the last attempt, so an outage and too many changes at once need no more than
 * their cause. Anything else is logged with its stack.
 */
export const logTaskFailure = (task: string, error: unknown, { traceId, isLast = false }: OfJob = {}): void => {
  const of = { task, traceId }
  const cause = causeOfOutage(error)
  if (cause !== undefined && !OF_STATEMENT.test(cause)) logOutage(of, cause)
  else if (!isLast && error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') logRepeated(of, error.code)
  else logFailure(of, error)
}

export const isOutage = (error: unknown): boolean => causeOfOutage(error) !== undefined

/** Returns the code or the fixed text of an outage, which contains no user input. Returns undefined for any other failure. */
export const causeOfOutage = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, originalCode, kind, message, cause, meta } = error as Record<string, unknown>
  return (
    match(CODE, code) ??
    match(CODE, originalCode) ??
    match(PRISMA_CODE, code) ??
    match(PRISMA_KIND, kind) ??
    (error instanceof Error ? match(MESSAGE, message) : undefined) ??
    causeOfOutage(cause) ??
    causeOfOutage((meta as Record<string, unknown> | undefined)?.['driverAdapterError'])
  )
}

const match = (pattern: RegExp, text: unknown) => (typeof text === 'string' ? pattern.exec(text)?.[0] : undefined)
