// Remembers the caller of an authorization header for half a second, so that a busy caller costs two look-ups per second.
import { hash } from 'node:crypto'
import type { Caller } from './caller.ts'

/** The delay after which a process notices changes of other processes. */
const LIFE_MS = 500
const MAX_CALLERS = 1_000

interface Known {
  readonly caller: Caller
  readonly until: number
}

/** Keyed by a hash of the header, because no secret is stored. */
const known = new Map<string, Known>()
let changes = 0

/** The result of `find` for this header, at most half a second old. Refusals are not remembered. */
export const knownCaller = async (header: string, find: () => Promise<Caller>): Promise<Caller> => {
  const key = hash('sha256', header, 'base64')
  const found = known.get(key)
  if (found && found.until > performance.now()) return found.caller
  const before = changes
  const caller = await find()
  // A result from before a change is not remembered after it.
  if (before === changes) {
    if (known.size === MAX_CALLERS) known.clear()
    known.set(key, { caller, until: performance.now() + LIFE_MS })
  }
  return caller
}

/** Must follow every change of a token, or of an agent's policy. In other processes the change takes effect within half a second. */
export const forgetCallers = () => {
  changes += 1
  known.clear()
}
