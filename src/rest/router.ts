// Routers for the slices. Their handlers can read the authenticated caller.
import { Hono } from 'hono'
import type { AgentCaller, PlatformCaller } from '#core/caller.ts'
import type { RequestContext } from '#core/request-context.ts'

interface Bindings {
  /** The client address for limits, from `clientAddressOf`. Null for requests in process. */
  clientAddress: string | null
  requestContext: RequestContext
}

export interface RestVariables {
  Bindings: Bindings
  Variables: { caller: PlatformCaller }
}

/** For routes below `/agents/me`. */
export interface AgentVariables {
  Bindings: Bindings
  Variables: { caller: AgentCaller }
}

export type RestApp = Hono<RestVariables>

export const router = (): RestApp => new Hono<RestVariables>()
export const agentRouter = (): Hono<AgentVariables> => new Hono<AgentVariables>()
