// Gives turns to the messages of streams, so that the requests of a platform find free connections, however many streams it has.
import type { PlatformId } from '#core/ids.ts'

/** The end of the last turn that was given. */
const ends = new Map<PlatformId, Promise<void>>()

/** Runs the work for one message, after those of the platform that came before. A stream that waits for events has no turn. */
export const inTurn = async <T>(platformId: PlatformId, work: () => Promise<T>): Promise<T> => {
  const turn = (ends.get(platformId) ?? Promise.resolve()).then(work)
  const end = turn.then(
    () => {},
    () => {},
  )
  ends.set(platformId, end)
  try {
    return await turn
  } finally {
    if (ends.get(platformId) === end) ends.delete(platformId)
  }
}
