// What every REST slice builds on: an application whose routes know their caller.
import { Hono } from 'hono'
import type { AgentCaller, PlatformCaller } from '#core/caller.ts'

interface Bindings {
  /** Of the socket, whatever headers say. Null in process. */
  clientAddress: string | null
}

export interface RestVariables {
  Bindings: Bindings
  Variables: { caller: PlatformCaller; traceId: string }
}

/** Below `/agents/me`. */
export interface AgentVariables {
  Bindings: Bindings
  Variables: { caller: AgentCaller; traceId: string }
}

export type RestApp = Hono<RestVariables>

export const router = (): RestApp => new Hono()
export const agentRouter = (): Hono<AgentVariables> => new Hono()
