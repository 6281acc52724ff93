// Lists the events of a platform in the order of its stream.
import { z } from 'zod'
import { partsOfId } from '#core/ids.ts'
import { anyOf, bothOf, idOf, labelOf } from '#core/input.ts'
import { creationRange, inOrder } from '#core/time-filters.ts'
import { sql } from '#database/db.ts'
import { isAscending } from '#database/page.ts'
import { isOneOf, isWithin, type RecordList, recordList, refersTo, when } from '#database/record-list.ts'
import { EVENTS, positionBehind } from './cursor.ts'
import { type Event, EventRecord, SUBJECT_KINDS } from './event.ts'
import { EVENT_TYPES } from './event-types.ts'

export const EventFilterInput = z.object({
  type: labelOf(EVENT_TYPES).nullish().describe('Events of this type.'),
  types: anyOf(EVENT_TYPES).describe('Events of any of these types. An empty list means no filter.'),
  subjectId: idOf(...SUBJECT_KINDS)
    .nullish()
    .describe('Events of this object.'),
  customerId: idOf('Customer').nullish().describe('Events of the customer and of everything that belongs to it.'),
  agentId: idOf('Agent').nullish().describe('Events of the actions and payments of this agent.'),
  ...creationRange,
})
export type EventFilter = z.output<typeof EventFilterInput>

/** The conditions that REST offers. */
export const EVENT_PARAMETERS = ['type', 'subjectId', 'customerId', 'agentId', 'startDate', 'endDate'] as const

/** The range of ids with all events of these times, which the primary key finds. An event gets its id just before its time. Ids begin in 1970. */
const areFrom = (start: string | null | undefined, end: string | null | undefined) => [
  ...when(start, (at) => sql`t.id >= first_uuid_at(greatest(${at}::timestamptz - interval '1 second', 'epoch'))`),
  ...when(end, (at) => sql`t.id < first_uuid_at(greatest(${at}::timestamptz + interval '1 second', 'epoch'))`),
  ...isWithin('created_at', start, end),
]

const inStream = recordList(EventRecord, {
  name: EVENTS,
  filter: EventFilterInput.refine(...inOrder('startDate', 'endDate')),
  orderedBy: 'POSITION',
  matches: ({ type, types, subjectId, customerId, agentId, startDate, endDate }) => [
    ...isOneOf('type', 'event_type', bothOf(type, types)),
    ...when(subjectId, (id) => {
      const { kind, uuid } = partsOfId(id)
      return sql`t.object_kind = ${kind} and t.object_id = ${uuid}::uuid`
    }),
    ...refersTo('customer_id', customerId),
    ...refersTo('agent_id', agentId),
    ...areFrom(startDate, endDate),
  ],
})

/** The conditions of a stream, which has no end. */
export const StreamFilterInput = EventFilterInput.omit({ startDate: true, endDate: true })
export type StreamFilter = z.output<typeof StreamFilterInput>
export const STREAM_PARAMETERS = ['type', 'subjectId', 'customerId', 'agentId'] as const

/** The same conditions as those of `eventList`, on an event that has been read. */
export const isMatch = ({ type, types, subjectId, customerId, agentId }: StreamFilter, event: Event): boolean => {
  const labels = bothOf(type, types)
  const subject = subjectId ? partsOfId(subjectId) : undefined
  return (
    (!labels || labels.includes(event.type)) &&
    (!subject || (event.objectKind === subject.kind && event.objectId === subject.uuid)) &&
    (!customerId || event.customerId === partsOfId(customerId).uuid) &&
    (!agentId || event.agentId === partsOfId(agentId).uuid)
  )
}

/** Throws `CURSOR_EXPIRED` if a client follows the stream from a cursor and events after it have been deleted. */
export const eventList: RecordList<Event, EventFilter> = {
  ...inStream,
  page: async (caller, filter, window, as) => {
    const page = await inStream.page(caller, filter, window, as)
    // After the page, so that a deletion in between is noticed.
    if (window.cursor && isAscending(window)) await positionBehind(caller, window.cursor)
    return page
  },
}
