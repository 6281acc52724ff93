import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { timeSchema } from '#rest/schema.ts'
import { ENDPOINT_TEXTS, WebhookEndpointRecord } from '#webhooks/endpoint.ts'
import { PlatformConfigRecord } from './configuration.ts'

const { texts } = PlatformConfigRecord

export const configurationSchema = z
  .object({
    id: idOf('PlatformConfig').describe(texts.id),
    webhookEndpoint: z.string().optional().describe(WebhookEndpointRecord.texts.url),
    webhookSigningPublicKey: z.string().optional().describe(WebhookEndpointRecord.texts.publicKey),
    webhookNextSigningPublicKey: z.string().optional().describe(WebhookEndpointRecord.texts.nextPublicKey),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'PlatformConfig', description: 'The settings of the platform.' })

export const changedConfigurationSchema = configurationSchema
  .extend({ webhookSecret: z.string().optional().describe(ENDPOINT_TEXTS.secret) })
  .meta({ id: 'ChangedPlatformConfig', description: 'The settings of the platform after the change.' })
