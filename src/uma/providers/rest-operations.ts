// `/uma-providers` in the REST contract.
import { answer, failures, filterQuery, type Operations } from '#rest/operation.ts'
import { UMA_PROVIDER_PARAMETERS, UmaProviderFilterInput } from './provider.ts'
import { umaProviderPageSchema } from './rest-schema.ts'

export const umaProviderOperations: Operations = {
  '/uma-providers': {
    get: {
      operationId: 'listUmaProviders',
      'x-graphql': ['Query.umaProviders'],
      summary: 'List UMA providers',
      description: 'The institutions that the platform can deal with over UMA. The operator adds them.',
      tags: ['UMA'],
      requestParams: { query: filterQuery(UmaProviderFilterInput, UMA_PROVIDER_PARAMETERS) },
      responses: { 200: answer('A page of providers.', umaProviderPageSchema), ...failures() },
    },
  },
}
