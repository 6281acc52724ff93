import '#events/graphql.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { builder, type Context, type FieldBuilder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf, enumWithLabels } from '#graphql/enums.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { addMutation, type Success } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import {
  ENDPOINT_TEXTS,
  readEndpoint,
  type SetEndpoint,
  setEndpoint,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_ENDPOINT_STATUSES,
  type WebhookEndpoint,
  WebhookEndpointRecord,
  webhookEndpoint,
} from './endpoint.ts'
import { keyRotation, ROTATION_HOURS, rotateKey } from './rotation.ts'

const { texts } = WebhookEndpointRecord

const StatusEnum = enumOf('WebhookEndpointStatus', 'Whether events are sent.', WEBHOOK_ENDPOINT_STATUSES, {
  ENABLED: 'Events are sent.',
  SUSPENDED: 'Too many attempts in a row failed: one event is tried from time to time, and a success enables the rest.',
  DISABLED: 'Nothing is sent. Setting the endpoint again resumes where it stopped.',
})

const DisabledReasonEnum = enumOf('WebhookDisabledReason', 'Why an endpoint is disabled.', WEBHOOK_DISABLED_REASONS, {
  GONE: 'It answered 410.',
  FAILING: 'Every attempt of 7 days failed.',
})

export const WebhookEndpointType = builder.objectRef<WebhookEndpoint>('WebhookEndpoint').implement({
  description: 'The address that receives the events of the platform.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('WebhookEndpoint', 'id') }),
    url: t.exposeString('url', { nullable: false, description: texts.url }),
    types: t.expose('types', {
      type: [enumWithLabels(EVENT_TYPES)],
      nullable: { list: true, items: false },
      description: texts.types,
    }),
    endpointStatus: t.expose('status', { type: StatusEnum, nullable: false, description: texts.status }),
    status: t.expose('status', {
      type: StatusEnum,
      nullable: false,
      description: texts.status,
      deprecationReason: renamedTo('endpointStatus'),
    }),
    disabledReason: t.expose('disabledReason', { type: DisabledReasonEnum, description: texts.disabledReason }),
    signingPublicKey: t.exposeString('publicKey', { nullable: false, description: texts.publicKey }),
    nextSigningPublicKey: t.exposeString('nextPublicKey', { description: texts.nextPublicKey }),
    nextKeyAt: t.expose('nextKeyAt', { type: 'DateTime', description: texts.nextKeyAt }),
    failingSince: t.expose('failingSince', { type: 'DateTime', description: texts.failingSince }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(WebhookEndpointRecord, 'WebhookEndpoint')

builder.queryField('webhookEndpoint', (t) =>
  t.field({
    type: WebhookEndpointType,
    description:
      'The address that receives the events of the platform. Null if no endpoint is set. Errors: `FORBIDDEN` for an agent.',
    extensions: costing({ rows: 1 }),
    resolve: (_root, _args, { caller }) => readEndpoint(caller),
  }),
)

/** The endpoint, for the result of a mutation that is about something else. */
export const endpointField = <Parent>(t: FieldBuilder<Parent>) =>
  t.field({
    type: WebhookEndpointType,
    description: 'The endpoint after the change.',
    extensions: costing({ rows: 1 }),
    resolve: (_parent: Parent, _args: object, { caller }: Context) => readEndpoint(caller),
  })

const successOf = (description: string): Success<SetEndpoint> => ({
  description,
  fields: (t) => ({
    endpoint: t.expose('endpoint', {
      type: WebhookEndpointType,
      description: 'The endpoint after the change. Null if it was removed.',
    }),
    secret: t.exposeString('secret', { description: ENDPOINT_TEXTS.secret }),
  }),
})

addMutation('setWebhookEndpoint', {
  description:
    'Sets the address to which events are sent from now on, and sends the event `TEST` to it unless `types` leave it out. Errors: `INVALID_INPUT`, `WEBHOOK_ENDPOINT_NOT_SET` without a URL to keep. REST: `PATCH /config`.',
  input: schemaInput(webhookEndpoint),
  statuses: [400, 403],
  resolve: async (input, { caller }) => setEndpoint(caller, input),
  success: successOf('The endpoint is set, or removed.'),
})

addMutation('rotateWebhookKey', {
  description: `Creates the next signing key and secret. Webhooks carry both signatures for ${ROTATION_HOURS} hours, or until \`finish\`. Errors: \`WEBHOOK_ENDPOINT_NOT_SET\`, \`CONFLICT\` with the reason \`ROTATION_OPEN\` or \`NO_ROTATION\`.`,
  input: schemaInput(keyRotation),
  statuses: [400, 403, 409],
  resolve: async (input, { caller }) => rotateKey(caller, input),
  success: successOf('The rotation is open, or ended.'),
})
