// Remembers for a moment who the sender of a header is, so that a busy caller costs two look-ups per second.
import { createHash } from 'node:crypto'
import type { Caller } from './caller.ts'

/** How long a process may not notice what another one changes or revokes. */
const LIFE_MS = 500
const MAX_CALLERS = 1_000

interface Known {
  readonly caller: Caller
  readonly until: number
}

/** By a hash of the header, because secrets are kept nowhere. */
const known = new Map<string, Known>()
let changes = 0

/** What `find` found for the same header within the last half second, or finds now. Refusals are not remembered. */
export const knownCaller = async (header: string, find: () => Promise<Caller>): Promise<Caller> => {
  const key = createHash('sha256').update(header).digest('base64')
  const found = known.get(key)
  if (found && found.until > performance.now()) return found.caller
  const before = changes
  const caller = await find()
  // What was found before a change is not remembered after it.
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
