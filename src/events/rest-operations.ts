// `/webhooks/events`: the history of what webhooks tell, and the stream of what is to come.
import { z } from 'zod'
import {
  answer,
  conditionQuery,
  failures,
  filterQuery,
  type Operations,
  pathId,
  streamAnswer,
} from '#rest/operation.ts'
import { EVENT_PARAMETERS, EventFilterInput, STREAM_PARAMETERS, StreamFilterInput } from './list.ts'
import { eventPageSchema, eventSchema } from './rest-schema.ts'
import { KEPT_DAYS } from './retention.ts'

const tags = ['Webhooks']

export const eventOperations: Operations = {
  '/webhooks/events': {
    get: {
      operationId: 'listEvents',
      summary: 'List events',
      description: `Returns what happened in the last ${KEPT_DAYS} days, in the order in which it came to be. The newest come first by default. To follow the stream, read with \`sortOrder=asc\` and go on from the \`cursor\` of the last event. It stays valid with other filters.`,
      tags,
      requestParams: { query: filterQuery(EventFilterInput, EVENT_PARAMETERS) },
      responses: { 200: answer('A page of events.', eventPageSchema), ...failures() },
    },
  },
  '/webhooks/events/stream': {
    get: {
      operationId: 'streamEvents',
      summary: 'Follow events',
      description:
        'Sends what happens, as it happens, as server-sent events: `event` is the type, `data` the body of the webhook, and `id` the cursor behind it. An event `cursor` comes first and whenever nothing else did for ten seconds, and has only the cursor. The stream may end at any time, at the latest after an hour. A client resumes with the last `id` as `cursor`, or in the header `Last-Event-ID` as `EventSource` does. An event `error` has the body of an error and is the last one.',
      tags,
      requestParams: {
        query: conditionQuery(StreamFilterInput, STREAM_PARAMETERS).extend({
          cursor: z
            .string()
            .optional()
            .describe(
              'Begin behind this cursor of an event, of a page or of the stream. By default the stream begins now.',
            ),
        }),
        header: z.object({
          'Last-Event-ID': z.string().optional().describe('The same. Ignored beside `cursor`.'),
        }),
      },
      responses: { 200: streamAnswer('The stream.'), ...failures() },
    },
  },
  '/webhooks/events/{id}': {
    get: {
      operationId: 'getEvent',
      summary: 'Read an event',
      tags,
      requestParams: { path: pathId('Webhook') },
      responses: { 200: answer('The event.', eventSchema), ...failures(404) },
    },
  },
}
