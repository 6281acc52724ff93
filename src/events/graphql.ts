import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { AgentActionRecord } from '#agents/actions/action.ts'
import { AgentActionNode } from '#agents/actions/graphql.ts'
import { CardRecord } from '#cards/card.ts'
import { CardNode } from '#cards/graphql.ts'
import type { Caller } from '#core/caller.ts'
import { BulkJobNode } from '#customers/bulk/graphql.ts'
import { BulkJobRecord } from '#customers/bulk/job.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, type Context, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { enumOf } from '#graphql/enums.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { listField, listType } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { InvitationNode } from '#invitations/graphql.ts'
import { InvitationRecord } from '#invitations/invitation.ts'
import { TransactionUnion } from '#transactions/graphql.ts'
import { cardTransactionsByIds, paymentTransactionsByIds } from '#transactions/transaction.ts'
import { VerificationNode } from '#verification/graphql.ts'
import { VerificationRecord } from '#verification/verification.ts'
import { eventCursor } from './cursor.ts'
import { DATA_OF, MOST_ROWS } from './data.ts'
import { EVENT_TEXTS, type Event, EventRecord, type SubjectKind, subjectId } from './event.ts'
import { EVENT_TYPE_TEXTS, EVENT_TYPES } from './event-types.ts'
import { EventFilterInput, eventList } from './list.ts'
import { KEPT_DAYS } from './retention.ts'

const EventTypeEnum = enumOf(
  'EventType',
  'The kind of change. Webhooks and REST write a dot between the group and the event: `OUTGOING_PAYMENT.FAILED`.',
  EVENT_TYPES,
  EVENT_TYPE_TEXTS,
)

/** The current subject, if it is of this kind. */
const subject =
  <T>(kind: SubjectKind, byIds: (caller: Caller, ids: readonly string[]) => Promise<readonly (T | Error)[]>) =>
  ({ objectKind, objectId }: Event, _args: object, context: Context) =>
    objectKind === kind && objectId !== null ? load(context, byIds, objectId) : null

const paymentOf = subject('Transaction', paymentTransactionsByIds)
const cardUseOf = subject('CardTransaction', cardTransactionsByIds)

/** The options of a field with the changed object, or null if another one changed. */
const changed = <R>(what: string, resolve: R) => ({
  description: `The changed ${what}, in its current state. Null if another object changed.`,
  resolve,
})

/** The changed transaction, in its current state. */
export const transactionOf = (event: Event, args: object, context: Context) =>
  paymentOf(event, args, context) ?? cardUseOf(event, args, context)
/** The changed action, in its current state. */
export const actionOf = subject('AgentAction', AgentActionRecord.byIds)

export const EventNode = builder.objectRef<Event>('Event').implement({
  description: 'A recorded state change. Events never change.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: EventRecord.texts.id, ...idOf('Webhook', 'id') }),
    eventType: t.expose('type', { type: EventTypeEnum, nullable: false, description: EventRecord.texts.type }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: EventRecord.texts.createdAt,
    }),
    cursor: t.string({
      nullable: false,
      description: EVENT_TEXTS.cursor,
      resolve: ({ position }, _args, { caller }) => eventCursor(caller, position),
    }),
    subjectId: t.id({ description: EventRecord.texts.objectId, resolve: subjectId }),
    data: t.field({
      type: 'JSON',
      description: `${EVENT_TEXTS.data} \`WebhookEvent\` in the REST contract describes it by type.`,
      extensions: costing({ rows: MOST_ROWS }),
      resolve: ({ id, objectKind }, _args, context) =>
        objectKind === null ? {} : load<object>(context, DATA_OF[objectKind], id),
    }),
    transaction: t.field({ type: TransactionUnion, ...changed('transaction', transactionOf) }),
    card: t.field({ type: CardNode, ...changed('card', subject('Card', CardRecord.byIds)) }),
    agentAction: t.field({ type: AgentActionNode, ...changed('action', actionOf) }),
    customer: t.field({ type: CustomerNode, ...changed('customer', subject('Customer', CustomerRecord.byIds)) }),
    internalAccount: t.field({
      type: InternalAccountNode,
      ...changed('account', subject('InternalAccount', InternalAccountRecord.byIds)),
    }),
    verification: t.field({
      type: VerificationNode,
      ...changed('verification', subject('Verification', VerificationRecord.byIds)),
    }),
    bulkJob: t.field({ type: BulkJobNode, ...changed('import', subject('BulkJob', BulkJobRecord.byIds)) }),
    invitation: t.field({
      type: InvitationNode,
      ...changed('invitation', subject('Invitation', InvitationRecord.byIds)),
    }),
  }),
})

registerRecord(EventRecord, 'Webhook', 'Event')

const events = listType('Event', EventNode, 'events', eventList, EventFilterInput.omit({ type: true }))

builder.queryField('events', (t) =>
  listField(
    t,
    events,
    `State changes in the order of the stream. Events are kept for ${KEPT_DAYS} days. A cursor stays valid with other filters and sort orders. Error: \`INVALID_INPUT\` with the reason \`CURSOR_EXPIRED\` if events after the cursor have been deleted; \`oldestCursor\` is the current beginning of the stream.`,
  ),
)
