// The platform's decisions on what agents want to do.
import { z } from 'zod'
import { actionPageSchema, actionSchema } from '#agents/rest-schema.ts'
import { idOf } from '#core/input.ts'
import { answer, body, DAY, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { approvalRequest } from '#settlement/incoming-decision.ts'
import { paymentSchema } from '#transactions/rest-schema.ts'
import { rejection } from './decide.ts'
import { ActionFilterInput, ApprovalFilterInput } from './list.ts'

const tags = ['Approvals']
const actionId = z.object({ id: idOf('Agent'), actionId: idOf('AgentAction') })
const rejectionBody = body(
  rejection.meta({ id: 'RejectionRequest', description: 'Why, for people.' }),
  { reason: 'Too dear' },
  false,
)
const approvalBody = body(
  approvalRequest.meta({ id: 'ApprovalRequest', description: 'What the platform adds.' }),
  { receiverCustomerInfo: { FULL_NAME: 'Ada Lovelace' } },
  false,
)
const approving =
  'The policy is checked again: what it no longer allows becomes FAILED, with the reason in `failure`. An expired quote is priced again. 409 with `details.reason` when something that may pass stands in the way: the action goes on waiting.'
const rejecting = 'The payment and its quote fail, and nothing moves.'

export const decisionOperations: Operations = {
  '/agents/approvals': {
    get: {
      operationId: 'listApprovals',
      summary: 'List what waits for approval',
      tags,
      requestParams: {
        query: filterQuery(ApprovalFilterInput, {
          agentId: 'Of this agent.',
          customerId: 'Of this customer.',
          startDate: `Asked for at this time or later. ${DAY}`,
          endDate: `Asked for at this time or earlier. ${DAY}`,
        }),
      },
      responses: { 200: answer('A page of actions.', actionPageSchema), ...failures() },
    },
  },
  '/agents/{id}/actions': {
    get: {
      operationId: 'listAgentActions',
      summary: 'List what an agent did or wants to do',
      description: 'Decided or not.',
      tags,
      requestParams: {
        path: pathId('Agent'),
        query: filterQuery(ActionFilterInput, {
          customerId: 'For this customer.',
          status: 'With this outcome.',
          type: 'Of this type.',
          startDate: `Asked for at this time or later. ${DAY}`,
          endDate: `Asked for at this time or earlier. ${DAY}`,
        }),
      },
      responses: { 200: answer('A page of actions.', actionPageSchema), ...failures(404) },
    },
  },
  '/agents/{id}/actions/{actionId}/approve': {
    post: {
      operationId: 'approveAgentAction',
      summary: 'Approve an action',
      description: approving,
      tags,
      requestParams: { path: actionId },
      responses: { 200: answer('The action.', actionSchema), ...failures(404, 409, 501) },
    },
  },
  '/agents/{id}/actions/{actionId}/reject': {
    post: {
      operationId: 'rejectAgentAction',
      summary: 'Reject an action',
      description: rejecting,
      tags,
      requestParams: { path: actionId },
      requestBody: rejectionBody,
      responses: { 200: answer('The action.', actionSchema), ...failures(404, 409) },
    },
  },
  '/transactions/{id}/approve': {
    post: {
      operationId: 'approveTransaction',
      summary: 'Approve an incoming payment, or the payment of an agent',
      description: approving,
      tags,
      requestParams: { path: pathId('Transaction') },
      requestBody: approvalBody,
      responses: { 200: answer('The payment.', paymentSchema), ...failures(404, 409, 501) },
    },
  },
  '/transactions/{id}/reject': {
    post: {
      operationId: 'rejectTransaction',
      summary: 'Reject an incoming payment, or the payment of an agent',
      description: rejecting,
      tags,
      requestParams: { path: pathId('Transaction') },
      requestBody: rejectionBody,
      responses: { 200: answer('The payment.', paymentSchema), ...failures(404, 409) },
    },
  },
}
