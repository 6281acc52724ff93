// Jobs that wait for a worker although they are due (docs/scale.md#jobs).
import { probe, sql } from '#database/db.ts'

/** For how many seconds the oldest of them has been due. 0 without any. All jobs have the same priority, with which the index begins. */
export const secondsOfOldestDueJob = async (): Promise<number> => {
  const { rows } = await probe.query<{ seconds: number }>(sql`
    select greatest(0, extract(epoch from now() - run_at))::float8 as seconds from graphile_worker._private_jobs
    where is_available and priority = 0 order by run_at limit 1`)
  return rows[0]?.seconds ?? 0
}
