// How events are sent: deliveries with their attempts, and what platforms do by hand.
import { EventRecord } from '#events/event.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { EventNode } from '#events/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { batchOf, rowOf } from '#graphql/compiled/parts.ts'
import { enumOf, enumWithLabels } from '#graphql/enums.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { costing, withCost } from '#graphql/limits/field-cost.ts'
import { listField, listType } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { addMutation, type Success } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { CALL_FAILURES } from '#http/outgoing/call.ts'
import {
  REDELIVERED_AT_ONCE,
  redeliverEvent,
  redeliverEvents,
  redeliveredTime,
  sendTestEvent,
  skipEvent,
  testRequest,
} from './by-hand.ts'
import {
  attemptsOf,
  countWaiting,
  DELIVERY_TEXTS,
  deliveriesOfEvents,
  deliveryList,
  nextAttemptsOf,
  SHOWN_ATTEMPTS,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_TRIGGERS,
  type WebhookAttempt,
  WebhookAttemptRecord,
  type WebhookDelivery,
  WebhookDeliveryFilterInput,
  WebhookDeliveryRecord,
} from './delivery.ts'
import { ENDPOINT_TEXTS } from './endpoint.ts'
import { endpointField, WebhookEndpointType } from './graphql.ts'

const DeliveryStatusEnum = enumOf('WebhookDeliveryStatus', 'State of a delivery.', WEBHOOK_DELIVERY_STATUSES, {
  PENDING: 'It is waiting, or being sent.',
  DELIVERED: 'The endpoint answered 2xx, or 409 for an event that it had already received.',
  FAILED: 'Every attempt failed, and no more will be made.',
  SKIPPED: 'The platform skipped it, or removed the endpoint.',
})

const TriggerEnum = enumOf('WebhookTrigger', 'Why a request was sent.', WEBHOOK_TRIGGERS, {
  SCHEDULE: 'The attempt was scheduled.',
  REDELIVERY: 'The platform requested another attempt.',
  TEST: 'The platform tested its endpoint.',
})

const FailureEnum = enumOf('WebhookFailure', 'Why an attempt failed.', CALL_FAILURES, {
  TIMEOUT: 'There was no connection within 5 seconds, or no answer within 30.',
  CONNECTION: 'The connection was refused or broken.',
  TLS: 'No secure connection was possible, for example because of the certificate.',
  DNS: 'The host name could not be looked up.',
  ADDRESS_REFUSED: 'The host name resolves to an address outside the public internet.',
  REDIRECT: 'The answer was a redirect, which is not followed.',
  STATUS: 'The answer had a status other than 2xx or 409.',
  TOO_LARGE: 'The answer was longer than 64 KiB.',
})

const attemptTexts = WebhookAttemptRecord.texts

const WebhookAttemptType = builder.objectRef<WebhookAttempt>('WebhookAttempt').implement({
  description: 'A request to the endpoint.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', nullable: false, description: attemptTexts.at }),
    milliseconds: t.exposeInt('milliseconds', { nullable: false, description: attemptTexts.milliseconds }),
    trigger: t.expose('trigger', { type: TriggerEnum, nullable: false, description: attemptTexts.trigger }),
    responseStatus: t.exposeInt('responseStatus', { description: attemptTexts.responseStatus }),
    responseBody: t.exposeString('responseBody', { description: attemptTexts.responseBody }),
    failure: t.expose('failure', { type: FailureEnum, description: attemptTexts.failure }),
  }),
})

const { texts } = WebhookDeliveryRecord

const WebhookDeliveryNode = builder.objectRef<WebhookDelivery>('WebhookDelivery').implement({
  description: 'The delivery of an event to the endpoint.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('WebhookDelivery', 'id') }),
    eventId: t.id({
      nullable: false,
      description: texts.eventId,
      ...idOf('Webhook', 'eventId'),
    }),
    event: t.field({
      type: EventNode,
      description: 'The event that is sent.',
      ...rowOf(EventRecord, 'eventId'),
    }),
    eventType: t.expose('type', { type: enumWithLabels(EVENT_TYPES), nullable: false, description: texts.type }),
    deliveryStatus: t.expose('status', { type: DeliveryStatusEnum, nullable: false, description: texts.status }),
    attempts: t.field({
      type: [WebhookAttemptType],
      description: DELIVERY_TEXTS.attempts,
      ...withCost({ rows: 1, items: () => SHOWN_ATTEMPTS }, batchOf(attemptsOf, 'id')),
    }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      description: DELIVERY_TEXTS.nextAttemptAt,
      ...withCost({ rows: 1 }, batchOf(nextAttemptsOf, 'id')),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    doneAt: t.expose('doneAt', { type: 'DateTime', description: texts.doneAt }),
  }),
})

