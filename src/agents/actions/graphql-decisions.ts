// The platform's decisions on what agents want to do.
import { builder } from '#graphql/builder.ts'
import { addMutation, payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { approvalRequest } from '#settlement/incoming-decision.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import type { AgentAction } from './action.ts'
import { approveAction, rejectAction, rejection } from './decide.ts'
import { approveTransaction, type Decided, rejectTransaction } from './decide-transaction.ts'
import { AgentActionNode } from './graphql.ts'

const AGENT_ID = '`Agent:<uuid>`.'
const ACTION_ID = '`AgentAction:<uuid>`.'
const REASON = 'Text shown to the agent.'

export const AgentActionSuccess = builder
  .objectRef<{ readonly agentAction: AgentAction }>('AgentActionSuccess')
  .implement({
    description: 'The action as it is now.',
    fields: (t) => ({
      agentAction: t.expose('agentAction', { type: AgentActionNode, nullable: false, description: 'The action.' }),
    }),
  })

const AgentActionPayload = payloadOf(
  'AgentActionPayload',
  'Result of a decision on an agent action.',
  [AgentActionSuccess],
  [400, 403, 404, 409],
)

export const successOf = (agentAction: AgentAction) => ({ __typename: 'AgentActionSuccess', agentAction })

const ApproveAgentActionInput = builder.inputType('ApproveAgentActionInput', {
  description: 'Input of `approveAgentAction`.',
  fields: (t) => ({
    agentId: t.id({ required: true, description: AGENT_ID }),
    actionId: t.id({ required: true, description: ACTION_ID }),
  }),
})

addMutation('approveAgentAction', {
  description:
    'Approves an agent action. The policy is checked again: what it no longer allows becomes `FAILED`, with the reason in `failure`. An expired quote is priced again, unless it pays from a wallet: then the action becomes `FAILED`. `ConflictError` when it is already decided, or when something that may pass stands in the way: `details.reason` says what, and the action goes on waiting.',
  input: ApproveAgentActionInput,
  payload: AgentActionPayload,
  resolve: async (name, { caller }) => successOf(await approveAction(caller, name)),
})

const RejectAgentActionInput = builder.inputType('RejectAgentActionInput', {
  description: 'Input of `rejectAgentAction`.',
  fields: (t) => ({
    agentId: t.id({ required: true, description: AGENT_ID }),
    actionId: t.id({ required: true, description: ACTION_ID }),
    reason: t.string({ description: REASON }),
  }),
})

addMutation('rejectAgentAction', {
  description: 'Rejects an agent action; nothing moves. `ConflictError` when it is already decided.',
  input: RejectAgentActionInput,
  check: rejection,
  payload: AgentActionPayload,
  resolve: async ({ reason, ...name }, { caller }) =>
    successOf(await rejectAction(caller, name, withoutNulls({ reason }))),
})

const TransactionDecisionSuccess = builder.objectRef<Decided>('TransactionDecisionSuccess').implement({
  description: 'The decided transaction.',
  fields: (t) => ({
    transaction: t.expose('transaction', {
      type: PaymentInterface,
      description: 'The transaction. A new one when the quote had expired and was priced again.',
    }),
    agentAction: t.expose('agentAction', {
      type: AgentActionNode,
      description: 'The action of the agent. Null for an incoming payment.',
    }),
  }),
})

const TransactionDecisionPayload = payloadOf(
  'TransactionDecisionPayload',
  'Result of a decision on a transaction.',
  [TransactionDecisionSuccess],
  [400, 403, 404, 409],
)

const decisionOf = (decided: Decided) => ({ __typename: 'TransactionDecisionSuccess', ...decided })

const ApproveTransactionInput = builder.inputType('ApproveTransactionInput', {
  description: 'Input of `approveTransaction`.',
  fields: (t) => ({
    transactionId: t.id({ required: true, description: '`Transaction:<uuid>`.' }),
    receiverCustomerInfo: t.field({
      type: 'JSON',
      description:
        'A map of texts: facts about the receiver of an incoming payment, for its sender. For example `FULL_NAME`.',
    }),
  }),
})

addMutation('approveTransaction', {
  description:
    'Approves a transaction that waits for the platform: an incoming UMA payment, or the payment of an agent, which is the same as approving its action.',
  input: ApproveTransactionInput,
  check: approvalRequest,
  payload: TransactionDecisionPayload,
  resolve: async ({ transactionId, ...input }, { caller }) =>
    decisionOf(await approveTransaction(caller, transactionId, withoutNulls(input))),
})

const RejectTransactionInput = builder.inputType('RejectTransactionInput', {
  description: 'Input of `rejectTransaction`.',
  fields: (t) => ({
    transactionId: t.id({ required: true, description: '`Transaction:<uuid>`.' }),
    reason: t.string({ description: REASON }),
  }),
})

addMutation('rejectTransaction', {
  description:
    'Rejects a transaction that waits for the platform: an incoming UMA payment, or the payment of an agent, which is the same as rejecting its action.',
  input: RejectTransactionInput,
  check: rejection,
  payload: TransactionDecisionPayload,
  resolve: async ({ transactionId, reason }, { caller }) =>
    decisionOf(await rejectTransaction(caller, transactionId, withoutNulls({ reason }))),
})
