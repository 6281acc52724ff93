// The deliveries of events to the endpoint, with their attempts.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { anyOf, bothOf, idOf, labelOf } from '#core/input.ts'
import { creationRange, inOrder } from '#core/time-filters.ts'
import { query, sql } from '#database/db.ts'
import { integer, nullable, oneOf, type RecordOf, record, selectPartsByIds, text, time } from '#database/record.ts'
import { isOneOf, isWithin, recordList, refersTo } from '#database/record-list.ts'
import { EventRecord, SUBJECT_KINDS } from '#events/event.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { CALL_FAILURES } from '#http/outgoing/call.ts'
import { endpointNotSet, findEndpoint } from './endpoint.ts'

export const WEBHOOK_DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'SKIPPED'] as const
export const WEBHOOK_TRIGGERS = ['SCHEDULE', 'REDELIVERY', 'TEST'] as const

export const WebhookDeliveryRecord = record(
  'webhook_deliveries',
  {
    id: text.describe('`WebhookDelivery:<uuid>`.'),
    eventId: text.describe('`Webhook:<uuid>`: the ID of the event, and of the webhook on every attempt.'),
    type: oneOf(EVENT_TYPES).describe('The type of the event.'),
    status: oneOf(WEBHOOK_DELIVERY_STATUSES).describe('The state of the delivery.'),
    createdAt: time.describe('When the delivery was created, right after the event.'),
    doneAt: nullable(time).describe(
      'When the delivery succeeded, failed for good or was skipped. Only when it is no longer pending.',
    ),
  },
  'REFUSED',
)
export type WebhookDelivery = RecordOf<typeof WebhookDeliveryRecord>

export const WebhookAttemptRecord = record(
  'webhook_attempts',
  {
    deliveryId: text,
    at: time.describe('When the request was sent.'),
    milliseconds: integer.describe('The duration in milliseconds.'),
    trigger: oneOf(WEBHOOK_TRIGGERS).describe('Why it was sent.'),
    responseStatus: nullable(integer).describe('HTTP status of the answer. Only if there was one.'),
    responseBody: nullable(text).describe('The first 1,024 characters of the answer. Only if there was one.'),
    failure: nullable(oneOf(CALL_FAILURES)).describe('Why it failed. Only if the event was not delivered.'),
  },
  'REFUSED',
)
export type WebhookAttempt = RecordOf<typeof WebhookAttemptRecord>

export const DELIVERY_TEXTS = {
  attempts: 'The requests that were sent, oldest first. At most the last 20.',
  nextAttemptAt:
    'When it is sent next. Only while it is pending, and waits neither for an earlier event of the same object nor for the endpoint to be enabled.',
} as const

/** A delivery has at most 350 attempts in 7 days, and any number of redeliveries. */
export const SHOWN_ATTEMPTS = 20

/** The delivery of each event, or null. Needs the permission VIEW. */
export const deliveriesOfEvents = async (
  caller: Caller,
  eventIds: readonly string[],
): Promise<(WebhookDelivery | null)[]> => {
  WebhookDeliveryRecord.requireView(caller)
  const found = await selectPartsByIds(caller, WebhookDeliveryRecord, eventIds, 'eventId')
  return eventIds.map((id) => found.get(id) ?? null)
}

/**
 * The delivery of an event. 404 `REFERENCE_NOT_FOUND` for an unknown event, and for a type that the endpoint does not receive. 400
 * `WEBHOOK_ENDPOINT_NOT_SET` if the event has no delivery and the platform no endpoint.
 */
export const requireDelivery = async (caller: Caller, eventId: string): Promise<WebhookDelivery> => {
  const uuid = requireUuid('Webhook', eventId, unknownDelivery)
  const delivery = (await selectPartsByIds(caller, WebhookDeliveryRecord, [uuid], 'eventId')).get(uuid)
  if (delivery) return delivery
  const isEvent = (await selectPartsByIds(caller, EventRecord, [uuid])).has(uuid)
  throw isEvent && !(await findEndpoint(caller)) ? endpointNotSet() : unknownDelivery()
}

