// `/webhooks/events`: past events and the stream of new ones.
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
      'x-graphql': ['Query.events'],
      summary: 'List events',
      description: `Returns the events of the last ${KEPT_DAYS} days in the order of the stream. The newest come first by default. To follow the stream, read with \`sortOrder=asc\` and continue from the \`cursor\` of the last event. The cursor stays valid with other filters.`,
      tags,
      requestParams: {
        query: filterQuery(EventFilterInput, EVENT_PARAMETERS).extend({
          cursor: z
            .string()
            .optional()
            .describe('`nextCursor` of a page, `cursor` of an event, or `id` of a message of the stream.'),
        }),
      },
      responses: { 200: answer('A page of events.', eventPageSchema), ...failures() },
    },
  },
  '/webhooks/events/stream': {
    get: {
      operationId: 'streamEvents',
      'x-graphql': ['Subscription.events'],
      summary: 'Follow events',
      description:
        'Sends new events as server-sent events: `event` is the type, `data` the body of the webhook, and `id` its cursor. An event `cursor` with nothing but the cursor comes first, and after every ten seconds without events. The stream may end at any time, after an hour at the latest. A client resumes with the last `id` as `cursor`, or in the header `Last-Event-ID` as `EventSource` does. An event `error` contains an error and ends the stream.',
      tags,
      requestParams: {
        query: conditionQuery(StreamFilterInput, STREAM_PARAMETERS).extend({
          cursor: z
            .string()
            .optional()
            .describe(
              'Begin after this cursor of an event, of a page or of the stream. By default the stream begins now.',
            ),
        }),
        header: z.object({
          'Last-Event-ID': z
            .string()
            .optional()
            .describe('Begin after this cursor instead of `cursor`. `EventSource` sends it when it reconnects.'),
        }),
      },
      responses: { 200: streamAnswer('The stream.'), ...failures() },
    },
  },
  '/webhooks/events/{id}': {
    get: {
      operationId: 'getEvent',
      'x-graphql': ['Query.node ... on Event'],
      summary: 'Get an event',
      tags,
      requestParams: { path: pathId('id', 'Webhook') },
      responses: { 200: answer('The event.', eventSchema), ...failures(404) },
    },
  },
}
