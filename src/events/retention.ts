import { query, sql } from '#database/db.ts'
import type { Task } from '#database/jobs.ts'

export const KEPT_DAYS = 30
/** Deliveries are dropped in weeks, and their events go with them. */
export const DAYS_TOGETHER = 7

const KEPT_SINCE = sql`first_day((now() at time zone 'UTC')::date - ${KEPT_DAYS}::int, ${DAYS_TOGETHER}::int)::timestamp at time zone 'UTC'`

const PLATFORMS_AT_ONCE = 20
const EVENTS_AT_ONCE = 1_000

/** Platforms that have events to delete. */
const platformsWithOldEvents = async (): Promise<string[]> => {
  const rows = await query(sql`
    select platform_id from event_streams s where (
      select created_at from numbered_events e where e.platform_id = s.platform_id order by position limit 1) < ${KEPT_SINCE}
    limit ${PLATFORMS_AT_ONCE}::int`)
  return rows.map(([platformId]) => platformId ?? '')
}

/** Deletes the oldest events of the platform up to the first that is kept, so that the rest has no gaps. Returns how many it has deleted. */
const deleteOldest = async (platformId: string): Promise<number> => {
  const [row] = await query(sql`
    with oldest as (
      select position, bool_and(created_at < ${KEPT_SINCE}) over (order by position) as goes from (
        select position, created_at from numbered_events
        where platform_id = ${platformId}::uuid order by position limit ${EVENTS_AT_ONCE}::int) e
    ), gone as (
      delete from events where platform_id = ${platformId}::uuid and position in (select position from oldest where goes)
      returning 1
    ) select count(*) from gone`)
  return Number(row?.[0])
}

/** Deletes the events of weeks that were over 30 days ago. */
export const deleteOldEvents: Task = {
  name: 'deleteOldEvents',
  cron: '*/10 * * * *',
  run: async () => {
    for (let deleted = 1; deleted > 0; ) {
      deleted = 0
      for (const platformId of await platformsWithOldEvents()) deleted += await deleteOldest(platformId)
    }
  },
}
