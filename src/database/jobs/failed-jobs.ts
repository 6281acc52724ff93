// Jobs that have failed for the last time.
import { query, sql } from '#database/db.ts'
import type { Task } from './jobs.ts'

/** For this many days the operator can look at them. */
const KEPT_DAYS = 7

export const deleteFailedJobs: Task = {
  name: 'deleteFailedJobs',
  cron: '17 * * * *',
  run: async () => {
    await query(sql`
      delete from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null
        and updated_at < now() - make_interval(days => ${KEPT_DAYS}::int)`)
  },
}
