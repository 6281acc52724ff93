// Device codes. Platforms issue them, and the holder of a code redeems it without credentials.

import { AgentPolicyType } from '#agents/policy/graphql.ts'
import { requirePlatform } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { builder } from '#graphql/builder.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { addMutation, payloadOf } from '#graphql/mutation.ts'
import { type Connection, createDeviceCode, type DeviceCode, findDeviceCode, redeemDeviceCode } from './device-code.ts'

export const AgentDeviceCodeType = builder.objectRef<DeviceCode>('AgentDeviceCode').implement({
  description: "What a person types into an agent's software to connect it.",
  fields: (t) => ({
    code: t.exposeString('code', {
      nullable: false,
      description: '`SERVICE-AGENT-XXXX-XXXX`, in upper or lower case. Shown this once.',
    }),
    agentId: t.id({
      nullable: false,
      description: '`Agent:<uuid>`.',
      resolve: ({ agentId }) => publicId('Agent', agentId),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: '24 hours after its issue.',
    }),
    redeemed: t.exposeBoolean('redeemed', { nullable: false, description: 'Whether it was used.' }),
  }),
})

type Status = Pick<DeviceCode, 'code' | 'redeemed'>

const AgentDeviceCodeStatusType = builder.objectRef<Status>('AgentDeviceCodeStatus').implement({
  description: 'What became of a device code.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: false, description: 'The code.' }),
    redeemed: t.exposeBoolean('redeemed', { nullable: false, description: 'Whether it was used.' }),
  }),
})

builder.queryField('agentDeviceCode', (t) =>
  t.field({
    type: AgentDeviceCodeStatusType,
    description: 'Whether a device code was redeemed. Null when unknown.',
    extensions: costing({ rows: 1 }),
    args: { code: t.arg.string({ required: true, description: '`SERVICE-AGENT-XXXX-XXXX`.' }) },
    resolve: (_root, { code }, { caller }) => findDeviceCode(requirePlatform(caller), code),
  }),
)

const CreateAgentDeviceCodeInput = builder.inputType('CreateAgentDeviceCodeInput', {
  description: 'Input of `createAgentDeviceCode`.',
  fields: (t) => ({ agentId: t.id({ required: true, description: '`Agent:<uuid>`.' }) }),
})

const CreateAgentDeviceCodeSuccess = builder
  .objectRef<{ readonly deviceCode: DeviceCode }>('CreateAgentDeviceCodeSuccess')
  .implement({
    description: 'The code is issued. REST: 201.',
    fields: (t) => ({
      deviceCode: t.expose('deviceCode', { type: AgentDeviceCodeType, nullable: false, description: 'The new code.' }),
    }),
  })

addMutation('createAgentDeviceCode', {
  description: 'Issues another device code in the place of earlier ones. `ConflictError` once the agent is connected.',
  input: CreateAgentDeviceCodeInput,
  payload: payloadOf(
    'CreateAgentDeviceCodePayload',
    'Result of `createAgentDeviceCode`.',
    [CreateAgentDeviceCodeSuccess],
    [403, 404, 409],
  ),
  resolve: async ({ agentId }, { caller }) => ({
    __typename: 'CreateAgentDeviceCodeSuccess',
    deviceCode: await createDeviceCode(caller, agentId),
  }),
})

const RedeemAgentDeviceCodeInput = builder.inputType('RedeemAgentDeviceCodeInput', {
  description: 'Input of `redeemAgentDeviceCode`.',
  fields: (t) => ({ code: t.string({ required: true, description: '`SERVICE-AGENT-XXXX-XXXX`, in any case.' }) }),
})

const RedeemAgentDeviceCodeSuccess = builder.objectRef<Connection>('RedeemAgentDeviceCodeSuccess').implement({
  description: 'The agent is connected.',
  fields: (t) => ({
    agentId: t.id({
      nullable: false,
      description: '`Agent:<uuid>`.',
      resolve: ({ agentId }) => publicId('Agent', agentId),
    }),
    agentName: t.exposeString('agentName', { nullable: false, description: 'Given by the platform.' }),
    accessToken: t.exposeString('accessToken', {
      nullable: false,
      description: 'For `Authorization: Bearer`. Given out this once; it ends with the agent.',
    }),
    policy: t.expose('policy', { type: AgentPolicyType, nullable: false, description: 'What it may do.' }),
  }),
})

addMutation('redeemAgentDeviceCode', {
  description: "Connects an agent's software. Needs no credentials; at most ten a minute from one address.",
  input: RedeemAgentDeviceCodeInput,
  payload: payloadOf(
    'RedeemAgentDeviceCodePayload',
    'Result of `redeemAgentDeviceCode`.',
    [RedeemAgentDeviceCodeSuccess],
    [400, 404, 429],
  ),
  usesCredential: true,
  callers: 'PUBLIC',
  resolve: async ({ code }, { clientAddress }) => ({
    __typename: 'RedeemAgentDeviceCodeSuccess',
    ...(await redeemDeviceCode(clientAddress, code)),
  }),
})
