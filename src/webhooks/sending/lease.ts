// A lane holds the waiting events of one object. A process leases a lane, sends its oldest event and records the result. While the lease lasts,
// no other process sends events of that object. Every change of lanes holds the lock of the endpoint.
import type { Environment } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { lookUp, type Sql, sql } from '#database/db.ts'
import { logTaskFailure } from '#database/outage.ts'
import { inRoundTrips, sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { EventType } from '#events/event-types.ts'
import type { Reply } from '#http/outgoing/call.ts'
import { type Attempt, recordingAttempts } from './attempt.ts'
import { dueLanes, lastPlace, leasedLanes, nextTurns, PLACE, type Turn } from './platform-turns.ts'
import { isTriedOnce, secondsUntilRetry } from './retry.ts'

/** Longer than a request may take. When it ends, another process takes over. */
const LEASE_SECONDS = 45
/**
 * The least number of a new lease. A lane that was deleted and opened again counts from 0, so without it a process could hold the lease of a later
 * lane by its old number.
 */
const NOW = sql`(extract(epoch from now()) * 1000)::bigint`
/** As many as a statement changes well within its time. */
const OPENED_AT_ONCE = 2_000

export interface Lane {
  readonly platformId: PlatformId
  readonly environment: Environment
  readonly lane: string
  readonly lease: bigint
  /** Failed attempts to send its oldest event. */
  readonly tries: number
}

/**
 * Leases at most this many due lanes. Endpoints with the fewest open requests come first, so that one whose requests hang does not delay
 * another. Approvals come before the other events of their platform. `lanesAtOnce` limits the concurrent requests to one endpoint: those for
 * approvals, and those for other events. It takes one statement, and one more for each platform that has a turn.
 */
export const leaseLanes = async (most: number, lanesAtOnce: number): Promise<Lane[]> => {
  const leased: Lane[] = []
  for (const turn of await nextTurns(most, lanesAtOnce)) {
    await leaseOf(turn, lanesAtOnce).then(
      (lanes) => leased.push(...lanes),
      (error) => logTaskFailure(`sendWebhooks ${turn.platformId}`, error),
    )
  }
  return leased
}

/** Leases due lanes of one platform, unless another process holds the lock of its endpoint. */
const leaseOf = async ({ platformId, environment, lanes }: Turn, lanesAtOnce: number): Promise<Lane[]> => {
  const platform = sql`${platformId}::uuid`
  const rows = await lookUp(sql`
    with open as materialized (
      select status, probe_at, failures from webhook_endpoints
      where platform_id = ${platform} and status <> 'DISABLED' for no key update skip locked
    ), busy as materialized (
      ${leasedLanes(platform)}
    ), due as materialized (
      select l.lane, l.is_urgent, e.status from open e cross join busy cross join lateral (${dueLanes(platform, lanes)}) l
      where ${PLACE} <= ${lastPlace(lanesAtOnce)} order by not l.is_urgent, l.due_at limit ${lanes}::int
    ), probed as (
      update webhook_endpoints e set probe_at = now() + make_interval(secs => ${LEASE_SECONDS}::int)
      from (select 1 from due where status = 'SUSPENDED' and not is_urgent limit 1) suspended where e.platform_id = ${platform}
    ) update webhook_lanes l set lease = greatest(l.lease + 1, ${NOW}), is_leased = true, due_at = now() + make_interval(secs => ${LEASE_SECONDS}::int)
      from due where l.platform_id = ${platform} and l.lane = due.lane
        -- Another process may have taken it between our snapshot and our lock.
        and (l.due_at <= now() or due.status = 'SUSPENDED' and not l.is_leased)
      returning l.lane, l.lease, l.tries`)
  return rows.map(([lane, lease, tries]) => ({
    platformId,
    environment,
    lane: lane as string,
    lease: BigInt(lease as string),
    tries: Number(tries),
  }))
}

/** Locks the endpoint and reads its state. Then reads the leases of the lanes, for `isHeld`. */
const lockingLeases = (platformId: PlatformId, lanes: readonly Lane[]) =>
  [
    sql`select url, status, failures from webhook_endpoints where platform_id = ${platformId}::uuid for no key update`,
    sql`select lane, lease from webhook_lanes where platform_id = ${platformId}::uuid and lane = any(${lanes.map(({ lane }) => lane)}::uuid[])`,
  ] as const

/** Whether this process still holds the lease of the lane. If it has lost it, it must write nothing. */
const isHeld = ({ lane, lease }: Lane, leases: readonly Row[]): boolean =>
  leases.some(([id, current]) => id === lane && current === String(lease))

/** Locks the endpoint. Returns whether this process still holds the lease. */
export const holdLease = async (tx: Tx, lane: Lane): Promise<boolean> => {
  const [, leases] = await sendIn(tx, ...lockingLeases(lane.platformId, [lane]))
  return isHeld(lane, leases)
}

/**
 * Deletes each lane if no event waits, and otherwise makes its next event due. `ALWAYS` ends a running lease; `UNLESS_LEASED` leaves a leased
 * lane alone. Needs the lock of the endpoint.
 */
export const passingOn = (
  platformId: PlatformId,
  lanes: readonly string[],
  when: 'ALWAYS' | 'UNLESS_LEASED' = 'ALWAYS',
): readonly [Sql, Sql] => {
  const these = sql`l.platform_id = ${platformId}::uuid and l.lane = any(${lanes}::uuid[]) and (${when}::text = 'ALWAYS' or not l.is_leased)`
  return [
    // With NOT EXISTS, Postgres might read all waiting deliveries of the platform.
    sql`delete from webhook_lanes l where ${these} and (
      select d.id from webhook_deliveries d where d.platform_id = ${platformId}::uuid and d.lane = l.lane and d.status = 'PENDING' limit 1) is null`,
    sql`update webhook_lanes l set due_at = now(), tries = 0, is_urgent = false, is_leased = false, lease = lease + 1 where ${these}`,
  ]
}

/** An attempt at the oldest event of a leased lane that the receiver at this address accepted. */
export interface Accepted {
  readonly lane: Lane
  readonly attempt: Attempt
  readonly url: string
}

/**
 * Records accepted attempts of one platform, in two round trips. Records nothing for a lane whose lease this process has lost. Returns false
 * for each, with nothing recorded, if the state of the endpoint must change as well (`judgeEndpoint`).
 */
export const recordAccepted = (platformId: PlatformId, accepted: readonly Accepted[]): Promise<boolean[]> =>
  inRoundTrips(async ({ send, commitWith }) => {
    const lanes = accepted.map(({ lane }) => lane)
    const [[endpoint], leases] = await send(...lockingLeases(platformId, lanes))
    const [currentUrl, status, failures] = endpoint ?? []
    const isWell = status === 'DISABLED' || (status === 'ENABLED' && failures === '0')
    const isRecorded = ({ url }: Accepted) => isWell || url !== currentUrl
    const recorded = accepted.filter((one) => isRecorded(one) && isHeld(one.lane, leases))
    if (recorded.length > 0) {
      const attempts = recorded.map(({ attempt }) => attempt)
      await commitWith(
        recordingAttempts(platformId, attempts),
        endingDeliveries(
          platformId,
          attempts.map(({ deliveryId }) => deliveryId),
          'DELIVERED',
        ),
        ...passingOn(
          platformId,
          recorded.map(({ lane }) => lane.lane),
        ),
      )
    }
    return accepted.map(isRecorded)
  })

interface Sent {
  readonly deliveryId: string
  readonly type: EventType
  readonly url: string
}

/** Records the result of the oldest event of a leased lane. Needs `holdLease`. */
export const settle = async (tx: Tx, lane: Lane, { deliveryId, type, url }: Sent, reply: Reply): Promise<void> => {
  const { platformId } = lane
  if (reply.failure === null) {
    await sendIn(tx, endingDeliveries(platformId, [deliveryId], 'DELIVERED'), ...passingOn(platformId, [lane.lane]))
    return
  }
  if (await hasEnded(tx, lane, deliveryId, isTriedOnce(type))) return
  if (await isSetTo(tx, platformId, url)) return retryLater(tx, lane, reply.retryAfterSeconds)
  await releaseLane(tx, lane)
}

/** Records that the oldest event of a leased lane could not be read. It is tried again, like any other. Needs `holdLease`. */
export const settleUnreadable = async (tx: Tx, lane: Lane, deliveryId: string): Promise<void> => {
  if (!(await hasEnded(tx, lane, deliveryId, false))) await retryLater(tx, lane)
}

/** Fails a pending delivery whose time is over, or which `isLastTry` ends. Returns whether the delivery has ended. The lane then goes on. */
const hasEnded = async (tx: Tx, lane: Lane, deliveryId: string, isLastTry: boolean): Promise<boolean> => {
  const { platformId } = lane
  const [waiting] = await tx.$queryRaw<{ isOver: boolean }[]>`
    select give_up_at <= now() as "isOver" from webhook_deliveries
    where platform_id = ${platformId}::uuid and id = ${deliveryId}::uuid and status = 'PENDING'`
  // Meanwhile it may have been delivered by hand.
  if (waiting && !waiting.isOver && !isLastTry) return false
  const ended = waiting ? [endingDeliveries(platformId, [deliveryId], 'FAILED')] : []
  await sendIn(tx, ...ended, ...passingOn(platformId, [lane.lane]))
  return true
}

/** Whether the endpoint still has the address that answered. An answer of an earlier address says nothing about the current one. */
const isSetTo = async (tx: Tx, platformId: PlatformId, url: string): Promise<boolean> => {
  const [found] = await tx.$queryRaw<object[]>`
    select 1 as found from webhook_endpoints where platform_id = ${platformId}::uuid and url = ${url}`
  return found !== undefined
}

/** Makes the oldest event of a leased lane wait after a failed attempt. Needs `holdLease`. */
const retryLater = async (
  tx: Tx,
  { platformId, lane, tries }: Lane,
  askedSeconds: number | null = null,
): Promise<void> => {
  const wait = secondsUntilRetry(tries + 1, askedSeconds)
  await tx.$executeRaw`
    update webhook_lanes set tries = ${tries + 1}, due_at = now() + make_interval(secs => ${wait}::float8), is_leased = false
    where platform_id = ${platformId}::uuid and lane = ${lane}::uuid`
}

/** Ends the pauses of up to `OPENED_AT_ONCE` lanes. Those of others end by themselves, after 36 minutes at most. Needs the lock of the endpoint. */
export const openLanes = (tx: Tx, platformId: PlatformId) =>
  tx.$executeRaw`
    update webhook_lanes set due_at = now(), tries = 0 where platform_id = ${platformId}::uuid and lane = any(array(
      select lane from webhook_lanes where platform_id = ${platformId}::uuid and due_at > now() and not is_leased
      order by due_at limit ${OPENED_AT_ONCE}::int))`

/** Releases a lane without an attempt. Needs `holdLease`. */
export const releaseLane = (tx: Tx, { platformId, lane }: Lane) =>
  tx.$executeRaw`
    update webhook_lanes set due_at = now(), is_leased = false where platform_id = ${platformId}::uuid and lane = ${lane}::uuid`

/** Ends deliveries. Their lanes must then pass on. Needs the lock of the endpoint. */
export const endingDeliveries = (
  platformId: PlatformId,
  deliveryIds: readonly string[],
  status: 'DELIVERED' | 'FAILED',
): Sql => sql`
  update webhook_deliveries set status = ${status}::webhook_delivery_status, done_at = now()
  where platform_id = ${platformId}::uuid and id = any(${deliveryIds}::uuid[])`
