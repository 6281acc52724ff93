// What a platform does by hand: it tests its endpoint, sends events again, and skips them.
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse } from '#core/input.ts'
import { rangeEnd, rangeStart } from '#core/time-filters.ts'
import { db } from '#database/db.ts'
import { selectPartsByIds, selectWritten } from '#database/record.ts'
import { sendIn } from '#database/round-trips.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { type Event, EventRecord } from '#events/event.ts'
import { numberEventsOf } from '#events/numbering.ts'
import {
  attemptsOf,
  requireDelivery,
  type WebhookAttempt,
  type WebhookDelivery,
  WebhookDeliveryRecord,
} from './delivery.ts'
import { endpointNotSet, findEndpoint, lockEndpoint } from './endpoint.ts'
import { recordingAttempts } from './sending/attempt.ts'
import { judgeEndpoint } from './sending/circuit-breaker.ts'
import { endingDeliveries, passingOn } from './sending/lease.ts'
import { messagesOf } from './sending/message.ts'
import { post } from './sending/post.ts'
import { TRIED_FOR_DAYS } from './sending/retry.ts'

/** How long to wait for the endpoint. The caller waits too, and its own request ends after ten seconds. */
const WITHIN_SECONDS = 8

export const testRequest = z.object({
  withinSeconds: z
    .int({ error: 'must be an integer' })
    .min(1, 'must be at least 1')
    .max(WITHIN_SECONDS, `must be at most ${WITHIN_SECONDS}`)
    .nullish()
    .describe(`How long to wait for the answer, 1 to ${WITHIN_SECONDS} seconds. Defaults to ${WITHIN_SECONDS}.`),
})

/** Whether the delivery is the oldest one that waits in its lane. Only its end lets the lane go on. Needs the lock of the endpoint. */
const isNextOf = async (tx: Tx, { platformId }: PlatformCaller, lane: string, id: string): Promise<boolean> => {
  const [next] = await tx.$queryRaw<{ id: string }[]>`
    select id from webhook_deliveries where platform_id = ${platformId}::uuid and lane = ${lane}::uuid and status = 'PENDING'
    order by position limit 1`
  return next?.id === id
}

/** Returns the address that the event was sent to. */
const sendNow = async (
  caller: PlatformCaller,
  { id, eventId, lane }: Pick<WebhookDelivery, 'id' | 'eventId'> & { readonly lane: string },
  trigger: 'TEST' | 'REDELIVERY',
  withinSeconds = WITHIN_SECONDS,
): Promise<string> => {
  const { platformId } = caller
  const [message] = await messagesOf(caller, [eventId])
  if (!message) throw endpointNotSet()
  const at = new Date()
  const reply = await post({ ...message, withinMs: withinSeconds * 1000 })
  await inTransaction(async (tx) => {
    await lockEndpoint(tx, caller)
    await tx.$executeRaw(recordingAttempts(platformId, [{ deliveryId: id, trigger, at, reply }]))
    await judgeEndpoint(tx, platformId, message.url, { at, reply }, false)
    if (reply.failure !== null) return trigger === 'TEST' ? endTest(tx, caller, id) : undefined
    const isNext = await isNextOf(tx, caller, lane, id)
    const passed = isNext ? passingOn(platformId, [lane], 'UNLESS_LEASED') : []
    await sendIn(tx, endingDeliveries(platformId, [id], 'DELIVERED'), ...passed)
  })
  return message.url
}

/** A test has failed from the start, so only its end changes. Meanwhile it may have been delivered by hand. */
const endTest = async (tx: Tx, { platformId }: PlatformCaller, id: string): Promise<void> => {
  await tx.$executeRaw`
    update webhook_deliveries set done_at = now() where platform_id = ${platformId}::uuid and id = ${id}::uuid and status = 'FAILED'`
}

interface TestedEndpoint {
  readonly url: string
  readonly event: Event
  readonly attempt: WebhookAttempt
}

/**
 * Sends the event TEST and waits for the answer, even if the endpoint does not receive this type. Needs the permission MANAGE. Throws 400
 * `WEBHOOK_ENDPOINT_NOT_SET`, and `WEBHOOK_DELIVERY_ERROR` with the failure as its reason if there was no answer.
 */
