// `/agents`: what platforms do with their agents.
import { z } from 'zod'
import { somePolicy } from '#agents/policy/policy-input.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, DAY, emptyAnswer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { AgentFilterInput } from './list.ts'
import { agentChanges, newAgent } from './management.ts'
import {
  agentPageSchema,
  agentSchema,
  connectionSchema,
  createdAgentSchema,
  deviceCodeSchema,
  deviceCodeStatusSchema,
} from './rest-schema.ts'

const agents = ['Agents']
const codes = ['Device codes']
const code = z.object({ code: z.string().describe('`SERVICE-AGENT-XXXX-XXXX`, in letters of any case.') })
const { 401: _, ...failuresOfAnybody } = failures(404)

export const agentOperations: Operations = {
  '/agents': {
    post: {
      operationId: 'createAgent',
      summary: 'Create an agent',
      tags: agents,
      requestBody: body(newAgent.meta({ id: 'AgentRequest', description: 'Limits are in smallest units.' }), {
        name: 'Household assistant',
        customerId: ADA.customerId,
        policy: {
          permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS'],
          defaultExecutionMode: 'AUTO',
          spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 100_000 },
          accountRestrictions: { allowedAccountIds: [ADA.dollars] },
          approvalThresholds: { currency: 'USD', amount: 10_000 },
        },
      }),
      responses: {
        201: answer('The agent, and the code that connects it.', createdAgentSchema),
        ...failures(404),
      },
    },
    get: {
      operationId: 'listAgents',
      summary: 'List agents',
      tags: agents,
      requestParams: {
        query: filterQuery(AgentFilterInput, {
          customerId: 'Of this customer.',
          isPaused: 'Paused or not.',
          isConnected: 'Connected or not.',
          createdAfter: `Created at this time or later. ${DAY}`,
          createdBefore: `Created at this time or earlier. ${DAY}`,
          updatedAfter: `Last changed at this time or later. ${DAY}`,
          updatedBefore: `Last changed at this time or earlier. ${DAY}`,
        }),
      },
      responses: { 200: answer('A page of agents.', agentPageSchema), ...failures() },
    },
  },
  '/agents/{id}': {
    get: {
      operationId: 'getAgent',
      summary: 'Read an agent',
      tags: agents,
      requestParams: { path: pathId('Agent') },
      responses: { 200: answer('The agent.', agentSchema), ...failures(404) },
    },
    patch: {
      operationId: 'updateAgent',
      summary: 'Rename or pause an agent',
      tags: agents,
      requestParams: { path: pathId('Agent') },
      requestBody: body(agentChanges.meta({ id: 'AgentChangesRequest', description: 'What is left out stays.' }), {
        isPaused: true,
      }),
      responses: { 200: answer('The agent.', agentSchema), ...failures(404) },
    },
    delete: {
      operationId: 'deleteAgent',
      summary: 'Delete an agent',
      description: 'Its access ends at once, and what waits for approval is rejected.',
      tags: agents,
      requestParams: { path: pathId('Agent') },
      responses: { 204: emptyAnswer('Deleted.'), ...failures(404) },
    },
  },
  '/agents/{id}/policy': {
    patch: {
      operationId: 'updateAgentPolicy',
      summary: 'Change the policy of an agent',
      description: 'From the next request on.',
      tags: agents,
      requestParams: { path: pathId('Agent') },
      requestBody: body(
        somePolicy.meta({
          id: 'PolicyRequest',
          description: 'What is left out stays, null clears. Limits are in smallest units.',
        }),
        { spendingLimits: { dailyLimit: 200_000, monthlyLimit: null } },
      ),
      responses: { 200: answer('The agent.', agentSchema), ...failures(404) },
    },
  },
  '/agents/{id}/device-codes': {
    post: {
      operationId: 'createDeviceCode',
      summary: 'Issue a device code',
      description: 'Those before it that nobody redeemed end.',
      tags: codes,
      requestParams: { path: pathId('Agent') },
      responses: { 201: answer('The code.', deviceCodeSchema), ...failures(404, 409) },
    },
  },
  '/agents/device-codes/{code}/status': {
    get: {
      operationId: 'getDeviceCodeStatus',
      summary: 'See whether a device code was redeemed',
      tags: codes,
      requestParams: { path: code },
      responses: { 200: answer('Whether it was.', deviceCodeStatusSchema), ...failures(404) },
    },
  },
  '/agents/device-codes/{code}/redeem': {
    post: {
      operationId: 'redeemDeviceCode',
      summary: 'Connect an agent',
      description: 'For anybody who has the code, once. Ten tries a minute.',
      tags: codes,
      security: [],
      requestParams: { path: code },
      responses: { 200: answer('The access of the agent.', connectionSchema), ...failuresOfAnybody },
    },
  },
}
