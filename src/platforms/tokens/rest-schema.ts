import { z } from 'zod'
import { API_PERMISSIONS } from '#core/caller.ts'
import { idOf } from '#core/input.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import { ApiTokenRecord, TOKEN_TEXTS } from './token.ts'

const { texts } = ApiTokenRecord

export const apiTokenSchema = z
  .object({
    id: idOf('Token').describe(texts.id),
    name: z.string().describe(texts.name),
    permissions: z.array(z.enum(API_PERMISSIONS)).describe(texts.permissions),
    clientId: z.string().describe(texts.clientId),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'ApiToken', description: 'The credentials of a platform for HTTP Basic.' })

export const createdApiTokenSchema = apiTokenSchema
  .extend({ clientSecret: z.string().describe(TOKEN_TEXTS.secret) })
  .meta({ id: 'CreatedApiToken', description: 'A new API token with its secret.' })

export const apiTokenPageSchema = pageSchema('ApiTokenPage', apiTokenSchema)