registerRecord(WebhookDeliveryRecord, 'WebhookDelivery')

builder.objectField(EventNode, 'delivery', (t) =>
  t.field({
    type: WebhookDeliveryNode,
    description: 'Delivery of the event to the endpoint. Null if the event is not sent there. Platforms only.',
    resolve: ({ id }, _args, context) => load(context, deliveriesOfEvents, id),
  }),
)

builder.objectField(WebhookEndpointType, 'waiting', (t) =>
  t.int({
    description: ENDPOINT_TEXTS.waiting,
    extensions: costing({ rows: 1 }),
    resolve: (_endpoint, _args, { caller }) => countWaiting(caller),
  }),
)

const deliveries = listType(
  'WebhookDelivery',
  WebhookDeliveryNode,
  'deliveries',
  deliveryList,
  WebhookDeliveryFilterInput.omit({ status: true, type: true }),
)

builder.queryField('webhookDeliveries', (t) =>
  listField(t, deliveries, 'The deliveries of events to the endpoint. They are kept as long as their events.'),
)

addMutation('sendTestEvent', {
  description:
    'Sends the event `TEST` to the endpoint and waits for the answer. Errors: `WEBHOOK_ENDPOINT_NOT_SET`, `WEBHOOK_DELIVERY_ERROR` without an answer. REST: `POST /sandbox/webhooks/test`.',
  input: schemaInput(testRequest),
  statuses: [400, 403],
  resolve: async (input, { caller }) => sendTestEvent(caller, input),
  success: {
    description: 'The endpoint answered.',
    fields: (t) => ({
      event: t.expose('event', { type: EventNode, nullable: false, description: 'The event that was sent.' }),
      attempt: t.expose('attempt', {
        type: WebhookAttemptType,
        nullable: false,
        description: 'The attempt, with the answer.',
      }),
    }),
  },
})

interface Changed {
  readonly delivery: WebhookDelivery
}

const successOf = (description: string, delivery: string): Success<Changed> => ({
  description,
  fields: (t) => ({
    delivery: t.expose('delivery', { type: WebhookDeliveryNode, nullable: false, description: delivery }),
    endpoint: endpointField(t),
  }),
})

const eventInput = fieldsInput((t) => ({ eventId: t.id({ required: true, description: texts.eventId }) }))

addMutation('redeliverEvent', {
  description:
    'Sends an event again at once, even if it was delivered, and waits up to 8 seconds for the answer. Errors: `WEBHOOK_ENDPOINT_NOT_SET`, `REFERENCE_NOT_FOUND`.',
  input: eventInput,
  statuses: [400, 403, 404],
  resolve: async ({ eventId }, { caller }) => ({ delivery: await redeliverEvent(caller, eventId) }),
  success: successOf('The event was sent again.', 'The delivery, with the new attempt.'),
})

addMutation('skipEvent', {
  description:
    'Skips a pending delivery, so that later events of the same object can be sent. Errors: `WEBHOOK_ENDPOINT_NOT_SET`, `REFERENCE_NOT_FOUND`, `CONFLICT`.',
  input: eventInput,
  statuses: [400, 403, 404, 409],
  resolve: async ({ eventId }, { caller }) => ({ delivery: await skipEvent(caller, eventId) }),
  success: successOf('The event will not be sent.', 'The skipped delivery.'),
})

addMutation('redeliverEvents', {
  description: `Sends the failed and skipped events of a time range again, oldest first, at most ${REDELIVERED_AT_ONCE} per call. Errors: \`INVALID_INPUT\`, \`WEBHOOK_ENDPOINT_NOT_SET\`.`,
  input: schemaInput(redeliveredTime),
  statuses: [400, 403],
  resolve: async (input, { caller }) => ({ count: await redeliverEvents(caller, input) }),
  success: {
    description: 'The events wait to be sent again.',
    fields: (t) => ({
      count: t.exposeInt('count', { nullable: false, description: ENDPOINT_TEXTS.count }),
      endpoint: endpointField(t),
    }),
  },
})
