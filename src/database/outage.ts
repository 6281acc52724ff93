// Which failures say that the database is away or too slow, and nothing about the request.
import { ApiError } from '#core/errors.ts'

/** Of a socket, and of Postgres (appendix A): connections, resources, operator intervention, time-outs, lost races for a lock, read-only. */
const CODE =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|08...|53...|57P0.|57014|25P03|25006|40001|40P01|55P03)$/
/** Of Prisma. */
const PRISMA_CODE = /^(P1001|P1002|P1008|P1017|P2024|P2028)$/
const PRISMA_KIND = /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/
/** `pg` and Prisma's migrations give these no code. */
const MESSAGE =
  /^(Can't reach database server|Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

const RETRY_AFTER_SECONDS = 1

/** What the caller is told of such a failure: 503. A change may have been made: a repeated one is found by its idempotency key. */
export const outageOf = (error: unknown): ApiError | undefined =>
  isOutage(error)
    ? new ApiError('SERVICE_UNAVAILABLE', 'The service is unavailable for the moment. Try again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    : undefined

export const isOutage = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false
  const { code, originalCode, kind, message, cause, meta } = error as Record<string, unknown>
  return (
    matches(CODE, code) ||
    matches(CODE, originalCode) ||
    matches(PRISMA_CODE, code) ||
    matches(PRISMA_KIND, kind) ||
    (error instanceof Error && matches(MESSAGE, message)) ||
    isOutage(cause) ||
    isOutage((meta as Record<string, unknown> | undefined)?.['driverAdapterError'])
  )
}

const matches = (pattern: RegExp, text: unknown) => typeof text === 'string' && pattern.test(text)
