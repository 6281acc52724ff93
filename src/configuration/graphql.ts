// `platformConfig` and `updatePlatformConfig`: the configuration of the platform.
import { publicId } from '#core/ids.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { column, from, idOf } from '#graphql/compiled/field.ts'
import { nodeBy } from '#graphql/compiled/nodes.ts'
import { partOf, rowOf } from '#graphql/compiled/parts.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { addMutation } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { EnvironmentEnum, ViewerType } from '#platforms/graphql.ts'
import { findCurrencies } from '#platforms/settings/currencies.ts'
import { findFees } from '#quotes/platform-fee.ts'
import { ENDPOINT_TEXTS, findEndpoint, WebhookEndpointRecord } from '#webhooks/endpoint.ts'
import { WebhookEndpointType } from '#webhooks/graphql.ts'
import {
  CONFIGURATION_TEXTS,
  changeConfiguration,
  configurationChanges,
  PlatformConfigRecord,
  type PlatformSettings,
  proxySubdomainOf,
} from './configuration.ts'
import { SupportedCurrencyType } from './graphql-currencies.ts'
import {
  EmbeddedWalletConfigType,
  FeeConfigType,
  PasskeyConfigType,
  TokenizationConfigType,
} from './graphql-settings.ts'

const { texts } = PlatformConfigRecord

const PlatformConfigType = builder.objectRef<PlatformSettings>('PlatformConfig').implement({
  description: 'The platform and its configuration. Errors: `FORBIDDEN` for an agent.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('PlatformConfig', 'id') }),
    name: t.exposeString('name', { nullable: false, description: texts.name }),
    environment: t.expose('environment', { type: EnvironmentEnum, nullable: false, description: texts.environment }),
    umaDomain: t.exposeString('umaDomain', { description: texts.umaDomain }),
    proxyUmaSubdomain: t.string({
      nullable: false,
      description: CONFIGURATION_TEXTS.proxyUmaSubdomain,
      ...from<PlatformSettings>()(['id'], proxySubdomainOf),
    }),
    webhookEndpoint: t.field({
      type: WebhookEndpointType,
      description: WebhookEndpointRecord.texts.url,
      extensions: costing({ rows: 1 }),
      resolve: (_platform, _args, { caller }) => findEndpoint(caller),
    }),
    supportedCurrencies: t.field({
      type: [SupportedCurrencyType],
      nullable: { list: false, items: false },
      description: CONFIGURATION_TEXTS.supportedCurrencies,
      extensions: costing({ rows: 1 }),
      resolve: (_platform, _args, { caller }) => findCurrencies(caller),
    }),
    isRegulatedFinancialInstitution: t.exposeBoolean('isRegulatedFinancialInstitution', {
      nullable: false,
      description: texts.isRegulatedFinancialInstitution,
    }),
    embeddedWalletConfig: t.field({
      type: EmbeddedWalletConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.embeddedWalletConfig,
      ...partOf(),
    }),
    passkeyConfig: t.field({
      type: PasskeyConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.passkeyConfig,
      ...partOf(),
    }),
    cardTokenization2faConfig: t.field({
      type: TokenizationConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.cardTokenization2faConfig,
      ...column('cardTokenization'),
    }),
    feeConfigs: t.field({
      type: [FeeConfigType],
      nullable: { list: false, items: false },
      description: CONFIGURATION_TEXTS.feeConfigs,
      extensions: costing({ rows: 1 }),
      resolve: (_platform, _args, { caller }) => findFees(caller),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(PlatformConfigRecord, 'PlatformConfig')

builder.queryField('platformConfig', (t) =>
  t.field({
    type: PlatformConfigType,
    description: 'The platform and its configuration. Errors: `FORBIDDEN` for an agent.',
    ...nodeBy<PlatformSettings>()(
      () => ['PlatformConfig'],
      (_args: object, { platformId }) => publicId('PlatformConfig', platformId),
    ),
  }),
)

builder.objectField(ViewerType, 'platformConfig', (t) =>
  t.field({
    type: PlatformConfigType,
    description: 'The platform that is calling, and its configuration. Errors: `FORBIDDEN` for an agent.',
    ...rowOf(PlatformConfigRecord, 'platformId'),
  }),
)

addMutation('updatePlatformConfig', {
  description:
    'Changes the configuration. Omitted fields are kept. Errors: `INVALID_INPUT`, `INVALID_CURRENCY`; `NOT_IMPLEMENTED` for a fee in a currency other than USD. REST: `PATCH /config`.',
  input: schemaInput(configurationChanges),
  statuses: [400, 403],
  resolve: async (input, { caller }) => {
    const { webhookSecret, platform: platformConfig } = await changeConfiguration(caller, input)
    return { platformConfig, webhookSecret }
  },
  success: {
    description: 'The configuration is changed.',
    fields: (t) => ({
      platformConfig: t.expose('platformConfig', {
        type: PlatformConfigType,
        nullable: false,
        description: 'The configuration after the change.',
      }),
      webhookSecret: t.exposeString('webhookSecret', { description: ENDPOINT_TEXTS.secret }),
    }),
  },
})
