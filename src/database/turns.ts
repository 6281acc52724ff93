import { config } from '#core/config.ts'

/**
 * Runs work sequentially per key, and at most `most` pieces at a time in all. Work of one key locks the same rows: run
 * concurrently, each piece would hold a connection while it waits.
 */
export const createTurns = (most = Infinity) => {
  /** The end of the last piece of work of each key. */
  const ends = new Map<string, Promise<void>>()
  let running = 0
  /** Oldest first. */
  const waiting = new Set<() => void>()

  const begin = async () => {
    if (running >= most) await new Promise<void>((start) => waiting.add(start))
    else running += 1
  }
  /** The place passes directly to the next piece of work, so `running` does not change. */
  const end = () => {
    const [next] = waiting
    if (next) {
      waiting.delete(next)
      next()
    } else running -= 1
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const done = (ends.get(key) ?? Promise.resolve()).then(begin).then(work).finally(end)
    const ended = done.then(
      () => {},
      () => {},
    )
    ends.set(key, ended)
    try {
      return await done
    } finally {
      if (ends.get(key) === ended) ends.delete(key)
    }
  }
}

/** Records the answers of other servers, on at most a quarter of the connections. The others are for callers. */
export const recordInTurn = createTurns(Math.max(1, Math.floor(config.databasePoolSize / 4)))
