import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import { EVENT_TEXTS, EventRecord } from './event.ts'
import { EVENT_TYPES } from './event-types.ts'

const { texts } = EventRecord

export const eventSchema = z
  .object({
    id: idOf('Webhook').describe(texts.id),
    type: z.enum(EVENT_TYPES).describe(texts.type),
    timestamp: timeSchema(texts.createdAt),
    data: z.looseObject({}).describe(EVENT_TEXTS.data),
    cursor: z.string().describe(EVENT_TEXTS.cursor),
  })
  .meta({ id: 'Event', description: 'An event as the webhook sends it, with its cursor.' })

export const eventPageSchema = pageSchema('EventPage', eventSchema)
