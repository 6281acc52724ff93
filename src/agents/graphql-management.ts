// Platforms create, change and delete agents.
import { AgentDeviceCodeType } from '#agents/access/graphql.ts'
import { AgentPolicyChangesInput, AgentPolicyInput, placeInPolicy, policyBody } from '#agents/policy/graphql-input.ts'
import { somePolicy } from '#agents/policy/policy-input.ts'
import { AGENT_TEXTS } from '#agents/texts.ts'
import { publicId } from '#core/ids.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { addMutation } from '#graphql/mutation.ts'
import { AgentRecord } from './agent.ts'
import { AgentNode } from './graphql.ts'
import { agentChanges, createAgent, deleteAgent, newAgent, updateAgent, updateAgentPolicy } from './management.ts'

const { texts } = AgentRecord

addMutation('createAgent', {
  description:
    'Creates an agent for an approved customer, and its first device code. Errors: `INVALID_INPUT`, `INVALID_CURRENCY`, `USER_NOT_FOUND`, `USER_NOT_READY`.',
  input: schemaInput(newAgent.omit({ policy: true }), (t) => ({
    policy: t.field({ type: AgentPolicyInput, required: true, description: AGENT_TEXTS.policy }),
  })),
  check: newAgent,
  statuses: [400, 403, 404],
  placeOf: ({ policy }, field) => `input.${placeInPolicy(policy, field)}`,
  resolve: async (input, { caller }) => createAgent(caller, { ...input, policy: policyBody(input.policy) }),
  success: {
    description: 'The agent is created. REST: 201.',
    fields: (t) => ({
      agent: t.expose('agent', {
        type: AgentNode,
        nullable: false,
        description: 'The new agent. It is not connected yet.',
      }),
      deviceCode: t.expose('deviceCode', {
        type: AgentDeviceCodeType,
        nullable: false,
        description: "The agent's first device code. It connects the agent's software.",
      }),
    }),
  },
})

addMutation('updateAgent', {
  description: 'Renames, pauses or resumes an agent. A paused agent can read but not act.',
  input: schemaInput(agentChanges, (t) => ({
    id: t.id({ required: true, description: texts.id }),
  })),
  statuses: [400, 403, 404],
  resolve: async ({ id, ...changes }, { caller }) => ({ agent: await updateAgent(caller, id, changes) }),
  success: {
    description: 'The agent is changed. The change applies from the next request of the agent.',
    fields: (t) => ({
      agent: t.expose('agent', { type: AgentNode, nullable: false, description: 'The agent after the change.' }),
    }),
  },
})

addMutation('updateAgentPolicy', {
  description: 'Changes the policy of an agent. Errors: `INVALID_INPUT`, `INVALID_CURRENCY`, `REFERENCE_NOT_FOUND`.',
  input: fieldsInput((t) => ({
    id: t.id({ required: true, description: texts.id }),
    policy: t.field({ type: AgentPolicyChangesInput, required: true, description: 'The changes.' }),
  })),
  check: somePolicy,
  statuses: [400, 403, 404],
  placeOf: ({ policy }, field) => `input.policy.${placeInPolicy(policy, field)}`,
  resolve: async ({ id, policy }, { caller }) => ({ agent: await updateAgentPolicy(caller, id, policyBody(policy)) }),
  success: {
    description: 'The policy is changed. The change applies from the next request of the agent.',
    fields: (t) => ({
      agent: t.expose('agent', { type: AgentNode, nullable: false, description: 'The agent after the change.' }),
    }),
  },
})

addMutation('deleteAgent', {
  description: 'Deletes an agent, revokes its access token at once, and rejects its actions that wait for approval.',
  input: fieldsInput((t) => ({ id: t.id({ required: true, description: texts.id }) })),
  statuses: [403, 404],
  resolve: async ({ id }, { caller }) => ({ id: await deleteAgent(caller, id) }),
  success: {
    description: 'The agent is deleted. REST: 204.',
    fields: (t) => ({
      deletedAgentId: t.id({ nullable: false, description: texts.id, resolve: ({ id }) => publicId('Agent', id) }),
    }),
  },
})
