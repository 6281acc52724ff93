// The platform's decisions on actions of agents and on incoming payments.
import { z } from 'zod'
import { APPROVAL_EFFECT } from '#agents/texts.ts'
import { idOf } from '#core/input.ts'
import { builder } from '#graphql/builder.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { addMutation, payloadWith, withoutNulls } from '#graphql/mutation.ts'
import { approvalRequest } from '#settlement/incoming-decision.ts'
import { PaymentInterface } from '#transactions/graphql-payments.ts'
import type { AgentAction } from './action.ts'
import { approveAction, rejectAction, rejection } from './decide.ts'
import { approveTransaction, type Decided, rejectTransaction } from './decide-transaction.ts'
import { AgentActionNode } from './graphql.ts'

const actionName = z.object({ agentId: idOf('Agent'), actionId: idOf('AgentAction') })
const transactionName = z.object({ transactionId: idOf('Transaction') })

export const AgentActionSuccess = builder
  .objectRef<{ readonly agentAction: AgentAction }>('AgentActionSuccess')
  .implement({
    description:
      'The request was accepted. `actionStatus` says whether the action is approved, rejected, failed or waiting for approval.',
    fields: (t) => ({
      agentAction: t.expose('agentAction', {
        type: AgentActionNode,
        nullable: false,
        description: 'The action after the mutation.',
      }),
    }),
  })

const AgentActionPayload = payloadWith('AgentAction', 'Result of a decision on an agent action.', {
  success: AgentActionSuccess,
  statuses: [400, 403, 404, 409],
})

addMutation('approveAgentAction', {
  description: `Approves an agent action. ${APPROVAL_EFFECT} \`ConflictError\` if the action is already decided, or if a temporary condition prevents the approval: \`details.reason\` names it, and the action keeps waiting.`,
  input: schemaInput(actionName),
  payload: AgentActionPayload,
  resolve: async (name, { caller }) => ({ agentAction: await approveAction(caller, name) }),
})

addMutation('rejectAgentAction', {
  description:
    'Rejects an agent action. Its payment fails, and no money moves. `ConflictError` if the action is already decided.',
  input: schemaInput(actionName.extend(rejection.shape)),
  check: rejection,
  payload: AgentActionPayload,
  resolve: async ({ reason, ...name }, { caller }) => ({
    agentAction: await rejectAction(caller, name, withoutNulls({ reason })),
  }),
})

const TransactionDecisionPayload = payloadWith<Decided>(
  'TransactionDecision',
  'Result of a decision on a transaction.',
  {
    success: {
      description: 'The decided transaction.',
      fields: (t) => ({
        transaction: t.expose('transaction', {
          type: PaymentInterface,
          description: 'The transaction. It is a new one if the quote had expired and was priced again.',
        }),
        agentAction: t.expose('agentAction', {
          type: AgentActionNode,
          description: 'The action that the transaction belongs to. Null for an incoming payment.',
        }),
      }),
    },
    statuses: [400, 403, 404, 409],
  },
)

addMutation('approveTransaction', {
  description:
    'Approves a transaction that waits for the platform: an incoming UMA payment or the payment of an agent. Approving the payment of an agent approves its action.',
  input: schemaInput(transactionName, (t) => ({
    receiverCustomerInfo: t.field({
      type: 'JSON',
      description: `Map of strings. ${approvalRequest.shape.receiverCustomerInfo.description}`,
    }),
  })),
  check: approvalRequest,
  payload: TransactionDecisionPayload,
  resolve: async ({ transactionId, ...input }, { caller }) =>
    approveTransaction(caller, transactionId, withoutNulls(input)),
})

addMutation('rejectTransaction', {
  description:
    'Rejects a transaction that waits for the platform: an incoming UMA payment or the payment of an agent. Rejecting the payment of an agent rejects its action.',
  input: schemaInput(transactionName.extend(rejection.shape)),
  check: rejection,
  payload: TransactionDecisionPayload,
  resolve: async ({ transactionId, reason }, { caller }) =>
    rejectTransaction(caller, transactionId, withoutNulls({ reason })),
})
