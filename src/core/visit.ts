import type { PlatformId } from './ids.ts'

/** What is noted of a request for logs, metrics and traces: nothing that a caller wrote. */
export interface Visit {
  /** `x-request-id`, and `traceId` in errors. */
  readonly traceId: string
  /** The route, or the operation's root fields, once it is known. */
  operation?: string
  /** Who called, once it is known. */
  platformId?: PlatformId
}
