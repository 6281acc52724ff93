// The state of one request, for logs, metrics and traces. It holds nothing that the caller wrote.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { PlatformId } from './ids.ts'

export interface RequestContext {
  /** Sent as `x-request-id`, and as `traceId` in errors. */
  readonly traceId: string
  /** The REST route or the GraphQL root field, once it is known. */
  operation?: string | undefined
  /** Set once the caller is authenticated. */
  platformId?: PlatformId
  /** Releases the concurrency slot of the request. Undefined while it has none. */
  releaseSlot?: (() => void) | undefined
  /** Runs work that waits for another server, without the slot. Undefined while the request has none. */
  withoutSlot?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined
  /** Set while a read is repeated, after a replica failed. */
  isRepeated?: true
}

const requests = new AsyncLocalStorage<RequestContext>()

/** Handles a request, so that its work finds the context. A job does its work in the context of the request that it was added for. */
export const inRequest = <T>(requestContext: RequestContext, work: () => T): T => requests.run(requestContext, work)

export const currentRequest = (): RequestContext | undefined => requests.getStore()
