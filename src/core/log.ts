// What the gateway writes down: JSON lines on standard error, of the fields that are named here and no others.
import pino from 'pino'
import { config } from './config.ts'
import type { Visit } from './request-context.ts'

const logger = pino(
  {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  },
  // Written at once on Linux: the last words of a process are the ones that count.
  process.stderr,
)

export interface Answered extends Visit {
  readonly face: string
  readonly method: string
  readonly status: number
  readonly milliseconds: number
}

export const logRequest = ({ traceId, face, method, operation, status, milliseconds, platformId }: Answered) =>
  logger.info({ event: 'request', traceId, face, method, operation, status, milliseconds, platformId })

/** What the process itself goes through. */
export const logLife = (event: 'serving' | 'no database yet' | 'migrated' | 'stopping' | 'stopped') =>
  logger.info({ event })

/** There may be a copy of the authenticator: something for people to look into. */
export const logStaleCounter = (platformId: string, authMethodId: string) =>
  logger.warn({ event: 'passkey counter did not grow', platformId, authMethodId })

const REFUSED_PAGES_EVERY_MS = 60_000
let nextRefusedPage = 0

/** A page called that CORS_ORIGINS does not list. At most one line a minute: anybody can cause it. */
export const logRefusedPage = () => {
  const now = performance.now()
  if (now < nextRefusedPage) return
  nextRefusedPage = now + REFUSED_PAGES_EVERY_MS
  logger.warn({ event: 'request of another origin refused', setting: 'CORS_ORIGINS' })
}

/** A failure in our own words, which quote nobody: they are logged as they are. */
export class PlainFailure extends Error {}

/** A failure that the caller is told nothing of: of a request, or of what we do otherwise. Its text may quote what was sent, so its kind and its place must do. */
export const logFailure = (of: { readonly traceId: string } | { readonly task: string }, error: unknown) =>
  logger.error({ event: 'failure', ...of, ...describe(error) })

const describe = (error: unknown): object => {
  if (!(error instanceof Error)) return { name: typeof error }
  // `code`, `table` and `constraint` are those of Postgres.
  const { name, code, table, constraint, stack = '', cause } = error as Error & Record<string, string | undefined>
  return {
    name,
    code,
    table,
    constraint,
    ...((config.logMessages || error instanceof PlainFailure) && { message: error.message }),
    stack: stack.split('\n').filter((line) => /^ {4}at /.test(line)),
    ...(cause !== undefined && { cause: describe(cause) }),
  }
}
