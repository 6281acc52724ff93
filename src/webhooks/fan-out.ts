// Plans the deliveries of new events.
import { query, sql } from '#database/db.ts'
import { TRIED_FOR_DAYS } from './retry.ts'

const EVENTS_AT_ONCE = 500
const ENDPOINTS_AT_ONCE = 20

/**
 * Plans the deliveries of all events behind the positions of the endpoints. A delivery has the id of its event. Each event gets exactly one,
 * because the endpoint is locked and its positions have no gaps. Disabled endpoints stay where they are. A UMA payment that waits for the
 * platform's approval is urgent.
 */
export const planDeliveries = async (): Promise<void> => {
  let read = 1
  while (read > 0) {
    const [row] = await query(sql`
      with behind as materialized (
        select e.platform_id, e.position, e.types from webhook_endpoints e join event_streams s using (platform_id)
        where e.status <> 'DISABLED' and s.last_position > e.position
        limit ${ENDPOINTS_AT_ONCE}::int for no key update of e skip locked
      ), fresh as materialized (
        select event.*, b.types is null or event.type = any(b.types) as is_taken from behind b cross join lateral (
          select platform_id, id, position, type, coalesce(object_id, id) as lane, created_at,
            type = 'INCOMING_PAYMENT.PENDING' and snapshot ->> 'source_type' = 'UMA_ADDRESS' as is_urgent
          from numbered_events e where e.platform_id = b.platform_id and e.position > b.position
          order by e.position limit ${EVENTS_AT_ONCE}::int) event
      ), moved as (
        update webhook_endpoints e set position = n.position
        from (select platform_id, max(position) as position from fresh group by 1) n where e.platform_id = n.platform_id
      ), planned as (
        insert into webhook_deliveries (platform_id, id, event_id, type, position, lane, give_up_at)
        select platform_id, id, id, type, position, lane, created_at + make_interval(days => ${TRIED_FOR_DAYS}::int) from fresh where is_taken
        on conflict (platform_id, id) do nothing returning platform_id, event_id, lane
      ), opened as (
        insert into webhook_lanes (platform_id, lane, is_urgent)
        select p.platform_id, p.lane, bool_or(n.is_urgent) from planned p join fresh n on n.platform_id = p.platform_id and n.id = p.event_id
        group by 1, 2 on conflict do nothing
      ) select count(*) from fresh`)
    read = Number(row?.[0])
  }
}
