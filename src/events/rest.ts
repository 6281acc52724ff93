// `/webhooks/events`: the history of what webhooks tell.
import type { Caller } from '#core/caller.ts'
import { pageBody, pageOfList } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { eventCursor } from './cursor.ts'
import { envelopesOf } from './data.ts'
import { type Event, readEvent } from './event.ts'
import { EVENT_PARAMETERS, eventList } from './list.ts'
import type { eventSchema } from './rest-schema.ts'

export const eventRoutes = router()

eventRoutes.get('/', async (context) => {
  const { caller } = context.var
  const found = await pageOfList(caller, context.req.url, eventList, EVENT_PARAMETERS)
  return context.json(pageBody(found, await eventBodies(caller, found.page.items)))
})

eventRoutes.get('/:id', async (context) => {
  const { caller } = context.var
  const [body] = await eventBodies(caller, [await readEvent(caller, context.req.param('id'))])
  return context.json(body)
})

const eventBodies = async (caller: Caller, events: readonly Event[]): Promise<BodyOf<typeof eventSchema>[]> => {
  const envelopes = await envelopesOf(caller, events)
  return envelopes.map((envelope, index) => ({
    ...envelope,
    data: { ...envelope.data },
    cursor: eventCursor(caller, (events[index] as Event).position),
  }))
}
