// Subscriptions to the event stream of the platform.
import { AgentActionNode } from '#agents/actions/graphql.ts'
import { invalidInput } from '#core/errors.ts'
import { idOf, parse } from '#core/input.ts'
import { MAX_PAGE_SIZE } from '#database/page.ts'
import { builder, type Context } from '#graphql/builder.ts'
import { inputOf } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { type Message, startOf } from '#graphql/subscriptions.ts'
import { ApiLimitsType } from '#platforms/graphql.ts'
import { TransactionUnion } from '#transactions/graphql.ts'
import type { Event } from './event.ts'
import { EVENT_TYPES } from './event-types.ts'
import { actionOf, EventNode, transactionOf } from './graphql.ts'
import { type StreamFilter, StreamFilterInput } from './list.ts'
import { type EventBatch, followEvents } from './streams/follow.ts'
import { STREAM_LIMITS } from './streams/open-streams.ts'

const DEFAULT_MOST = 50

const CURSOR = 'Pass it as `after` to resume after this message.'
const AFTER =
  'Begin after this cursor of a message, of an event, or of a page of the query `events`. The header `Last-Event-ID` takes precedence. Without either, the stream begins with the next event.'
const START =
  'The first message comes at once and has only its cursor. Another such message follows whenever nothing has happened for ten seconds.'
const ERRORS =
  'Errors: `INVALID_INPUT` with the reason `CURSOR_EXPIRED` if events after the cursor have been deleted, `RATE_LIMITED` beyond a limit of streams, `UNAUTHORIZED` when the credentials are revoked.'

const StreamFilterType = inputOf(
  'EventStreamFilter',
  'All given conditions must hold. An unknown id matches nothing.',
  StreamFilterInput.omit({ type: true }),
)

type BatchMessage = EventBatch & Message

interface Wanted {
  readonly after?: string | null | undefined
  readonly most: number
  readonly filter: StreamFilter
}

const follow = async (context: Context, { after, most, filter }: Wanted): Promise<AsyncIterable<BatchMessage>> => {
  const { signal } = context.request
  const batches = await followEvents(context.caller, { filter, most, after: startOf(after, context), signal })
  return messages(batches, most)
}

async function* messages(batches: AsyncIterable<EventBatch>, most: number): AsyncGenerator<BatchMessage, void> {
  for await (const batch of batches) yield { ...batch, fullness: batch.events.length / most }
}

/** The event of a message that contains at most one. */
const eventOf = ({ events: [event] }: EventBatch): Event | null => event ?? null

/** The object that the event of such a message happened to. */
const subjectOf =
  <T>(find: (event: Event, args: object, context: Context) => T) =>
  (batch: EventBatch, args: object, context: Context): T | null => {
    const event = eventOf(batch)
    return event && find(event, args, context)
  }

const EventBatchType = builder.objectRef<BatchMessage>('EventBatch').implement({
  description: 'Consecutive events, in the order of the stream.',
  fields: (t) => ({
    events: t.expose('events', {
      type: [EventNode],
      nullable: { list: false, items: false },
      description: 'Oldest first. Empty in messages that only advance the cursor.',
      extensions: costing({ rows: 1, items: 'PAGE' }),
    }),
    cursor: t.exposeString('cursor', { nullable: false, description: CURSOR }),
  }),
})

const TransactionChangeType = builder.objectRef<BatchMessage>('TransactionChange').implement({
  description:
    'A state change of a transaction. All fields except the cursor are null in messages that only advance the cursor.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { nullable: false, description: CURSOR }),
    event: t.field({ type: EventNode, description: 'What happened.', resolve: eventOf }),
    transaction: t.field({
      type: TransactionUnion,
      description: 'The transaction as it is now.',
      resolve: subjectOf(transactionOf),
    }),
  }),
})

const AgentApprovalRequestType = builder.objectRef<BatchMessage>('AgentApprovalRequest').implement({
  description:
    'An action that waits for the approval of the platform. All fields except the cursor are null in messages that only advance the cursor.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', { nullable: false, description: CURSOR }),
    event: t.field({ type: EventNode, description: 'What happened.', resolve: eventOf }),
    action: t.field({
      type: AgentActionNode,
      description: 'The action as it is now.',
      resolve: subjectOf(actionOf),
    }),
  }),
})

const filterOf = (given: object | null | undefined): StreamFilter => parse(StreamFilterInput, given ?? {}, 'filter')

