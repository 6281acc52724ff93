// Gives committed events their positions. Every process numbers the events of all processes.
import { type Repeated, repeatAfterCommits } from '#database/after-commits.ts'
import { lookUp, sql } from '#database/db.ts'

const MOST_OF_A_PLATFORM = 200
/** `number_events` numbers at most 100 platforms per call. A call that numbers fewer than 100 events has therefore reached all of them. */
const FULL = 100
/** Each call is a commit. Payments make several events within this time. */
const TOGETHER_MS = 50

/** Numbers the committed events of all platforms. Returns how many. */
export const numberEvents = async (): Promise<number> => {
  let numbered = 0
  for (;;) {
    const [row] = await lookUp(sql`select number_events(${MOST_OF_A_PLATFORM}::int)`)
    const moved = Number(row?.[0])
    numbered += moved
    if (moved < FULL) return numbered
  }
}

/** Calls `onNumbered` when there are new events. Call `stop` before the database is closed. */
export const startNumbering = (onNumbered: () => void): Repeated =>
  repeatAfterCommits('numberEvents', TOGETHER_MS, async () => {
    if ((await numberEvents()) > 0) onNumbered()
  })
