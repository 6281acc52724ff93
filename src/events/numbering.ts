// Gives committed events their positions. Every process does: after its own commits, and each second for whatever is left.
import { setTimeout as wait } from 'node:timers/promises'
import { logFailure } from '#core/log.ts'
import { lookUp, sql } from '#database/db.ts'
import { onCommit } from '#database/unit-of-work.ts'

const MOST_OF_A_PLATFORM = 200
/** `number_events` takes as many platforms at once: with fewer events nothing was left out. */
const FULL = 100
const EVERY_MS = 1_000
/** Commits within this time share one call. */
const TOGETHER_MS = 10

/** Numbers what is committed, of all platforms. */
export const numberEvents = async (): Promise<void> => {
  let moved = FULL
  while (moved >= FULL) {
    const [row] = await lookUp(sql`select number_events(${MOST_OF_A_PLATFORM}::int)`)
    moved = Number(row?.[0])
  }
}

export interface Numbering {
  /** Ends after the call that is under way. */
  stop(): Promise<void>
}

export const startNumbering = (): Numbering => {
  let isStopped = false
  let wake = () => {}
  const forget = onCommit(() => wake())
  const untilNeeded = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, EVERY_MS)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const run = async () => {
    while (!isStopped) {
      // Made before the call, so that a commit during the call leads to the next one.
      const needed = untilNeeded()
      await numberEvents().catch((error) => logFailure({ task: 'numberEvents' }, error))
      await needed
      await wait(TOGETHER_MS)
    }
  }
  const ended = run()
  return {
    stop: async () => {
      forget()
      isStopped = true
      wake()
      await ended
    },
  }
}
