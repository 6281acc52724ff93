// `/config`: the settings of the platform.
import { answer, body, failures, type Operations } from '#rest/operation.ts'
import { configurationChanges } from './configuration.ts'
import { changedConfigurationSchema, configurationSchema } from './rest-schema.ts'

const tags = ['Platform']

export const configurationOperations: Operations = {
  '/config': {
    get: {
      operationId: 'getConfig',
      summary: 'Read the settings of the platform',
      tags,
      responses: { 200: answer('The settings.', configurationSchema), ...failures() },
    },
    patch: {
      operationId: 'updateConfig',
      summary: 'Change the settings of the platform',
      tags,
      requestBody: body(
        configurationChanges.meta({
          id: 'PlatformConfigRequest',
          description: 'The changes. Omitted fields are kept.',
        }),
        { webhookEndpoint: 'https://platform.example/webhooks' },
      ),
      responses: { 200: answer('The settings after the change.', changedConfigurationSchema), ...failures() },
    },
  },
}
