// `/tokens`: the API tokens of the platform.
import { publicId } from '#core/ids.ts'
import { bodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { API_TOKEN_PARAMETERS, apiTokenList } from './list.ts'
import { createApiToken, deleteApiToken, readApiToken } from './management.ts'
import type { apiTokenSchema, createdApiTokenSchema } from './rest-schema.ts'
import type { ApiToken } from './token.ts'

export const apiTokenRoutes = router()

apiTokenRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const { apiToken, clientSecret } = await createApiToken(context.var.caller, input)
  const created: BodyOf<typeof createdApiTokenSchema> = { ...apiTokenBody(apiToken), clientSecret }
  return context.json(created, 201)
})

apiTokenRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, apiTokenList, API_TOKEN_PARAMETERS)
  return sendPage(context, found, found.page.items.map(apiTokenBody))
})

apiTokenRoutes.get('/:id', async (context) =>
  context.json(apiTokenBody(await readApiToken(context.var.caller, context.req.param('id')))),
)

apiTokenRoutes.delete('/:id', async (context) => {
  await deleteApiToken(context.var.caller, context.req.param('id'))
  return context.body(null, 204)
})

const apiTokenBody = (token: ApiToken): BodyOf<typeof apiTokenSchema> => ({
  id: publicId('Token', token.id),
  name: token.name,
  permissions: token.permissions,
  clientId: token.clientId,
  createdAt: token.createdAt,
  updatedAt: token.updatedAt,
})
