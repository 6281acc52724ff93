/**
 * Groups pieces of work by key: while one group is running, further work waits and then forms the next group, of at
 * most `most` pieces. `run` returns the result of each piece, or the error that it alone gets. If `run` throws and
 * `isOfOne` says that one of several pieces may be the cause, each is run alone.
 */
export const createGroups = <W, T>(
  most: number,
  run: (works: readonly W[]) => Promise<readonly (T | Error)[]>,
  isOfOne: (error: unknown) => boolean,
) => {
  interface Waiting {
    readonly work: W
    readonly resolve: (result: T) => void
    readonly reject: (error: unknown) => void
  }

  const settle = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const results = await run(group.map(({ work }) => work))
      group.forEach(({ resolve, reject }, index) => {
        const result = results[index] as T | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      })
    } catch (error) {
      if (group.length > 1 && isOfOne(error)) for (const one of group) await settle([one])
      else for (const { reject } of group) reject(error)
    }
  }

  /** The waiting work, by the keys of the running groups. */
  const queues = new Map<string, Waiting[]>()

  const settleAll = async (key: string, waiting: Waiting[]): Promise<void> => {
    queues.set(key, waiting)
    while (waiting.length > 0) await settle(waiting.splice(0, most))
    queues.delete(key)
  }

  return (key: string, work: W): Promise<T> =>
    new Promise((resolve, reject) => {
      const waiting = { work, resolve, reject }
      const queue = queues.get(key)
      if (queue) queue.push(waiting)
      else void settleAll(key, [waiting])
    })
}
