import { z } from 'zod'
import { timeSchema } from '#rest/schema.ts'
import { ENDPOINT_TEXTS, WebhookEndpointRecord } from './endpoint.ts'

const { texts } = WebhookEndpointRecord

export const rotationSchema = z
  .object({
    signingPublicKey: z.string().describe(texts.publicKey),
    nextSigningPublicKey: z.string().optional().describe(texts.nextPublicKey),
    nextKeyAt: timeSchema(texts.nextKeyAt).optional(),
    secret: z.string().optional().describe(ENDPOINT_TEXTS.secret),
  })
  .meta({ id: 'WebhookKeys', description: 'The keys that sign webhooks.' })
