// Repeats work that follows from commits, such as numbering events. Every process does this.
import { setTimeout as wait } from 'node:timers/promises'
import { logFailure } from '#core/log.ts'
import { onCommit } from './unit-of-work.ts'

/** Finds what other processes committed, and what failed before. */
const EVERY_MS = 1_000

export interface Repeated {
  /** Repeats the work shortly. */
  wake(): void
  /** Resolves after the running repetition. */
  stop(): Promise<void>
}

/**
 * Runs `work` after the commits of this process, and at least every second. Commits within `togetherMs` share one run. A failure is logged
 * with the name of the task.
 */
export const repeatAfterCommits = (task: string, togetherMs: number, work: () => Promise<void>): Repeated => {
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
      // Created before the work, so that a commit during the work leads to the next run.
      const needed = untilNeeded()
      await work().catch((error) => logFailure({ task }, error))
      await needed
      await wait(togetherMs)
    }
  }
  const ended = run()
  return {
    wake: () => wake(),
    stop: async () => {
      forget()
      isStopped = true
      wake()
      await ended
    },
  }
}
