// Writes JSON lines to standard error. Only the fields named here are logged.
import pino from 'pino'
import { config } from './config.ts'
import type { PlatformId } from './ids.ts'
import type { RequestContext } from './request-context.ts'
import { framesOf } from './source-lines.ts'

const logger = pino(
  {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  },
  // On Linux, writes to stderr are synchronous, so nothing is lost when the process dies.
  process.stderr,
)

export interface Answered extends Pick<RequestContext, 'traceId'> {
  readonly operation: string | undefined
  readonly platformId: PlatformId | undefined
  readonly face: string
  readonly method: string
  readonly status: number
  readonly milliseconds: number
}

export const logRequest = ({ traceId, face, method, operation, status, milliseconds, platformId }: Answered) =>
  logger.info({ event: 'request', traceId, face, method, operation, status, milliseconds, platformId })

/** Logs an event in the life of the process. */
export const logLife = (event: 'serving' | 'migrated' | 'stopping' | 'stopped') => logger.info({ event })

/** Logs why the database is not reachable when the process starts. */
export const logNoDatabase = (cause: string) => logger.warn({ event: 'no database yet', cause })

const OUTAGES_EVERY_MS = 1000
const nextOutages = new Map<string, number>()

/** What the line of a failure is about. */
type FailureOf = { readonly traceId: string } | TaskOf

/** A job has the `traceId` of the request that it was added for. */
interface TaskOf {
  readonly task: string
  readonly traceId?: string | undefined
}

/**
 * Logs why the database did not respond to a request, which is then answered with 503, or to a background task. At most one line per cause and
 * second, because an outage fails everything.
 */
export const logOutage = (of: FailureOf, cause: string) => {
  const now = performance.now()
  if (now < (nextOutages.get(cause) ?? 0)) return
  nextOutages.set(cause, now + OUTAGES_EVERY_MS)
  logger.warn({ event: 'outage', ...of, cause })
}

/** Logs that background work gave up for now, for a reason that is not its fault. */
export const logRepeated = (of: TaskOf, cause: string) => logger.warn({ event: 'will be repeated', ...of, cause })

/** The authenticator may have been cloned. Someone should investigate. */
export const logStaleCounter = (platformId: string, authMethodId: string) =>
  logger.warn({ event: 'passkey counter did not increase', platformId, authMethodId })

export const logReplica = (event: 'replica left out' | 'replica used again', host: string) =>
  logger.warn({ event, host })

const REFUSED_PAGES_EVERY_MS = 60_000
let nextRefusedPage = 0

/** Logs that CORS_ORIGINS does not list the origin of a page. At most one line per minute, because anyone can cause it. */
export const logRefusedPage = () => {
  const now = performance.now()
  if (now < nextRefusedPage) return
  nextRefusedPage = now + REFUSED_PAGES_EVERY_MS
  logger.warn({ event: 'request of another origin refused', setting: 'CORS_ORIGINS' })
}

/** A failure whose message contains no user input, so it is always logged. */
export class LoggableError extends Error {}

/** Logs an internal failure of a request or a background task. Messages may contain user input, so only class, code and stack are logged. */
export const logFailure = (of: FailureOf, error: unknown) =>
  logger.error({ event: 'failure', ...of, ...describe(error) })

const describe = (error: unknown): object => {
  if (!(error instanceof Error)) return { name: typeof error }
  // Postgres sets `code`, `table` and `constraint`.
  const { name, code, table, constraint, cause } = error as Error & Record<string, string | undefined>
  return {
    name,
    code,
    table,
    constraint,
    ...((config.logMessages || error instanceof LoggableError) && { message: error.message }),
    stack: framesOf(error),
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}
