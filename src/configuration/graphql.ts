// `platformConfig` and `updatePlatformConfig`: the configuration of the platform.
import { publicId } from '#core/ids.ts'
import { builder } from '#graphql/builder.ts'
import { inputOf } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { addMutation, payloadOf } from '#graphql/mutation.ts'
import { ENDPOINT_TEXTS, WebhookEndpointRecord } from '#webhooks/endpoint.ts'
import { WebhookEndpointType } from '#webhooks/graphql.ts'
import {
  CONFIGURATION_TEXTS,
  type Configuration,
  changeConfiguration,
  configurationChanges,
  PlatformConfigRecord,
  proxySubdomainOf,
  readConfiguration,
} from './configuration.ts'
import { SupportedCurrencyType } from './graphql-currencies.ts'
import {
  EmbeddedWalletConfigType,
  FeeConfigType,
  PasskeyConfigType,
  TokenizationConfigType,
} from './graphql-settings.ts'

const { texts } = PlatformConfigRecord

const PlatformConfigType = builder.objectRef<Configuration>('PlatformConfig').implement({
  description: 'The configuration of the platform.',
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: texts.id,
      resolve: ({ platform }) => publicId('PlatformConfig', platform.id),
    }),
    umaDomain: t.string({ description: texts.umaDomain, resolve: ({ platform }) => platform.umaDomain }),
    proxyUmaSubdomain: t.string({
      nullable: false,
      description: CONFIGURATION_TEXTS.proxyUmaSubdomain,
      resolve: ({ platform }) => proxySubdomainOf(platform),
    }),
    webhookEndpoint: t.expose('endpoint', {
      type: WebhookEndpointType,
      description: WebhookEndpointRecord.texts.url,
    }),
    supportedCurrencies: t.expose('currencies', {
      type: [SupportedCurrencyType],
      nullable: { list: false, items: false },
      description: CONFIGURATION_TEXTS.supportedCurrencies,
    }),
    isRegulatedFinancialInstitution: t.boolean({
      nullable: false,
      description: texts.isRegulatedFinancialInstitution,
      resolve: ({ platform }) => platform.isRegulatedFinancialInstitution,
    }),
    embeddedWalletConfig: t.field({
      type: EmbeddedWalletConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.embeddedWalletConfig,
      resolve: ({ platform }) => platform,
    }),
    passkeyConfig: t.field({
      type: PasskeyConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.passkeyConfig,
      resolve: ({ platform }) => platform,
    }),
    cardTokenization2faConfig: t.field({
      type: TokenizationConfigType,
      nullable: false,
      description: CONFIGURATION_TEXTS.cardTokenization2faConfig,
      resolve: ({ platform }) => platform.cardTokenization,
    }),
    feeConfigs: t.expose('fees', {
      type: [FeeConfigType],
      nullable: { list: false, items: false },
      description: CONFIGURATION_TEXTS.feeConfigs,
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: texts.createdAt,
      resolve: ({ platform }) => platform.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: texts.updatedAt,
      resolve: ({ platform }) => platform.updatedAt,
    }),
  }),
})

/** The configuration is read from this many rows. */
const ROWS_OF_CONFIGURATION = 4

builder.queryField('platformConfig', (t) =>
  t.field({
    type: PlatformConfigType,
    description: 'The configuration of the platform.',
    extensions: costing({ rows: ROWS_OF_CONFIGURATION }),
    resolve: (_root, _args, { caller }) => readConfiguration(caller),
  }),
)

interface Changed {
  readonly platformConfig: Configuration
  readonly webhookSecret: string | null
}

const UpdatePlatformConfigSuccess = builder.objectRef<Changed>('UpdatePlatformConfigSuccess').implement({
  description: 'The configuration is changed.',
  fields: (t) => ({
    platformConfig: t.expose('platformConfig', {
      type: PlatformConfigType,
      nullable: false,
      description: 'The configuration after the change.',
    }),
    webhookSecret: t.exposeString('webhookSecret', { description: ENDPOINT_TEXTS.secret }),
  }),
})

addMutation('updatePlatformConfig', {
  description:
    'Changes the configuration. Omitted fields are kept. Errors: `INVALID_INPUT`, `INVALID_CURRENCY`; `NOT_IMPLEMENTED` for a fee in a currency other than USD. REST: `PATCH /config`.',
  input: inputOf('UpdatePlatformConfigInput', 'Input of `updatePlatformConfig`.', configurationChanges),
  check: configurationChanges,
  payload: payloadOf(
    'UpdatePlatformConfigPayload',
    'Result of `updatePlatformConfig`.',
    [UpdatePlatformConfigSuccess],
    [400, 403],
  ),
  resolve: async (input, { caller }) => {
    const { webhookSecret, ...platformConfig } = await changeConfiguration(caller, input)
    return { __typename: 'UpdatePlatformConfigSuccess', platformConfig, webhookSecret }
  },
})