export const sendTestEvent = async (caller: PlatformCaller, input: unknown): Promise<TestedEndpoint> => {
  requirePermission(caller, 'MANAGE')
  const { withinSeconds } = parse(testRequest, input)
  const { platformId } = caller
  if (!(await findEndpoint(caller))) throw endpointNotSet()
  // Without a lane no other process sends it. It counts as failed until it has arrived.
  const eventId = await inTransaction(async (tx) => {
    const [event] = await tx.$queryRaw<{ id: string }[]>`
      insert into events (platform_id, type, snapshot) values (${platformId}::uuid, 'TEST', '{}') returning id`
    const eventId = event?.id ?? ''
    await tx.$executeRaw`
      insert into webhook_deliveries (platform_id, id, event_id, type, position, lane, status, give_up_at, done_at)
      values (${platformId}::uuid, ${eventId}::uuid, ${eventId}::uuid, 'TEST', 0, ${eventId}::uuid, 'FAILED', now(), now())`
    return eventId
  })
  await numberEventsOf(platformId)
  const url = await sendNow(caller, { id: eventId, eventId, lane: eventId }, 'TEST', withinSeconds ?? WITHIN_SECONDS)
  const [attempts] = await attemptsOf(caller, [eventId])
  const attempt = attempts?.find(({ trigger }) => trigger === 'TEST')
  if (!attempt) throw new Error('A test left no trace')
  if (attempt.responseStatus === null) {
    throw new ApiError('WEBHOOK_DELIVERY_ERROR', 'The endpoint did not answer', {
      reason: attempt.failure ?? 'CONNECTION',
    })
  }
  return { url, event: await selectWritten(caller, EventRecord, eventId), attempt }
}

/**
 * Sends an event again at once, even if it was delivered, and waits for the answer. Its id stays the same. Needs the permission MANAGE.
 * Throws 400 `WEBHOOK_ENDPOINT_NOT_SET` and 404 `REFERENCE_NOT_FOUND`.
 */
export const redeliverEvent = async (caller: PlatformCaller, eventId: string): Promise<WebhookDelivery> => {
  requirePermission(caller, 'MANAGE')
  const delivery = await requireDelivery(caller, eventId)
  const lane = await laneOf(caller, delivery)
  await sendNow(caller, { id: delivery.id, eventId: delivery.eventId, lane }, 'REDELIVERY')
  return written(caller, delivery)
}

const laneOf = async ({ platformId }: PlatformCaller, { id }: WebhookDelivery): Promise<string> => {
  const [found] = await db.$queryRaw<{ lane: string }[]>`
    select lane from webhook_deliveries where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  return found?.lane ?? id
}

const written = async (caller: PlatformCaller, { id }: WebhookDelivery): Promise<WebhookDelivery> => {
  const delivery = (await selectPartsByIds(caller, WebhookDeliveryRecord, [id])).get(id)
  if (!delivery) throw new ApiError('REFERENCE_NOT_FOUND', 'The event no longer exists')
  return delivery
}

/** Skips a pending delivery, so that later events of the same object can be sent. 409 `CONFLICT` unless it is pending. */
export const skipEvent = async (caller: PlatformCaller, eventId: string): Promise<WebhookDelivery> => {
  requirePermission(caller, 'MANAGE')
  const { platformId } = caller
  const delivery = await requireDelivery(caller, eventId)
  const lane = await laneOf(caller, delivery)
  await inTransaction(async (tx) => {
    await lockEndpoint(tx, caller)
    const isNext = await isNextOf(tx, caller, lane, delivery.id)
    const skipped = await tx.$executeRaw`
      update webhook_deliveries set status = 'SKIPPED', done_at = now()
      where platform_id = ${platformId}::uuid and id = ${delivery.id}::uuid and status = 'PENDING'`
    if (skipped === 0) throw new ApiError('CONFLICT', 'The event is not waiting to be delivered')
    if (isNext) await sendIn(tx, ...passingOn(platformId, [lane]))
  })
  return written(caller, delivery)
}

export const redeliveredTime = z.object({
  since: rangeStart.describe('Events whose deliveries were planned from this time on.'),
  until: rangeEnd.nullish().describe('Until this time. Null means now.'),
})

/** The number per call. Call it again while it returns this many. */
export const REDELIVERED_AT_ONCE = 10_000

/**
 * Makes every failed or skipped delivery of this time pending again, oldest first, and tries each for 7 more days. Returns how many. Needs
 * the permission MANAGE. Throws 400 `WEBHOOK_ENDPOINT_NOT_SET`.
 */
export const redeliverEvents = async (caller: PlatformCaller, input: unknown): Promise<number> => {
  requirePermission(caller, 'MANAGE')
  const { since, until } = parse(redeliveredTime, input)
  const { platformId } = caller
  return inTransaction(async (tx) => {
    await lockEndpoint(tx, caller)
    const [found] = await tx.$queryRaw<{ count: bigint }[]>`
      with again as (
        update webhook_deliveries d set status = 'PENDING', done_at = null, give_up_at = now() + make_interval(days => ${TRIED_FOR_DAYS}::int)
        from (
          select id from webhook_deliveries where platform_id = ${platformId}::uuid and status in ('FAILED', 'SKIPPED')
            and created_at >= ${since}::timestamptz and created_at <= coalesce(${until ?? null}::timestamptz, now())
          order by created_at, id limit ${REDELIVERED_AT_ONCE}::int) o
        where d.platform_id = ${platformId}::uuid and d.id = o.id returning d.lane
      ), opened as (
        insert into webhook_lanes (platform_id, lane) select distinct ${platformId}::uuid, lane from again on conflict do nothing
      ) select count(*) from again`
    return Number(found?.count)
  })
}
