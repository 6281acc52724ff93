// What every REST slice builds on: an application whose routes know their caller.
import { Hono } from 'hono'
import type { Caller } from '#core/caller.ts'

export type RestApp = Hono<{ Variables: { caller: Caller; traceId: string } }>

export const router = (): RestApp => new Hono()
