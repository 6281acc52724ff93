// Device codes. Platforms issue them, and the holder of a code redeems it without credentials.
import { AgentRecord } from '#agents/agent.ts'
import { AgentNode } from '#agents/graphql.ts'
import { AgentPolicyType } from '#agents/policy/graphql.ts'
import { AGENT_TEXTS, CONNECTION_TEXTS, DEVICE_CODE_TEXTS } from '#agents/texts.ts'
import { requirePlatform } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { builder } from '#graphql/builder.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { load } from '#graphql/load.ts'
import { addMutation } from '#graphql/mutation.ts'
import {
  createDeviceCode,
  type DeviceCode,
  deviceCodeRequest,
  findDeviceCode,
  redeemDeviceCode,
} from './device-code.ts'

export const AgentDeviceCodeType = builder.objectRef<DeviceCode>('AgentDeviceCode').implement({
  description: "One-time code that connects an agent's software.",
  fields: (t) => ({
    code: t.exposeString('code', {
      nullable: false,
      description: DEVICE_CODE_TEXTS.code,
    }),
    agentId: t.id({
      nullable: false,
      description: DEVICE_CODE_TEXTS.agentId,
      resolve: ({ agentId }) => publicId('Agent', agentId),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: DEVICE_CODE_TEXTS.expiresAt,
    }),
    redeemed: t.exposeBoolean('redeemed', { nullable: false, description: DEVICE_CODE_TEXTS.redeemed }),
  }),
})

type Status = Pick<DeviceCode, 'code' | 'redeemed'>

const AgentDeviceCodeStatusType = builder.objectRef<Status>('AgentDeviceCodeStatus').implement({
  description: 'Status of a device code.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: false, description: DEVICE_CODE_TEXTS.code }),
    redeemed: t.exposeBoolean('redeemed', { nullable: false, description: DEVICE_CODE_TEXTS.redeemed }),
  }),
})

builder.queryField('agentDeviceCode', (t) =>
  t.field({
    type: AgentDeviceCodeStatusType,
    description: 'Status of a device code. Null if the code is unknown. Errors: `FORBIDDEN` for an agent.',
    extensions: costing({ rows: 1 }),
    args: { code: t.arg.string({ required: true, description: DEVICE_CODE_TEXTS.code }) },
    resolve: (_root, { code }, { caller }) => findDeviceCode(requirePlatform(caller), code),
  }),
)

addMutation('createAgentDeviceCode', {
  description:
    'Issues a device code. Voids earlier codes that were not redeemed. Errors: `REFERENCE_NOT_FOUND`, `CONFLICT` if the agent is already connected.',
  input: fieldsInput((t) => ({ agentId: t.id({ required: true, description: AgentRecord.texts.id }) })),
  statuses: [403, 404, 409],
  resolve: async ({ agentId }, { caller }) => ({ deviceCode: await createDeviceCode(caller, agentId) }),
  success: {
    description: 'The device code is issued. REST: 201.',
    fields: (t) => ({
      deviceCode: t.expose('deviceCode', {
        type: AgentDeviceCodeType,
        nullable: false,
        description: 'The new device code.',
      }),
      agent: t.field({
        type: AgentNode,
        description: 'The agent that the code connects.',
        resolve: ({ deviceCode }, _args, context) => load(context, AgentRecord.byIds, deviceCode.agentId),
      }),
    }),
  },
})

addMutation('redeemAgentDeviceCode', {
  description:
    'Redeems a device code and connects the agent. Needs no credentials. At most ten attempts per minute from one address. Errors: `INVALID_INPUT`, `REFERENCE_NOT_FOUND`, `RATE_LIMITED`.',
  input: schemaInput(deviceCodeRequest),
  statuses: [400, 404, 429],
  usesCredential: true,
  callers: 'PUBLIC',
  resolve: async ({ code }, { clientAddress }) => redeemDeviceCode(clientAddress(), code),
  success: {
    description: 'The agent is connected.',
    fields: (t) => ({
      agentId: t.id({
        nullable: false,
        description: CONNECTION_TEXTS.agentId,
        resolve: ({ agentId }) => publicId('Agent', agentId),
      }),
      agentName: t.exposeString('agentName', { nullable: false, description: AgentRecord.texts.name }),
      accessToken: t.exposeString('accessToken', {
        nullable: false,
        description: CONNECTION_TEXTS.accessToken,
      }),
      policy: t.expose('policy', { type: AgentPolicyType, nullable: false, description: AGENT_TEXTS.policy }),
    }),
  },
})
