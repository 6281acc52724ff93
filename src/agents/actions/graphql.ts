// Agent actions, and the queue of those that wait for approval.

import { agentsByIds } from '#agents/agent.ts'
import { AgentNode } from '#agents/graphql.ts'
import { publicId } from '#core/ids.ts'
import { customersByIds } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { connectionType } from '#graphql/connection.ts'
import { CREATED_FROM, CREATED_UNTIL } from '#graphql/dates.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { linkedListField, listField } from '#graphql/list-field.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { registerNode } from '#graphql/node-types.ts'
import { QuoteNode } from '#quotes/graphql.ts'
import { quotesByIds } from '#quotes/quote.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import {
  type ActionFailure,
  AGENT_ACTION_STATUSES,
  AGENT_ACTION_TYPES,
  type AgentAction,
  AgentActionRecord,
  agentActionsByIds,
  failureOf,
} from './action.ts'
import { paymentsOfActions, platformCustomerIdsOf } from './action-parts.ts'
import { TransferDetailsType, transferOf } from './graphql-transfer-details.ts'
import { actionList, approvalList } from './list.ts'

const AgentActionStatusEnum = enumOf('AgentActionStatus', 'Outcome of an agent action.', AGENT_ACTION_STATUSES, {
  PENDING_APPROVAL: 'Waiting for the platform.',
  APPROVED: 'Approved and being executed.',
  REJECTED: 'Refused by the platform; nothing moved.',
  FAILED: 'Could not be carried out; `failure` says why. Nothing moved.',
})

const AgentActionTypeEnum = enumOf('AgentActionType', 'What an agent wants to do.', AGENT_ACTION_TYPES, {
  EXECUTE_QUOTE: 'Execute a quote.',
  TRANSFER_OUT: 'Transfer to an external account in the same currency.',
  TRANSFER_IN: 'Transfer from an external account in the same currency.',
})

const FailureType = builder.objectRef<ActionFailure>('AgentActionFailure').implement({
  description: 'Why an action could not be carried out.',
  fields: (t) => ({
    code: t.exposeString('code', {
      nullable: false,
      description:
        'An error code, for example `VELOCITY_LIMIT_EXCEEDED`; or the reason of a conflict, for example `QUOTE_EXPIRED` (the wallet signed no other price); or `AGENT_POLICY` (the policy does not allow it any more), `PRICE_MOVED` (the new price is worse than the policy tolerates), `APPROVAL_EXPIRED` (nobody decided in time).',
    }),
    message: t.exposeString('message', { nullable: false, description: 'The reason in words.' }),
  }),
})

