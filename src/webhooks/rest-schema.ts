import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { CALL_FAILURES } from '#http/outgoing/call.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import {
  DELIVERY_TEXTS,
  WEBHOOK_DELIVERY_STATUSES,
  WEBHOOK_TRIGGERS,
  WebhookAttemptRecord,
  WebhookDeliveryRecord,
} from './delivery.ts'
import { ENDPOINT_TEXTS, WebhookEndpointRecord } from './endpoint.ts'

const { texts } = WebhookEndpointRecord
const deliveryTexts = WebhookDeliveryRecord.texts
const attemptTexts = WebhookAttemptRecord.texts

export const rotationSchema = z
  .object({
    signingPublicKey: z.string().describe(texts.publicKey),
    nextSigningPublicKey: z.string().optional().describe(texts.nextPublicKey),
    nextKeyAt: timeSchema(texts.nextKeyAt).optional(),
    secret: z.string().optional().describe(ENDPOINT_TEXTS.secret),
  })
  .meta({ id: 'WebhookKeys', description: 'The keys that sign webhooks.' })

const attemptSchema = z
  .object({
    at: timeSchema(attemptTexts.at),
    milliseconds: z.int().min(0).describe(attemptTexts.milliseconds),
    trigger: z.enum(WEBHOOK_TRIGGERS).describe(attemptTexts.trigger),
    responseStatus: z.int().optional().describe(attemptTexts.responseStatus),
    responseBody: z.string().optional().describe(attemptTexts.responseBody),
    failure: z.enum(CALL_FAILURES).optional().describe(attemptTexts.failure),
  })
  .meta({ id: 'WebhookAttempt', description: 'A request to the endpoint.' })

export const deliverySchema = z
  .object({
    id: idOf('WebhookDelivery').describe(deliveryTexts.id),
    eventId: idOf('Webhook').describe(deliveryTexts.eventId),
    type: z.enum(EVENT_TYPES).describe(deliveryTexts.type),
    status: z.enum(WEBHOOK_DELIVERY_STATUSES).describe(deliveryTexts.status),
    attempts: z.array(attemptSchema).describe(DELIVERY_TEXTS.attempts),
    nextAttemptAt: timeSchema(DELIVERY_TEXTS.nextAttemptAt).optional(),
    createdAt: timeSchema(deliveryTexts.createdAt),
    doneAt: timeSchema(deliveryTexts.doneAt).optional(),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of an event to the endpoint.' })

export const deliveryPageSchema = pageSchema('WebhookDeliveryPage', deliverySchema)

export const redeliveredSchema = z
  .object({ count: z.int().min(0).describe(ENDPOINT_TEXTS.count) })
  .meta({ id: 'RedeliveredEvents', description: 'The events that will be sent again.' })

export const testAnswerSchema = z
  .object({
    url: z.string().describe(texts.url),
    response_status: z.int().describe('HTTP status of the answer.'),
    response_body: z.string().describe('The first 1,024 characters of the answer.'),
  })
  .meta({ id: 'WebhookTestAnswer', description: 'The answer of the endpoint.' })
