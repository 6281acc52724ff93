/**
 * Runs pieces of work one after the other for each key, and at most `most` at a time. Otherwise the work of one key
 * would wait for the same rows, each piece holding a connection that others need.
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
