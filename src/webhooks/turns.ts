/**
 * Runs works one after the other for each key, and at most `most` at a time: many at once would wait for the same row, each with a
 * connection that others need.
 */
export const createTurns = (most: number) => {
  const waiting: { readonly key: string; readonly start: () => void }[] = []
  const busy = new Set<string>()
  const startNext = () => {
    const index = busy.size < most ? waiting.findIndex(({ key }) => !busy.has(key)) : -1
    const [next] = index < 0 ? [] : waiting.splice(index, 1)
    if (!next) return
    busy.add(next.key)
    next.start()
  }
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((start) => {
      waiting.push({ key, start })
      startNext()
    })
    try {
      return await work()
    } finally {
      busy.delete(key)
      startNext()
    }
  }
}
