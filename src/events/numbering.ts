// Gives committed events their positions. Every process numbers the events of all processes.
import { type Repeated, repeatAfterCommits } from '#database/after-commits.ts'
import { lookUp, sql } from '#database/db.ts'

const MOST_OF_A_PLATFORM = 200
/** `number_events` numbers at most 100 platforms per call. A call that numbers fewer than 100 events has therefore reached all of them. */
const FULL = 100
/** Each call is a commit. Payments make several events within this time. */
const TOGETHER_MS = 50

/** Numbers the committed events of all platforms. */
export const numberEvents = async (): Promise<void> => {
  let moved = FULL
  while (moved >= FULL) {
    const [row] = await lookUp(sql`select number_events(${MOST_OF_A_PLATFORM}::int)`)
    moved = Number(row?.[0])
  }
}

/** Call `stop` before the database is closed. */
export const startNumbering = (): Repeated => repeatAfterCommits('numberEvents', TOGETHER_MS, numberEvents)
