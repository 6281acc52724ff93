// Agent actions as GraphQL types, and their lists.

import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { ExternalAccountNode } from '#accounts/graphql.ts'
import { AgentRecord } from '#agents/agent.ts'
import { AgentNode } from '#agents/graphql.ts'
import { ACTION_TEXTS } from '#agents/texts.ts'
import { publicId } from '#core/ids.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { from, idOf } from '#graphql/compiled/field.ts'
import { batchOf, byLabel, partOf, rowOf } from '#graphql/compiled/parts.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { withCost } from '#graphql/limits/field-cost.ts'
import { filterType, linkedListField, listField, listType } from '#graphql/list-field.ts'
import { load, loadOptional } from '#graphql/load.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { QuoteNode, quotes } from '#quotes/graphql.ts'
import { QuoteRecord } from '#quotes/quote.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import {
  type ActionFailure,
  AGENT_ACTION_STATUSES,
  AGENT_ACTION_TYPES,
  type AgentAction,
  AgentActionRecord,
  changedAccountOf,
  failureOf,
} from './action.ts'
import { actionsOfPayments, paymentsOfActions, platformCustomerIdsOf } from './action-parts.ts'
import { TransferDetailsType } from './graphql-transfer-details.ts'
import { ApprovalFilterInput, actionFilter, actionList, approvalList } from './list.ts'

const AgentActionStatusEnum = enumOf('AgentActionStatus', 'Status of an agent action.', AGENT_ACTION_STATUSES, {
  PENDING_APPROVAL: 'Waits for approval by the platform.',
  APPROVED: 'Approved and being executed.',
  REJECTED: 'Rejected by the platform. No money moved.',
  FAILED: 'Could not be executed: see `failure`. No money moved.',
})

const AgentActionTypeEnum = enumOf('AgentActionType', 'Type of an agent action.', AGENT_ACTION_TYPES, {
  EXECUTE_QUOTE: 'Execute a quote.',
  TRANSFER_OUT: 'Transfer to an external account in the same currency.',
  TRANSFER_IN: 'Transfer from an external account in the same currency.',
  CREATE_EXTERNAL_ACCOUNT: 'Add an external account.',
  DELETE_EXTERNAL_ACCOUNT: 'Delete an external account.',
})

const { texts } = AgentActionRecord

const FailureType = builder.objectRef<ActionFailure>('AgentActionFailure').implement({
  description: 'Why an action could not be executed.',
  fields: (t) => ({
    code: t.exposeString('code', {
      nullable: false,
      description: texts.failureCode,
    }),
    message: t.exposeString('message', { nullable: false, description: texts.failureMessage }),
  }),
})