export const AgentActionNode = builder.objectRef<AgentAction>('AgentAction').implement({
  description:
    "What an agent did or wants to do: carried out at once, or only with the platform's approval. Id kind: `AgentAction`.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: '`AgentAction:<uuid>`.',
      resolve: ({ id }) => publicId('AgentAction', id),
    }),
    actionType: t.expose('type', {
      type: AgentActionTypeEnum,
      nullable: false,
      description: 'What the agent wants to do.',
    }),
    type: t.expose('type', {
      type: AgentActionTypeEnum,
      nullable: false,
      description: 'What the agent wants to do.',
      deprecationReason: renamedTo('actionType'),
    }),
    actionStatus: t.expose('status', { type: AgentActionStatusEnum, nullable: false, description: 'What came of it.' }),
    status: t.expose('status', {
      type: AgentActionStatusEnum,
      nullable: false,
      description: 'What came of it.',
      deprecationReason: renamedTo('actionStatus'),
    }),
    actingAgentId: t.id({
      nullable: false,
      description: '`Agent:<uuid>` of the agent that took the action.',
      resolve: ({ agentId }) => publicId('Agent', agentId),
    }),
    agentId: t.id({
      nullable: false,
      description: '`Agent:<uuid>` of the agent that took the action.',
      deprecationReason: renamedTo('actingAgentId'),
      resolve: ({ agentId }) => publicId('Agent', agentId),
    }),
    agent: t.field({
      type: AgentNode,
      description: 'The agent.',
      resolve: ({ agentId }, _args, context) => load(context, agentsByIds, agentId),
    }),
    customerId: t.id({
      nullable: false,
      description: '`Customer:<uuid>` that the agent acts for.',
      resolve: ({ customerId }) => publicId('Customer', customerId),
    }),
    customer: t.field({
      type: CustomerNode,
      description: 'Customer that the agent acts for.',
      resolve: ({ customerId }, _args, context) => load(context, customersByIds, customerId),
    }),
    platformCustomerId: t.string({
      nullable: false,
      description: "Customer id in the platform's own system.",
      extensions: costing({ rows: 1 }),
      resolve: ({ customerId }, _args, context) => load(context, platformCustomerIdsOf, customerId),
    }),
    quote: t.field({
      type: QuoteNode,
      description: 'The quote to be executed. Null for a transfer.',
      resolve: ({ quoteId }, _args, context) => loadOptional(context, quotesByIds, quoteId),
    }),
    repricedFrom: t.field({
      type: QuoteNode,
      description: 'The expired quote that `quote` has replaced. Null unless the request was priced again.',
      resolve: ({ repricedFromId }, _args, context) => loadOptional(context, quotesByIds, repricedFromId),
    }),
    transferDetails: t.field({
      type: TransferDetailsType,
      description: 'What is to be transferred. Null when a quote is to be executed.',
      resolve: transferOf,
    }),
    transaction: t.field({
      type: PaymentInterface,
      description:
        'The transaction that waits with the action, or came of it. An agent sees it without `VIEW_TRANSACTIONS` too.',
      resolve: ({ transactionId }, _args, context) => loadOptional(context, paymentsOfActions, transactionId),
    }),
    rejectionReason: t.exposeString('rejectionReason', { description: 'Text explaining a rejection.' }),
    failure: t.field({
      type: FailureType,
      description: 'Why it could not be carried out. Null unless `FAILED`.',
      resolve: (action) => failureOf(action) ?? null,
    }),
    approvalExpiresAt: t.expose('approvalExpiresAt', {
      type: 'DateTime',
      description: 'Until when the platform can decide. Null when nothing waited for it.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: 'When the agent took it.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: 'When it last changed.' }),
  }),
})

registerNode({
  kinds: { AgentAction: agentActionsByIds },
  typeName: (value) => (AgentActionRecord.is(value) ? 'AgentAction' : undefined),
})

const ApprovalFilterType = builder.inputType('AgentApprovalFilter', {
  description: 'All given conditions must hold.',
  fields: (t) => ({
    agentId: t.id({ description: 'Of this agent.' }),
    customerId: t.id({ description: 'For this customer.' }),
    startDate: t.field({ type: 'DateTime', description: CREATED_FROM }),
    endDate: t.field({ type: 'DateTime', description: CREATED_UNTIL }),
  }),
})

const ActionFilterType = builder.inputType('AgentActionFilter', {
  description: 'All given conditions must hold.',
  fields: (t) => ({
    agentId: t.id({ description: 'Of this agent.' }),
    customerId: t.id({ description: 'For this customer.' }),
    statuses: t.field({
      type: [AgentActionStatusEnum],
      description: 'With any of these outcomes. An empty list is as none.',
    }),
    types: t.field({ type: [AgentActionTypeEnum], description: 'Of any of these types. An empty list is as none.' }),
    startDate: t.field({ type: 'DateTime', description: CREATED_FROM }),
    endDate: t.field({ type: 'DateTime', description: CREATED_UNTIL }),
  }),
})

const connection = connectionType<AgentAction>('AgentAction', AgentActionNode, 'agent actions')
const approvals = { list: approvalList, connection, filter: ApprovalFilterType }
const actions = { list: actionList, connection, filter: ActionFilterType }

builder.queryFields((t) => ({
  agentApprovals: listField(t, approvals, "Agent actions that need the platform's approval."),
  agentActions: listField(t, actions, 'Agent actions, decided or not; an agent sees its own.'),
}))

builder.objectFields(AgentNode, (t) => ({
  approvals: linkedListField(t, approvals, 'Agent', "Its actions that need the platform's approval."),
  actions: linkedListField(t, actions, 'Agent', 'Its actions, decided or not.'),
}))

builder.objectField(CustomerNode, 'agentApprovals', (t) =>
  linkedListField(t, approvals, 'Customer', "Actions for the customer that need the platform's approval."),
)