const TRANSACTION_TYPES = EVENT_TYPES.filter((type) =>
  /^(OUTGOING_PAYMENT|INCOMING_PAYMENT|CARD_TRANSACTION)\./.test(type),
)

/** Only events of transactions, of this one if an id is given. 400 `INVALID_INPUT` if the filter names another one. */
const ofTransactions = (filter: StreamFilter, id: string | null | undefined): StreamFilter => {
  const types = TRANSACTION_TYPES.filter((type) => filter.types?.includes(type) ?? true)
  if (types.length === 0) throw invalidInput('filter.types', 'filter.types must have a type of a transaction')
  if (!id) return { ...filter, types }
  const subjectId = parse(idOf('Transaction', 'CardTransaction'), id, 'id')
  if ((filter.subjectId ?? subjectId) !== subjectId) {
    throw invalidInput('filter.subjectId', 'filter.subjectId must be the same as id')
  }
  return { ...filter, types, subjectId }
}

builder.subscriptionFields((t) => ({
  events: t.field({
    type: EventBatchType,
    nullable: false,
    description: `New events, in batches of at most \`most\`. ${START} ${ERRORS}`,
    extensions: costing({ page: ({ most }) => sizeOf(most) }),
    args: {
      after: t.arg.string({ description: AFTER }),
      filter: t.arg({
        type: StreamFilterType,
        description: 'Selects the events. It may change when the client resumes.',
      }),
      most: t.arg.int({
        required: true,
        defaultValue: DEFAULT_MOST,
        description: `Maximum number of events in a message, 1 to ${MAX_PAGE_SIZE}.`,
      }),
    },
    subscribe: (_root, { after, filter, most }, context) => follow(context, { after, most, filter: filterOf(filter) }),
    resolve: (batch: BatchMessage) => batch,
  }),
  transactionChanged: t.field({
    type: TransactionChangeType,
    nullable: false,
    description: `State changes of transactions, one per message. ${START} ${ERRORS}`,
    args: {
      after: t.arg.string({ description: AFTER }),
      id: t.arg.id({ description: 'Only this transaction. An unknown id matches nothing.' }),
      filter: t.arg({ type: StreamFilterType, description: 'Selects the state changes.' }),
    },
    subscribe: (_root, { after, id, filter }, context) =>
      follow(context, { after, most: 1, filter: ofTransactions(filterOf(filter), id) }),
    resolve: (batch: BatchMessage) => batch,
  }),
  agentApprovalRequested: t.field({
    type: AgentApprovalRequestType,
    nullable: false,
    description: `Agent actions that need the platform's approval, one per message. An agent only receives its own actions. ${START} ${ERRORS}`,
    args: {
      after: t.arg.string({ description: AFTER }),
      agentId: t.arg.id({ description: 'Only actions of this agent. An unknown id matches nothing.' }),
      customerId: t.arg.id({ description: 'Only actions for this customer. An unknown id matches nothing.' }),
    },
    subscribe: (_root, { after, agentId, customerId }, context) =>
      follow(context, {
        after,
        most: 1,
        filter: {
          types: ['AGENT_ACTION.PENDING_APPROVAL'],
          agentId: agentId ? parse(idOf('Agent'), agentId, 'agentId') : null,
          customerId: customerId ? parse(idOf('Customer'), customerId, 'customerId') : null,
        },
      }),
    resolve: (batch: BatchMessage) => batch,
  }),
}))

/** Zero for an invalid size, which is refused before anything is read. */
const sizeOf = (most: unknown = DEFAULT_MOST) =>
  typeof most === 'number' && most >= 1 && most <= MAX_PAGE_SIZE ? most : 0

builder.objectFields(ApiLimitsType, (t) => ({
  streamsPerToken: t.int({
    nullable: false,
    description: 'Maximum number of open subscriptions and event streams per API token or agent in one process.',
    resolve: () => STREAM_LIMITS.streamsPerToken,
  }),
  streamsPerPlatform: t.int({
    nullable: false,
    description: 'Maximum number of open subscriptions and event streams per platform in one process.',
    resolve: () => STREAM_LIMITS.streamsPerPlatform,
  }),
  streamsPerProcess: t.int({
    nullable: false,
    description: 'Maximum number of open subscriptions and event streams in one process.',
    resolve: () => STREAM_LIMITS.streamsPerProcess,
  }),
}))
