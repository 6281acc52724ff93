// Jobs that have failed for the last time, or whose process died during their last attempt (docs/scale.md#jobs).
import { lookUp, probe, query, sql } from '#database/db.ts'
import type { Task } from './jobs.ts'

/** For this many days the operator can look at scheduled jobs. They have one attempt, because the next one does the same work. */
const SCHEDULED_KEPT_DAYS = 7

const IS_SCHEDULED = sql`max_attempts = 1`
/** As in the index `jobs_failed`. */
const HAS_FAILED = sql`attempts >= max_attempts and locked_at is null`

export const deleteFailedJobs: Task = {
  name: 'deleteFailedJobs',
  cron: '17 * * * *',
  run: async () => {
    await query(sql`
      delete from graphile_worker._private_jobs where ${HAS_FAILED} and ${IS_SCHEDULED}
        and updated_at < now() - make_interval(days => ${SCHEDULED_KEPT_DAYS}::int)`)
  },
}

/** How many jobs of each task have failed, without scheduled jobs. */
export const countFailedJobs = async () => {
  const { rows } = await probe.query<{ task: string; count: number }>(sql`
    select task.identifier as task, count(*)::int as count from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where ${HAS_FAILED} and not ${IS_SCHEDULED} group by task.identifier`)
  return rows
}

/** Gives failed jobs all of their attempts again, except scheduled ones. Returns their number. */
export const retryFailedJobs = async (): Promise<number> => {
  const retried = await lookUp(sql`
    update graphile_worker._private_jobs set attempts = 0, run_at = now()
    where ${HAS_FAILED} and not ${IS_SCHEDULED} returning id`)
  return retried.length
}
