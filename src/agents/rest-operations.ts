// `/agents` in the REST contract: the operations of platforms on their agents.
import { deviceCodeRequest } from '#agents/access/device-code.ts'
import { somePolicy } from '#agents/policy/policy-input.ts'
import { ADA } from '#rest/examples.ts'
import { answer, body, emptyAnswer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { AGENT_PARAMETERS, AgentFilterInput } from './list.ts'
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
/** The failures of an operation that needs no credentials. */
const { 401: _, ...publicFailures } = failures(404)

export const agentOperations: Operations = {
  '/agents': {
    post: {
      operationId: 'createAgent',
      'x-graphql': ['Mutation.createAgent'],
      summary: 'Create an agent',
      tags: agents,
      requestBody: body(newAgent.meta({ id: 'AgentRequest', description: 'The new agent.' }), {
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
        201: answer('The new agent and its first device code.', createdAgentSchema),
        ...failures(404),
      },
    },
    get: {
      operationId: 'listAgents',
      'x-graphql': ['Query.agents'],
      summary: 'List agents',
      tags: agents,
      requestParams: {
        query: filterQuery(AgentFilterInput, AGENT_PARAMETERS),
      },
      responses: { 200: answer('A page of agents.', agentPageSchema), ...failures() },
    },
  },
  '/agents/{agentId}': {
    get: {
      operationId: 'getAgent',
      'x-graphql': ['Query.node ... on Agent'],
      summary: 'Get an agent',
      tags: agents,
      requestParams: { path: pathId('agentId', 'Agent') },
      responses: { 200: answer('The agent.', agentSchema), ...failures(404) },
    },
    patch: {
      operationId: 'updateAgent',
      'x-graphql': ['Mutation.updateAgent'],
      summary: 'Rename or pause an agent',
      tags: agents,
      requestParams: { path: pathId('agentId', 'Agent') },
      requestBody: body(
        agentChanges.meta({ id: 'AgentChangesRequest', description: 'The changes. Omitted fields are kept.' }),
        { isPaused: true },
      ),
      responses: { 200: answer('The agent.', agentSchema), ...failures(404) },
    },
    delete: {
      operationId: 'deleteAgent',
      'x-graphql': ['Mutation.deleteAgent'],
      summary: 'Delete an agent',
      description: 'Revokes the access token of the agent at once, and rejects its actions that wait for approval.',
      tags: agents,
      requestParams: { path: pathId('agentId', 'Agent') },
      responses: { 204: emptyAnswer('Deleted.'), ...failures(404) },
    },
  },
  '/agents/{agentId}/policy': {
    patch: {
      operationId: 'updateAgentPolicy',
      'x-graphql': ['Mutation.updateAgentPolicy'],
      summary: 'Change the policy of an agent',
      description: 'The change applies from the next request of the agent.',
      tags: agents,
      requestParams: { path: pathId('agentId', 'Agent') },
      requestBody: body(
        somePolicy.meta({
          id: 'PolicyRequest',
          description: 'The changes. Omitted fields are kept, and null clears a field.',
        }),
        { spendingLimits: { dailyLimit: 200_000, monthlyLimit: null } },
      ),
      responses: { 200: answer('The agent.', agentSchema), ...failures(404, 501) },
    },
  },
  '/agents/{agentId}/device-codes': {
    post: {
      operationId: 'createDeviceCode',
      'x-graphql': ['Mutation.createAgentDeviceCode'],
      summary: 'Issue a device code',
      description: 'Voids earlier codes that were not redeemed.',
      tags: codes,
      requestParams: { path: pathId('agentId', 'Agent') },
      responses: { 201: answer('The new device code.', deviceCodeSchema), ...failures(404, 409) },
    },
  },
  '/agents/device-codes/{code}/status': {
    get: {
      operationId: 'getDeviceCodeStatus',
      'x-graphql': ['Query.agentDeviceCode'],
      summary: 'Get the status of a device code',
      tags: codes,
      requestParams: { path: deviceCodeRequest },
      responses: { 200: answer('The status of the code.', deviceCodeStatusSchema), ...failures(404) },
    },
  },
  '/agents/device-codes/{code}/redeem': {
    post: {
      operationId: 'redeemDeviceCode',
      'x-graphql': ['Mutation.redeemAgentDeviceCode'],
      summary: 'Connect an agent',
      description:
        'Redeems the device code. Needs no credentials: the code is enough, and it works once. At most ten attempts per minute from one address.',
      tags: codes,
      security: [],
      requestParams: { path: deviceCodeRequest },
      responses: { 200: answer('The access token of the agent.', connectionSchema), ...publicFailures },
    },
  },
}
