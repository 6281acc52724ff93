// Gives committed events their positions. One process at a time numbers the events of all processes.
import type { PlatformId } from '#core/ids.ts'
import { lookUp, sql } from '#database/db.ts'
import { type Repeated, repeatAfterCommits } from '#database/repeated.ts'

/** Each call is a commit. */
const MOST_OF_A_CALL = 1_000
/** Each run is at least one commit. Payments make several events within this time. */
const TOGETHER_MS = 50
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

interface Numbered {
  readonly events: number
  /** Whether other events may be left: of a platform with many, or those that another process is numbering. */
  readonly isIncomplete: boolean
}

/**
 * Numbers the committed events of all platforms, up to a thousand of each. Each platform has its turn, however many events others have. Waits
 * for no other process: while another one numbers events, this one leaves them to it.
 */
export const numberEvents = async (): Promise<Numbered> => {
  let events = 0
  let isIncomplete = false
  for (let reached: unknown = BEFORE_ALL; reached; ) {
    const [row] = await lookUp(sql`
      select numbered, is_incomplete, reached from number_events(${MOST_OF_A_CALL}::int, ${reached}::uuid)`)
    events += Number(row?.[0])
    isIncomplete ||= row?.[1] === 't'
    reached = row?.[2]
  }
  return { events, isIncomplete: isIncomplete || events >= MOST_OF_A_CALL }
}

/** Numbers the committed events of the platform. Waits while another process numbers them. */
export const numberEventsOf = async (platformId: PlatformId): Promise<void> => {
  for (let given = MOST_OF_A_CALL; given === MOST_OF_A_CALL; ) {
    const [row] = await lookUp(sql`select number_events_of(${platformId}::uuid, ${MOST_OF_A_CALL}::int, true)`)
    given = Number(row?.[0])
  }
}

/** Calls `onNumbered` when there are new events. Call `stop` before the database is closed. */
export const startNumbering = (onNumbered: () => void): Repeated => {
  const numbering = repeatAfterCommits('numberEvents', TOGETHER_MS, async () => {
    const { events, isIncomplete } = await numberEvents()
    if (events > 0) onNumbered()
    // The other process may not see what was committed just now.
    if (isIncomplete) numbering.wake()
  })
  return numbering
}
