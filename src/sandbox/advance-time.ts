// The sandbox clock of a platform (docs/domain/sandbox.md#time). Advancing time moves the platform's
// future jobs and deadlines closer to now. The clock itself does not change, so every rule still compares with the database's clock.
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { expireLateActions } from '#agents/actions/expire.ts'
import type { PlatformCaller } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { parse } from '#core/input.ts'
import { requireSandbox } from '#core/only-sandbox.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { bringJobsForward, holdTakenJobs, runTakenJob, takeNextJob } from '#database/jobs/platform-jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { bringDeadlinesForward } from './deadlines.ts'

const MAX_SECONDS = 30 * 24 * 60 * 60

export const timeAdvance = z.object({
  seconds: z
    .int({ error: 'must be an integer' })
    .min(1, 'must be at least 1')
    .max(MAX_SECONDS, `must be at most ${MAX_SECONDS}`)
    .describe(`Number of seconds to advance, 1 to ${MAX_SECONDS}.`),
})

export interface AdvancedTime {
  /** In seconds. */
  readonly advancedSeconds: number
  readonly remainingSeconds: number
  readonly jobsRun: number
}

export const ADVANCE_TEXTS = {
  advancedSeconds: 'How far the time of the platform was advanced.',
  remainingSeconds:
    'The time that was not advanced, because there were too many jobs for one request. Call again with this value. 0 when done.',
  jobsRun: 'Number of jobs that were run.',
} as const

/** Less than a request may take. */
const WITHIN_MS = 6_000
const BUSY_MS = 20

/**
 * Runs the platform's jobs that fall due within this time, one after the other in the order of their times, with those that they add. Before each
 * job, everything moves closer by the time that the job would have waited. Needs the permission TRANSACT. 403 `FORBIDDEN` in production.
 */
export const advanceTime = async (caller: PlatformCaller, input: unknown): Promise<AdvancedTime> => {
  requireSandbox(caller, 'TRANSACT')
  const { seconds } = parse(timeAdvance, input)
  const release = await holdTakenJobs()
  try {
    return await advance(caller.platformId, seconds)
  } finally {
    await release()
  }
}

const advance = async (platformId: PlatformId, seconds: number): Promise<AdvancedTime> => {
  const end = performance.now() + WITHIN_MS
  const failed: string[] = []
  let left = seconds * 1_000
  let jobsRun = 0
  while (performance.now() < end) {
    await takeJobs()
    const job = await inTransaction(async (tx) => {
      const next = await takeNextJob(tx, platformId, left, failed)
      if (typeof next === 'object') await bringNearer(tx, platformId, next.waitMs)
      else if (next === undefined) await bringNearer(tx, platformId, left)
      return next
    })
    if (job === undefined) {
      left = 0
      break
    }
    if (job === 'BUSY') {
      await wait(BUSY_MS)
      continue
    }
    left = Math.max(0, left - job.waitMs)
    if (await runTakenJob(job)) jobsRun += 1
    else failed.push(job.id)
  }
  // The task that does this belongs to no platform.
  await expireLateActions(platformId)
  const remainingSeconds = Math.ceil(left / 1_000)
  return { advancedSeconds: seconds - remainingSeconds, remainingSeconds, jobsRun }
}

const bringNearer = async (tx: Tx, platformId: PlatformId, ms: number) => {
  if (ms === 0) return
  await bringJobsForward(tx, platformId, ms)
  await bringDeadlinesForward(tx, platformId, ms)
}
