// `/webhooks/events`: past events and the stream of new ones.
import { type SSEMessage, streamSSE } from 'hono/streaming'
import type { Caller } from '#core/caller.ts'
import { parse } from '#core/input.ts'
import { retryMs, STREAM_HEADERS } from '#http/event-stream.ts'
import { inTurn } from '#http/message-turns.ts'
import { failureOf } from '#rest/failure.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { conditionsOf, queryOf } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { eventCursor } from './cursor.ts'
import { envelopesOf } from './data.ts'
import { type Event, readEvent } from './event.ts'
import { EVENT_PARAMETERS, eventList, STREAM_PARAMETERS, StreamFilterInput } from './list.ts'
import type { eventSchema } from './rest-schema.ts'
import { type EventBatch, followEvents } from './streams/follow.ts'

export const eventRoutes = router()

eventRoutes.get('/', async (context) => {
  const { caller } = context.var
  const found = await pageOfList(caller, context.req.url, eventList, EVENT_PARAMETERS)
  return sendPage(context, found, await eventBodies(caller, found.page.items))
})

/** Reads the data of a batch at once. */
const MOST = 100

eventRoutes.get('/stream', async (context) => {
  const { caller } = context.var
  const query = queryOf(context.req.url, [...STREAM_PARAMETERS, 'cursor'])
  const filter = parse(StreamFilterInput, conditionsOf(query, STREAM_PARAMETERS), '')
  const text = context.req.header('last-event-id') || (query['cursor'] ?? null)
  const after = text === null ? null : { text, field: 'cursor' }
  // Nothing reads the body of an answer to HEAD, so its stream ends at once.
  const signal = context.req.method === 'HEAD' ? AbortSignal.abort() : context.req.raw.signal
  const batches = await followEvents(caller, { filter, most: MOST, after, signal })
  const response = streamSSE(context, async (stream) => {
    const send = (message: SSEMessage) => stream.writeSSE(message)
    let first: Partial<SSEMessage> = { retry: retryMs() }
    try {
      for await (const batch of batches) {
        for (const message of await messagesOf(caller, batch)) {
          await send({ ...message, ...first })
          first = {}
        }
        if (stream.aborted) return
      }
    } catch (error) {
      await send({ event: 'error', data: JSON.stringify(failureOf(error, context.env.requestContext).toBody()) })
    }
  })
  for (const [name, value] of Object.entries(STREAM_HEADERS)) response.headers.set(name, value)
  // The server decides whether to keep the connection.
  response.headers.delete('connection')
  return response
})

/** An empty batch becomes an event `cursor` without data. */
const messagesOf = async (caller: Caller, { events, cursor }: EventBatch): Promise<SSEMessage[]> => {
  if (events.length === 0) return [{ event: 'cursor', id: cursor, data: JSON.stringify({ cursor }) }]
  const envelopes = await inTurn(caller.platformId, () => envelopesOf(caller, events))
  return envelopes.map((envelope, index) => ({
    event: envelope.type,
    id: eventCursor(caller, (events[index] as Event).position),
    data: JSON.stringify(envelope),
  }))
}

eventRoutes.get('/:id', async (context) => {
  const { caller } = context.var
  const [body] = await eventBodies(caller, [await readEvent(caller, context.req.param('id'))])
  return context.json(body)
})

const eventBodies = async (caller: Caller, events: readonly Event[]): Promise<BodyOf<typeof eventSchema>[]> => {
  const envelopes = await envelopesOf(caller, events)
  return envelopes.map((envelope, index) => ({
    ...envelope,
    cursor: eventCursor(caller, (events[index] as Event).position),
  }))
}
