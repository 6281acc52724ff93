// In a distributed database, jobs wait in an outbox beside the rows of their platform, so that money and its job are one commit on one node. Every
// process takes them from there to the queue at the coordinator (docs/scale.md#jobs-on-citus).
import { lookUp, sql } from '#database/db.ts'
import { type Repeated, repeatAfterCommits } from '#database/repeated.ts'

const TAKEN_AT_ONCE = 1_000
/** Each call is a commit. */
const TOGETHER_MS = 20

let answer: boolean | undefined

const ask = async (): Promise<boolean> => {
  const [row] = await lookUp(sql`select has_job_outbox()`)
  answer = row?.[0] === 't'
  return answer
}

/**
 * Whether the database is distributed, so that jobs wait in the outbox. This never changes while a gateway runs, because no gateway runs while a
 * database is being distributed.
 */
export const isDistributed = async (): Promise<boolean> => answer ?? (await ask())

/**
 * Moves all committed jobs from the outbox to the queue. They are in the queue before they are deleted here, and the
 * queue remembers which ones it has received. So a crash at any point loses no job, and adds none twice.
 */
export const takeJobs = async (): Promise<void> => {
  if (!(await isDistributed())) return
  for (let isFull = true; isFull; ) {
    const taken = await lookUp(sql`select of_platform, job from take_jobs(${TAKEN_AT_ONCE}::int)`)
    if (taken.length === 0) return
    const platforms = [...new Set(taken.map(([platform]) => platform))]
    const jobs = taken.map(([, job]) => job)
    await lookUp(
      sql`delete from job_outbox where platform_id = any(${platforms}::uuid[]) and id = any(${jobs}::uuid[])`,
    )
    isFull = taken.length === TAKEN_AT_ONCE
  }
}

/** Call it after the migration. Takes jobs to the queue after each commit of this process, and looks for the jobs of other processes every second. */
export const startTakingJobs = async (): Promise<Repeated | undefined> =>
  (await ask()) ? repeatAfterCommits('takeJobs', TOGETHER_MS, takeJobs) : undefined
