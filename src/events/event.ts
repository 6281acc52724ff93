// Events record state changes, in the order of each platform's stream.
import type { AgentCaller, Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { type Kind, publicId } from '#core/ids.ts'
import { sql } from '#database/db.ts'
import { amount, findById, nullable, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { EVENT_TYPES } from './event-types.ts'

/** The kinds of objects that have events. */
export const SUBJECT_KINDS = [
  'Transaction',
  'CardTransaction',
  'Card',
  'AgentAction',
  'Customer',
  'InternalAccount',
  'Verification',
  'BulkJob',
  'Invitation',
] as const satisfies readonly Kind[]
export type SubjectKind = (typeof SUBJECT_KINDS)[number]

const ofItsPayments = ({ customerId, agentId }: AgentCaller) => sql`
  (t.object_kind in ('Transaction', 'CardTransaction') and t.customer_id = ${customerId}::uuid
    or t.object_kind = 'AgentAction' and t.agent_id = ${agentId}::uuid)`

/** An agent sees the events of its customer's transactions and of its own actions. */
export const EventRecord = record(
  'numbered_events',
  {
    id: text.describe(
      '`Webhook:<uuid>`: the ID of the webhook that reports the event. Receivers use it to skip repeats.',
    ),
    position: amount,
    type: oneOf(EVENT_TYPES).describe('The kind of change.'),
    objectKind: nullable(oneOf(SUBJECT_KINDS)),
    objectId: nullable(text).describe('ID of the changed object. Null for a test.'),
    /** The customer that the object belongs to. With `agentId`, it decides which events an agent sees. */
    customerId: nullable(text),
    agentId: nullable(text),
    createdAt: time.describe('When the change was made.'),
  },
  { agentSees: ofItsPayments, agentNeeds: 'VIEW_TRANSACTIONS' },
)
export type Event = RecordOf<typeof EventRecord>

/** The same condition as `EventRecord.visibleTo`, for an event of the caller's platform that has been read. */
export const isVisibleTo = (caller: Caller, { objectKind, customerId, agentId }: Event): boolean => {
  if (caller.scheme === 'PLATFORM') return true
  const isPayment = objectKind === 'Transaction' || objectKind === 'CardTransaction'
  return (isPayment && customerId === caller.customerId) || (objectKind === 'AgentAction' && agentId === caller.agentId)
}

/** Fields of an event that are not its columns. */
export const EVENT_TEXTS = {
  data: 'The whole resource right after the change, as REST returns it. Empty for a test.',
  cursor: 'The position in the stream. Reading continues after it, with any filter.',
} as const

/** 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readEvent = (caller: Caller, id: string): Promise<Event> =>
  findById(caller, EventRecord, 'Webhook', id, () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such event'))

/** The public id of the changed object. Null for a test. */
export const subjectId = ({ objectKind, objectId }: Event) =>
  objectKind === null || objectId === null ? null : publicId(objectKind, objectId)
