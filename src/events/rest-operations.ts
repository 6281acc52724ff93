// `/webhooks/events`: the history of what webhooks tell.
import { answer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { EVENT_PARAMETERS, EventFilterInput } from './list.ts'
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
