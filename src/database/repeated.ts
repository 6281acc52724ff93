// Repeats background work: after commits, such as numbering events, or when it is woken. Every process does this.
import { setTimeout as wait } from 'node:timers/promises'
import { logTaskFailure } from './outage.ts'
import { onCommit } from './unit-of-work.ts'

/** Finds what other processes committed, and what failed before. */
const EVERY_MS = 1_000

export interface Repeated {
  /** Repeats the work shortly. */
  wake(): void
  /** Resolves after the running repetition. */
  stop(): Promise<void>
}

/** Runs `work` after the commits of this process, and otherwise like `repeatWhenWoken`. */
export const repeatAfterCommits = (task: string, togetherMs: number, work: () => Promise<void>): Repeated => {
  const { wake, stop } = repeatWhenWoken(task, togetherMs, work)
  const forget = onCommit(wake)
  return {
    wake,
    stop: () => {
      forget()
      return stop()
    },
  }
}

/**
 * Runs `work` when it is woken, and at least every second. Calls of `wake` within `togetherMs` share one run. A failure is logged with the name
 * of the task.
 */
export const repeatWhenWoken = (task: string, togetherMs: number, work: () => Promise<void>): Repeated => {
  let isStopped = false
  let wake = () => {}
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
      // Created before the work, so that a commit or a call during the work leads to the next run.
      const needed = untilNeeded()
      await work().catch((error) => logTaskFailure(task, error))
      await needed
      await wait(togetherMs)
    }
  }
  const ended = run()
  return {
    wake: () => wake(),
    stop: async () => {
      isStopped = true
      wake()
      await ended
    },
  }
}
