// `/config`: the configuration of the platform.
import { answer, body, failures, type Operations } from '#rest/operation.ts'
import { configurationChanges } from './configuration.ts'
import { changedConfigurationSchema, configurationSchema } from './rest-schema.ts'

const tags = ['Platform']

export const configurationOperations: Operations = {
  '/config': {
    get: {
      operationId: 'getConfig',
      'x-graphql': ['Query.platformConfig', 'Query.webhookEndpoint'],
      summary: 'Get the configuration of the platform',
      tags,
      responses: { 200: answer('The configuration.', configurationSchema), ...failures() },
    },
    patch: {
      operationId: 'updateConfig',
      'x-graphql': ['Mutation.updatePlatformConfig', 'Mutation.setWebhookEndpoint'],
      summary: 'Change the configuration of the platform',
      tags,
      requestBody: body(
        configurationChanges.meta({
          id: 'PlatformConfigRequest',
          description: 'The changes. Omitted fields are kept.',
        }),
        {
          webhookEndpoint: 'https://platform.example/webhooks',
          embeddedWalletConfig: { appName: 'Paygraph demo', otpLength: 6 },
        },
      ),
      responses: { 200: answer('The configuration after the change.', changedConfigurationSchema), ...failures(501) },
    },
  },
}
