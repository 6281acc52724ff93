// What every REST slice builds on: an application whose routes know their caller.
import { Hono } from 'hono'
import type { AgentCaller, PlatformCaller } from '#core/caller.ts'
import type { Visit } from '#core/request-context.ts'

interface Bindings {
  /** What limits by address count, as `clientAddressOf` finds it. Null in process. */
  clientAddress: string | null
  visit: Visit
}

export interface RestVariables {
  Bindings: Bindings
  Variables: { caller: PlatformCaller }
}

/** Below `/agents/me`. */
export interface AgentVariables {
  Bindings: Bindings
  Variables: { caller: AgentCaller }
}

export type RestApp = Hono<RestVariables>

export const router = (): RestApp => new Hono<RestVariables>()
export const agentRouter = (): Hono<AgentVariables> => new Hono<AgentVariables>()
