import type { Caller } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { builder, type Context, NodeInterface } from '#graphql/builder.ts'
import { idOf, read } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { listField, listType } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { addMutation } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { ApiPermissionEnum, ViewerType } from '#platforms/graphql.ts'
import { ApiTokenFilterInput, apiTokenList } from './list.ts'
import { createApiToken, deleteApiToken, newApiToken } from './management.ts'
import { type ApiToken, ApiTokenRecord, TOKEN_TEXTS } from './token.ts'

const { texts } = ApiTokenRecord

const ApiTokenNode = builder.objectRef<ApiToken>('ApiToken').implement({
  description: 'The credentials of a platform for HTTP Basic.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Token', 'id') }),
    name: t.exposeString('name', { nullable: false, description: texts.name }),
    permissions: t.expose('permissions', {
      type: [ApiPermissionEnum],
      nullable: { list: false, items: false },
      description: texts.permissions,
    }),
    clientId: t.exposeString('clientId', { nullable: false, description: texts.clientId }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(ApiTokenRecord, 'Token', 'ApiToken')

const apiTokens = listType('ApiToken', ApiTokenNode, 'API tokens', apiTokenList, ApiTokenFilterInput)

builder.queryField('apiTokens', (t) => listField(t, apiTokens, 'API tokens of the platform.'))

builder.objectField(ViewerType, 'apiToken', (t) =>
  t.field({
    type: ApiTokenNode,
    description: 'The API token of the request. Null for an agent.',
    ...read(
      (caller: Caller, _args: object, context: Context) =>
        caller.scheme === 'PLATFORM' ? load(context, ApiTokenRecord.byIds, caller.tokenId) : null,
      rowOf(ApiTokenRecord, 'tokenId').extensions.compile,
    ),
  }),
)

addMutation('createApiToken', {
  description:
    'Creates an API token. It may have permissions that the token of the caller lacks. Error: `INVALID_INPUT`.',
  input: schemaInput(newApiToken),
  statuses: [400, 401, 403],
  resolve: async (input, { caller }) => createApiToken(caller, input),
  success: {
    description: 'The token is created. REST: 201.',
    fields: (t) => ({
      apiToken: t.expose('apiToken', { type: ApiTokenNode, nullable: false, description: 'The new token.' }),
      clientSecret: t.exposeString('clientSecret', { nullable: false, description: TOKEN_TEXTS.secret }),
    }),
  },
})

addMutation('deleteApiToken', {
  description:
    'Deletes an API token. Requests with it are refused within half a second. A token cannot delete itself. Errors: `INVALID_INPUT`, `TOKEN_NOT_FOUND`.',
  input: fieldsInput((t) => ({ id: t.id({ required: true, description: texts.id }) })),
  statuses: [400, 401, 403, 404],
  resolve: async ({ id }, { caller }) => ({ id: await deleteApiToken(caller, id) }),
  success: {
    description: 'The token is deleted. REST: 204.',
    fields: (t) => ({
      deletedApiTokenId: t.id({ nullable: false, description: texts.id, resolve: ({ id }) => publicId('Token', id) }),
    }),
  },
})
