// Routers for the slices. Their handlers can read the authenticated caller.
import { Hono } from 'hono'
import type { AgentCaller, PlatformCaller } from '#core/caller.ts'
import type { RequestContext } from '#core/request-context.ts'

interface Bindings {
  /** Finds the client address for limits, with `clientAddressOf`. Null for requests in process. */
  clientAddress: () => string | null
  requestContext: RequestContext
  /** Whether the body is a file, which the handler reads as it arrives. */
  isUpload?: boolean
}

interface Variables<C> {
  caller: C
  /** The text of the body, which was read before the request took a slot. Throws if it cannot be read. */
  body: () => string
}

export interface RestVariables {
  Bindings: Bindings
  Variables: Variables<PlatformCaller>
}

/** For routes below `/agents/me`. */
export interface AgentVariables {
  Bindings: Bindings
  Variables: Variables<AgentCaller>
}

export type RestApp = Hono<RestVariables>

export const router = (): RestApp => new Hono<RestVariables>()
export const agentRouter = (): Hono<AgentVariables> => new Hono<AgentVariables>()