export const AgentActionNode = builder.objectRef<AgentAction>('AgentAction').implement({
  description:
    "A payment, or a change of an external account, that an agent made or requested. The policy lets it start at once, or it waits for the platform's approval.",
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: texts.id,
      ...idOf('AgentAction', 'id'),
    }),
    actionType: t.expose('type', {
      type: AgentActionTypeEnum,
      nullable: false,
      description: texts.type,
    }),
    type: t.expose('type', {
      type: AgentActionTypeEnum,
      nullable: false,
      description: texts.type,
      deprecationReason: renamedTo('actionType'),
    }),
    actionStatus: t.expose('status', { type: AgentActionStatusEnum, nullable: false, description: texts.status }),
    status: t.expose('status', {
      type: AgentActionStatusEnum,
      nullable: false,
      description: texts.status,
      deprecationReason: renamedTo('actionStatus'),
    }),
    actingAgentId: t.id({
      nullable: false,
      description: texts.agentId,
      ...idOf('Agent', 'agentId'),
    }),
    agentId: t.id({
      nullable: false,
      description: texts.agentId,
      deprecationReason: renamedTo('actingAgentId'),
      ...idOf('Agent', 'agentId'),
    }),
    agent: t.field({
      type: AgentNode,
      description: 'Agent that took the action.',
      ...rowOf(AgentRecord, 'agentId'),
    }),
    customerId: t.id({
      nullable: false,
      description: texts.customerId,
      ...idOf('Customer', 'customerId'),
    }),
    customer: t.field({
      type: CustomerNode,
      description: 'Customer that the agent acts for.',
      ...rowOf(CustomerRecord, 'customerId'),
    }),
    platformCustomerId: t.string({
      nullable: false,
      description: CustomerRecord.texts.platformCustomerId,
      ...withCost({ rows: 1 }, batchOf(platformCustomerIdsOf, 'customerId')),
    }),
    quote: t.field({
      type: QuoteNode,
      description: ACTION_TEXTS.quote,
      ...rowOf(QuoteRecord, 'quoteId'),
    }),
    repricedFrom: t.field({
      type: QuoteNode,
      description: ACTION_TEXTS.repricedFrom,
      ...rowOf(QuoteRecord, 'repricedFromId'),
    }),
    transferDetails: t.field({
      type: TransferDetailsType,
      description: ACTION_TEXTS.transferDetails,
      ...partOf('amount'),
    }),
    externalAccountId: t.id({
      description: ACTION_TEXTS.externalAccountId,
      ...from<AgentAction>()(['type', 'externalAccountId'], (action) => {
        const id = changedAccountOf(action)
        return id && publicId('ExternalAccount', id)
      }),
    }),
    externalAccount: t.field({
      type: ExternalAccountNode,
      description: ACTION_TEXTS.externalAccount,
      ...byLabel('type', {
        CREATE_EXTERNAL_ACCOUNT: rowOf(ExternalAccountRecord, 'externalAccountId'),
        DELETE_EXTERNAL_ACCOUNT: rowOf(ExternalAccountRecord, 'externalAccountId'),
      }),
    }),
    transaction: t.field({
      type: PaymentInterface,
      description: ACTION_TEXTS.transaction,
      resolve: ({ transactionId }, _args, context) => loadOptional(context, paymentsOfActions, transactionId),
    }),
    rejectionReason: t.exposeString('rejectionReason', { description: texts.rejectionReason }),
    failure: t.field({
      type: FailureType,
      description: ACTION_TEXTS.failure,
      ...from<AgentAction>()(['failureCode', 'failureMessage'], (action) => failureOf(action) ?? null),
    }),
    approvalExpiresAt: t.expose('approvalExpiresAt', {
      type: 'DateTime',
      description: texts.approvalExpiresAt,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(AgentActionRecord, 'AgentAction')

builder.interfaceField(PaymentInterface, 'agentAction', (t) =>
  t.field({
    type: AgentActionNode,
    description:
      'The agent action that makes the payment. Null before the agent executes its quote, and for an expired quote that the action has replaced. An agent sees only its own.',
    resolve: ({ id, agentId }, _args, context) => (agentId === null ? null : load(context, actionsOfPayments, id)),
  }),
)

const actions = listType('AgentAction', AgentActionNode, 'agent actions', actionList, actionFilter)
const approvals = { ...actions, list: approvalList, filter: filterType('AgentApproval', ApprovalFilterInput) }

builder.queryFields((t) => ({
  agentApprovals: listField(t, approvals, "Agent actions that wait for the platform's approval."),
  agentActions: listField(
    t,
    actions,
    'All agent actions, including those that the platform has decided. An agent sees only its own.',
  ),
}))

builder.objectFields(AgentNode, (t) => ({
  approvals: linkedListField(t, approvals, 'Agent', "Actions of the agent that wait for the platform's approval."),
  actions: linkedListField(
    t,
    actions,
    'Agent',
    'All actions of the agent, including those that the platform has decided.',
  ),
  quotes: linkedListField(t, quotes, 'Agent', 'Quotes that the agent created.'),
}))

builder.objectField(CustomerNode, 'agentApprovals', (t) =>
  linkedListField(t, approvals, 'Customer', "Actions for the customer that wait for the platform's approval."),
)
