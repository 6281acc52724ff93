// `/tokens` in the REST contract.
import { answer, body, emptyAnswer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { API_TOKEN_PARAMETERS, ApiTokenFilterInput } from './list.ts'
import { newApiToken } from './management.ts'
import { apiTokenPageSchema, apiTokenSchema, createdApiTokenSchema } from './rest-schema.ts'

const tags = ['API tokens']

export const apiTokenOperations: Operations = {
  '/tokens': {
    post: {
      operationId: 'createToken',
      'x-graphql': ['Mutation.createApiToken'],
      summary: 'Create an API token',
      description:
        'Returns the client secret. It is never shown again. The token may have permissions that the caller lacks.',
      tags,
      requestBody: body(newApiToken.meta({ id: 'ApiTokenRequest', description: 'The new token.' }), {
        name: 'Reporting',
        permissions: ['VIEW'],
      }),
      responses: { 201: answer('The new token and its secret.', createdApiTokenSchema), ...failures() },
    },
    get: {
      operationId: 'listTokens',
      'x-graphql': ['Query.apiTokens'],
      summary: 'List API tokens',
      tags,
      requestParams: { query: filterQuery(ApiTokenFilterInput, API_TOKEN_PARAMETERS) },
      responses: { 200: answer('A page of tokens.', apiTokenPageSchema), ...failures() },
    },
  },
  '/tokens/{tokenId}': {
    get: {
      operationId: 'getToken',
      'x-graphql': ['Query.node ... on ApiToken'],
      summary: 'Get an API token',
      tags,
      requestParams: { path: pathId('tokenId', 'Token') },
      responses: { 200: answer('The token.', apiTokenSchema), ...failures(404) },
    },
    delete: {
      operationId: 'deleteToken',
      'x-graphql': ['Mutation.deleteApiToken'],
      summary: 'Delete an API token',
      description: "The token is refused within half a second. 400 for the caller's own token.",
      tags,
      requestParams: { path: pathId('tokenId', 'Token') },
      responses: { 204: emptyAnswer('Deleted.'), ...failures(404) },
    },
  },
}
