// Plans the deliveries of new events.
import { lookUp, sql } from '#database/db.ts'
import { logTaskFailure } from '#database/outage.ts'
import { TRIED_FOR_DAYS } from './retry.ts'

const EVENTS_AT_ONCE = 500
const ENDPOINTS_AT_ONCE = 20

/**
 * Plans deliveries for a few endpoints that have new events, one batch each, so that one far behind does not delay the others. Returns the
 * number of events read. Call it again until that is 0. Each event gets exactly one delivery, which has its id: the endpoint is locked, and
 * positions have no gaps. A disabled endpoint keeps its position and gets none. A UMA payment that waits for the platform's approval is urgent.
 */
export const planDeliveries = async (): Promise<number> => {
  const behind = await lookUp(sql`
    select platform_id from events_to_plan group by platform_id order by random() limit ${ENDPOINTS_AT_ONCE}::int`)
  let read = 0
  for (const [platformId] of behind) {
    read += await planOf(platformId as string).catch((error) => {
      logTaskFailure(`planDeliveries ${platformId}`, error)
      return 0
    })
  }
  return read
}

/** Plans the next deliveries of one platform. Returns how many events it has read: none if another process is planning. */
const planOf = async (platformId: string): Promise<number> => {
  const platform = sql`${platformId}::uuid`
  const [row] = await lookUp(sql`
    with behind as materialized (
      select position, types, status <> 'DISABLED' as is_open from webhook_endpoints where platform_id = ${platform}
      for no key update skip locked
    ), fresh as materialized (
      select e.id, e.position, type, coalesce(object_id, e.id) as lane, created_at, b.types is null or type = any(b.types) as is_taken,
        type = 'INCOMING_PAYMENT.PENDING' and snapshot ->> 'source_type' = 'UMA_ADDRESS' as is_urgent
      -- With a join instead, Postgres would read all events of the platform in their order.
      from behind b cross join lateral (
        select * from numbered_events e where e.platform_id = ${platform} and e.position > b.position and b.is_open
        order by e.position limit ${EVENTS_AT_ONCE}::int) e
    ), moved as (
      update webhook_endpoints e set position = n.position
      from (select max(position) as position from fresh) n where e.platform_id = ${platform} and n.position is not null
    ), planned as (
      insert into webhook_deliveries (platform_id, id, event_id, type, position, lane, give_up_at)
      select ${platform}, id, id, type, position, lane, created_at + make_interval(days => ${TRIED_FOR_DAYS}::int) from fresh where is_taken
      on conflict (platform_id, id) do nothing returning event_id, lane
    ), opened as (
      insert into webhook_lanes (platform_id, lane, is_urgent)
      select ${platform}, p.lane, bool_or(n.is_urgent) from planned p join fresh n on n.id = p.event_id
      group by p.lane on conflict do nothing
    ), done as (
      delete from events_to_plan t using behind b where t.platform_id = ${platform}
        and (not b.is_open or t.position <= greatest(b.position, (select max(position) from fresh)))
    ) select count(*) from fresh`)
  return Number(row?.[0])
}
