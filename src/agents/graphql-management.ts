// Agents made, changed and deleted by their platform.

import { AgentDeviceCodeType } from '#agents/access/graphql.ts'
import { AgentPolicyChangesInput, AgentPolicyInput, placeInPolicy, policyBody } from '#agents/policy/graphql-input.ts'
import { somePolicy } from '#agents/policy/policy-input.ts'
import { publicId } from '#core/ids.ts'
import { builder } from '#graphql/builder.ts'
import { addMutation, payloadOf } from '#graphql/mutation.ts'
import type { Agent } from './agent.ts'
import { AgentNode } from './graphql.ts'
import {
  agentChanges,
  type CreatedAgent,
  createAgent,
  deleteAgent,
  newAgent,
  updateAgent,
  updateAgentPolicy,
} from './management.ts'

const AGENT_ID = '`Agent:<uuid>`.'

const CreateAgentInput = builder.inputType('CreateAgentInput', {
  description: 'Input of `createAgent`.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'For people to recognize it by. 1 to 255 characters.' }),
    customerId: t.id({ required: true, description: '`Customer:<uuid>` that it acts for.' }),
    policy: t.field({ type: AgentPolicyInput, required: true, description: 'What it may do.' }),
  }),
})

const CreateAgentSuccess = builder.objectRef<CreatedAgent>('CreateAgentSuccess').implement({
  description: 'The agent is made. REST: 201.',
  fields: (t) => ({
    agent: t.expose('agent', { type: AgentNode, nullable: false, description: 'The agent, not connected yet.' }),
    deviceCode: t.expose('deviceCode', {
      type: AgentDeviceCodeType,
      nullable: false,
      description: 'To connect its software with.',
    }),
  }),
})

addMutation('createAgent', {
  description: 'Makes an agent for a customer whose verification has passed, and its first device code.',
  input: CreateAgentInput,
  check: newAgent,
  payload: payloadOf('CreateAgentPayload', 'Result of `createAgent`.', [CreateAgentSuccess], [400, 403, 404]),
  placeOf: ({ policy }, field) => `input.${placeInPolicy(policy, field)}`,
  resolve: async (input, { caller }) => ({
    __typename: 'CreateAgentSuccess',
    ...(await createAgent(caller, { ...input, policy: policyBody(input.policy) })),
  }),
})

interface Changed {
  readonly agent: Agent
}

const UpdateAgentInput = builder.inputType('UpdateAgentInput', {
  description: 'Input of `updateAgent`.',
  fields: (t) => ({
    id: t.id({ required: true, description: AGENT_ID }),
    name: t.string({ description: 'New name. 1 to 255 characters.' }),
    isPaused: t.boolean({ description: 'True pauses it, false ends the pause.' }),
  }),
})

const UpdateAgentSuccess = builder.objectRef<Changed>('UpdateAgentSuccess').implement({
  description: 'The agent is changed, from its next request on.',
  fields: (t) => ({
    agent: t.expose('agent', { type: AgentNode, nullable: false, description: 'As it is now.' }),
  }),
})

addMutation('updateAgent', {
  description: 'Renames an agent, pauses it, or ends its pause. While paused it may read, but do nothing.',
  input: UpdateAgentInput,
  check: agentChanges,
  payload: payloadOf('UpdateAgentPayload', 'Result of `updateAgent`.', [UpdateAgentSuccess], [400, 403, 404]),
  resolve: async ({ id, ...changes }, { caller }) => ({
    __typename: 'UpdateAgentSuccess',
    agent: await updateAgent(caller, id, changes),
  }),
})

const UpdateAgentPolicyInput = builder.inputType('UpdateAgentPolicyInput', {
  description: 'Input of `updateAgentPolicy`.',
  fields: (t) => ({
    id: t.id({ required: true, description: AGENT_ID }),
    policy: t.field({ type: AgentPolicyChangesInput, required: true, description: 'What to change.' }),
  }),
})

const UpdateAgentPolicySuccess = builder.objectRef<Changed>('UpdateAgentPolicySuccess').implement({
  description: 'The policy is changed, from the next request of the agent on.',
  fields: (t) => ({
    agent: t.expose('agent', { type: AgentNode, nullable: false, description: 'As it is now.' }),
  }),
})

addMutation('updateAgentPolicy', {
  description: 'Changes parts of what an agent may do, at once.',
  input: UpdateAgentPolicyInput,
  check: somePolicy,
  payload: payloadOf(
    'UpdateAgentPolicyPayload',
    'Result of `updateAgentPolicy`.',
    [UpdateAgentPolicySuccess],
    [400, 403, 404],
  ),
  placeOf: ({ policy }, field) => `input.policy.${placeInPolicy(policy, field)}`,
  resolve: async ({ id, policy }, { caller }) => ({
    __typename: 'UpdateAgentPolicySuccess',
    agent: await updateAgentPolicy(caller, id, policyBody(policy)),
  }),
})

const DeleteAgentInput = builder.inputType('DeleteAgentInput', {
  description: 'Input of `deleteAgent`.',
  fields: (t) => ({ id: t.id({ required: true, description: AGENT_ID }) }),
})

const DeleteAgentSuccess = builder.objectRef<{ readonly id: string }>('DeleteAgentSuccess').implement({
  description: 'The agent is deleted. REST: 204.',
  fields: (t) => ({
    deletedAgentId: t.id({ nullable: false, description: AGENT_ID, resolve: ({ id }) => publicId('Agent', id) }),
  }),
})

addMutation('deleteAgent', {
  description: 'Ends an agent and its access at once. Actions of it that wait for approval are rejected.',
  input: DeleteAgentInput,
  payload: payloadOf('DeleteAgentPayload', 'Result of `deleteAgent`.', [DeleteAgentSuccess], [403, 404]),
  resolve: async ({ id }, { caller }) => ({ __typename: 'DeleteAgentSuccess', id: await deleteAgent(caller, id) }),
})
