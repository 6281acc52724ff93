import { query, sql } from '#database/db.ts'
import type { Task } from '#database/jobs.ts'

export const KEPT_DAYS = 30
/** Deliveries are dropped in weeks, and their events go with them. */
export const DAYS_TOGETHER = 7

const KEPT_SINCE = sql`first_day((now() at time zone 'UTC')::date - ${KEPT_DAYS}::int, ${DAYS_TOGETHER}::int)::timestamp at time zone 'UTC'`

/**
 * Deletes the events of weeks that were over 30 days ago, of 20 platforms and 1,000 of each at once. They are always
 * the oldest of a stream, so that the rest has no gaps.
 */
export const deleteOldEvents: Task = {
  name: 'deleteOldEvents',
  cron: '*/10 * * * *',
  run: async () => {
    let deleted = 1
    while (deleted > 0) {
      const [row] = await query(sql`
        with oldest as (
          select e.platform_id, e.position, bool_and(e.is_old) over (partition by e.platform_id order by e.position) as goes
          from (
            select platform_id from event_streams s where (
              select created_at from numbered_events e where e.platform_id = s.platform_id order by position limit 1) < ${KEPT_SINCE}
            limit 20
          ) s cross join lateral (
            select platform_id, position, created_at < ${KEPT_SINCE} as is_old
            from numbered_events where platform_id = s.platform_id order by position limit 1000) e
        ), gone as (
          delete from events e using oldest o where e.platform_id = o.platform_id and e.position = o.position and o.goes returning 1
        ) select count(*) from gone`)
      deleted = Number(row?.[0])
    }
  },
}