const unknownDelivery = () =>
  new ApiError('REFERENCE_NOT_FOUND', 'There is no such event, or the endpoint does not receive its type')

/** The last attempts of each delivery, oldest first. For deliveries that the caller may see. */
export const attemptsOf = async (caller: Caller, deliveryIds: readonly string[]): Promise<WebhookAttempt[][]> => {
  const rows = await query(sql`
    select ${WebhookAttemptRecord.columns} from unnest(${deliveryIds}::uuid[]) as delivery (id)
    cross join lateral (
      select * from webhook_attempts t where ${WebhookAttemptRecord.visibleTo(caller)} and t.delivery_id = delivery.id
      order by t.number desc limit ${SHOWN_ATTEMPTS}::int) t
    order by t.delivery_id, t.number`)
  const found = new Map<string, WebhookAttempt[]>(deliveryIds.map((id) => [id, []]))
  for (const attempt of rows.map((row) => WebhookAttemptRecord.read(row))) found.get(attempt.deliveryId)?.push(attempt)
  return deliveryIds.map((id) => found.get(id) ?? [])
}

/** The time of the next attempt of each delivery, or null. For deliveries that the caller may see. */
export const nextAttemptsOf = async (caller: Caller, deliveryIds: readonly string[]): Promise<(string | null)[]> => {
  const rows = await query(sql`
    select t.id, lane.due_at from webhook_deliveries t
    join webhook_lanes lane on lane.platform_id = t.platform_id and lane.lane = t.lane
    join webhook_endpoints endpoint on endpoint.platform_id = t.platform_id and endpoint.status = 'ENABLED'
    where ${WebhookDeliveryRecord.visibleTo(caller)} and t.id = any(${deliveryIds}::uuid[]) and t.status = 'PENDING'
      and not exists (
        select from webhook_deliveries before where before.platform_id = t.platform_id and before.lane = t.lane
          and before.status = 'PENDING' and before.position < t.position)`)
  const found = new Map(rows.map(([id, at]) => [id, time.decode(at as string)]))
  return deliveryIds.map((id) => found.get(id) ?? null)
}

/** The number of pending deliveries. For callers who may see the endpoint. */
export const countWaiting = async ({ platformId }: Caller): Promise<number> => {
  const [row] = await query(sql`
    select count(*) from webhook_deliveries where platform_id = ${platformId}::uuid and status = 'PENDING'`)
  return Number(row?.[0])
}

export const WebhookDeliveryFilterInput = z.object({
  status: labelOf(WEBHOOK_DELIVERY_STATUSES).nullish().describe('Deliveries with this status.'),
  statuses: anyOf(WEBHOOK_DELIVERY_STATUSES).describe(
    'Deliveries with any of these statuses. An empty list means no filter.',
  ),
  type: labelOf(EVENT_TYPES).nullish().describe('Deliveries of events of this type.'),
  types: anyOf(EVENT_TYPES).describe('Deliveries of events of any of these types. An empty list means no filter.'),
  subjectId: idOf(...SUBJECT_KINDS)
    .nullish()
    .describe('Deliveries of events of this object.'),
  ...creationRange,
})

/** The conditions that REST offers. */
export const DELIVERY_PARAMETERS = ['status', 'type', 'subjectId'] as const

export const deliveryList = recordList(WebhookDeliveryRecord, {
  name: 'webhook deliveries',
  filter: WebhookDeliveryFilterInput.refine(...inOrder('startDate', 'endDate')),
  matches: ({ status, statuses, type, types, subjectId, startDate, endDate }) => [
    ...isOneOf('status', 'webhook_delivery_status', bothOf(status, statuses)),
    ...isOneOf('type', 'event_type', bothOf(type, types)),
    ...refersTo('lane', subjectId),
    ...isWithin('created_at', startDate, endDate),
  ],
})
