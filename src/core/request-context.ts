// One request on its way through.
import type { PlatformId } from './ids.ts'

export interface Visit {
  /** `x-request-id`, and `traceId` in errors. */
  readonly traceId: string
  // What is noted of it for logs, metrics and traces: nothing that a caller wrote.
  /** The route, or the operation's root fields, once it is known. */
  operation?: string
  /** Who called, once it is known. */
  platformId?: PlatformId
  /** Gives its turn to the next request of the platform; once, when all is done. Absent while it has none. */
  leave?: () => void
}
