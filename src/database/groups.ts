// Work that waits for the same lock is done together, in one transaction.
import { sqlState } from './pg/sql-state.ts'

/** One transaction must not keep a lock for long. */
const MOST_TOGETHER = 50

/** Data exceptions and violated constraints (PostgreSQL, appendix A): one piece of work must not fail the others. */
const isOfOne = (error: unknown) => /^2[23]/.test(sqlState(error) ?? '')

/**
 * Groups pieces of work by key: while one group is running, further work waits and then forms the next group. `run`
 * returns the result of each piece, or the error that it alone gets. If `run` throws because of the values of one of
 * several pieces, each is run alone.
 */
export const createGroups = <W, T>(run: (works: readonly W[]) => Promise<readonly (T | Error)[]>) => {
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
    while (waiting.length > 0) await settle(waiting.splice(0, MOST_TOGETHER))
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
