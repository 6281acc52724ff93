// `/webhooks` and `/sandbox/webhooks`: deliveries, and what platforms can do by hand.
import { answer, body, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { REDELIVERED_AT_ONCE, redeliveredTime, testRequest } from './by-hand.ts'
import { DELIVERY_PARAMETERS, WebhookDeliveryFilterInput } from './delivery.ts'
import {
  deliveryPageSchema,
  deliverySchema,
  redeliveredSchema,
  rotationSchema,
  testAnswerSchema,
} from './rest-schema.ts'
import { keyRotation, ROTATION_HOURS } from './rotation.ts'

const tags = ['Webhooks']

export const webhookOperations: Operations = {
  '/webhooks/deliveries': {
    get: {
      operationId: 'listWebhookDeliveries',
      'x-graphql': ['Query.webhookDeliveries'],
      summary: 'List deliveries',
      description: 'Returns the deliveries of events with their attempts. Deliveries are kept as long as their events.',
      tags,
      requestParams: { query: filterQuery(WebhookDeliveryFilterInput, DELIVERY_PARAMETERS) },
      responses: { 200: answer('A page of deliveries.', deliveryPageSchema), ...failures() },
    },
  },
  '/webhooks/events/{id}/redeliver': {
    post: {
      operationId: 'redeliverEvent',
      'x-graphql': ['Mutation.redeliverEvent'],
      summary: 'Send an event again',
      description:
        'Sends it at once, even if it was delivered, and waits up to 8 seconds for the answer. 400 `WEBHOOK_ENDPOINT_NOT_SET`.',
      tags,
      requestParams: { path: pathId('id', 'Webhook') },
      responses: { 200: answer('The delivery, with the new attempt.', deliverySchema), ...failures(404) },
    },
  },
  '/webhooks/events/{id}/skip': {
    post: {
      operationId: 'skipEvent',
      'x-graphql': ['Mutation.skipEvent'],
      summary: 'Skip an event',
      description:
        'The event will not be sent, so that later events of the same object can be sent. 409 if the delivery is not pending. 400 `WEBHOOK_ENDPOINT_NOT_SET`.',
      tags,
      requestParams: { path: pathId('id', 'Webhook') },
      responses: { 200: answer('The delivery.', deliverySchema), ...failures(404, 409) },
    },
  },
  '/webhooks/redeliver': {
    post: {
      operationId: 'redeliverEvents',
      'x-graphql': ['Mutation.redeliverEvents'],
      summary: 'Send the events of a time range again',
      description: `Sends failed and skipped events again, oldest first, at most ${REDELIVERED_AT_ONCE} per call. 400 \`WEBHOOK_ENDPOINT_NOT_SET\`.`,
      tags,
      requestBody: body(redeliveredTime.meta({ id: 'RedeliveryRequest', description: 'The time range.' }), {
        since: '2026-11-01T00:00:00Z',
      }),
      responses: { 200: answer('The number of deliveries that are pending again.', redeliveredSchema), ...failures() },
    },
  },
  '/webhooks/key/rotate': {
    post: {
      operationId: 'rotateWebhookKey',
      'x-graphql': ['Mutation.rotateWebhookKey'],
      summary: 'Rotate the signing key',
      description: `Creates the next signing key and secret. Webhooks carry both signatures for ${ROTATION_HOURS} hours, or until \`finish\`. 400 \`WEBHOOK_ENDPOINT_NOT_SET\`; 409 with the reason \`ROTATION_OPEN\` or \`NO_ROTATION\`.`,
      tags,
      requestBody: body(
        keyRotation.meta({ id: 'WebhookKeyRotationRequest', description: 'Whether to begin or to end a rotation.' }),
        { finish: false },
        false,
      ),
      responses: { 200: answer('The keys.', rotationSchema), ...failures(409) },
    },
  },
  '/sandbox/webhooks/test': {
    post: {
      operationId: 'sendTestWebhook',
      'x-graphql': ['Mutation.sendTestEvent'],
      summary: 'Test the endpoint',
      description:
        'Sends the event `TEST` and waits for the answer. 400 `WEBHOOK_ENDPOINT_NOT_SET`; 400 `WEBHOOK_DELIVERY_ERROR` without an answer.',
      tags,
      requestBody: body(
        testRequest.meta({ id: 'WebhookTestRequest', description: 'How long to wait.' }),
        { withinSeconds: 5 },
        false,
      ),
      responses: { 200: answer('What the endpoint answered.', testAnswerSchema), ...failures() },
    },
  },
}
