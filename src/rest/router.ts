// What every REST slice builds on: an application whose routes know their caller.
import { Hono } from 'hono'
import type { Caller } from '#core/caller.ts'

export interface RestVariables {
  Variables: { caller: Caller; traceId: string }
}

export type RestApp = Hono<RestVariables>

export const router = (): RestApp => new Hono()
