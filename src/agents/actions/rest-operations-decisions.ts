// The platform's decisions on actions of agents.
import { z } from 'zod'
import { actionPageSchema, actionSchema } from '#agents/rest-schema.ts'
import { APPROVAL_EFFECT } from '#agents/texts.ts'
import { idOf } from '#core/input.ts'
import { answer, body, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { approvalRequest } from '#settlement/incoming-decision.ts'
import { paymentSchema } from '#transactions/rest-schema.ts'
import { rejection } from './decide.ts'
import { ACTION_PARAMETERS, ActionFilterInput, APPROVAL_PARAMETERS, ApprovalFilterInput } from './list.ts'

const tags = ['Approvals']
const actionId = z.object({ agentId: idOf('Agent'), actionId: idOf('AgentAction') })
const rejectionBody = body(
  rejection.meta({ id: 'RejectionRequest', description: 'The rejection, with an optional reason.' }),
  { reason: 'Too expensive' },
  false,
)
const approvalBody = body(
  approvalRequest.meta({ id: 'ApprovalRequest', description: 'The approval, with optional facts about the receiver.' }),
  { receiverCustomerInfo: { FULL_NAME: 'Ada Lovelace' } },
  false,
)
const approving = `${APPROVAL_EFFECT} 409 with \`details.reason\` if a temporary condition prevents the approval: the action keeps waiting.`
const rejecting = 'The payment and its quote fail. No money moves.'

export const decisionOperations: Operations = {
  '/agents/approvals': {
    get: {
      operationId: 'listApprovals',
      'x-graphql': ['Query.agentApprovals'],
      summary: 'List actions that wait for approval',
      tags,
      requestParams: {
        query: filterQuery(ApprovalFilterInput, APPROVAL_PARAMETERS),
      },
      responses: { 200: answer('A page of actions.', actionPageSchema), ...failures() },
    },
  },
  '/agents/{agentId}/actions': {
    get: {
      operationId: 'listAgentActions',
      'x-graphql': ['Agent.actions'],
      summary: 'List the actions of an agent',
      description: 'Includes actions that the platform has decided.',
      tags,
      requestParams: {
        path: pathId('agentId', 'Agent'),
        query: filterQuery(ActionFilterInput, ACTION_PARAMETERS),
      },
      responses: { 200: answer('A page of actions.', actionPageSchema), ...failures(404) },
    },
  },
  '/agents/{agentId}/actions/{actionId}/approve': {
    post: {
      operationId: 'approveAgentAction',
      'x-graphql': ['Mutation.approveAgentAction'],
      summary: 'Approve an action',
      description: approving,
      tags,
      requestParams: { path: actionId },
      responses: { 200: answer('The action.', actionSchema), ...failures(404, 409, 501) },
    },
  },
  '/agents/{agentId}/actions/{actionId}/reject': {
    post: {
      operationId: 'rejectAgentAction',
      'x-graphql': ['Mutation.rejectAgentAction'],
      summary: 'Reject an action',
      description: rejecting,
      tags,
      requestParams: { path: actionId },
      requestBody: rejectionBody,
      responses: { 200: answer('The action.', actionSchema), ...failures(404, 409) },
    },
  },
  '/transactions/{transactionId}/approve': {
    post: {
      operationId: 'approveTransaction',
      'x-graphql': ['Mutation.approveTransaction'],
      summary: 'Approve an incoming payment or the payment of an agent',
      description: approving,
      tags,
      requestParams: { path: pathId('transactionId', 'Transaction') },
      requestBody: approvalBody,
      responses: { 200: answer('The payment.', paymentSchema), ...failures(404, 409, 501) },
    },
  },
  '/transactions/{transactionId}/reject': {
    post: {
      operationId: 'rejectTransaction',
      'x-graphql': ['Mutation.rejectTransaction'],
      summary: 'Reject an incoming payment or the payment of an agent',
      description: rejecting,
      tags,
      requestParams: { path: pathId('transactionId', 'Transaction') },
      requestBody: rejectionBody,
      responses: { 200: answer('The payment.', paymentSchema), ...failures(404, 409) },
    },
  },
}
