import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { pageSchema } from '#rest/schema.ts'
import { UmaProviderRecord } from './provider.ts'

const { texts } = UmaProviderRecord

export const umaProviderSchema = z
  .object({
    id: idOf('UmaProvider').describe(texts.id),
    name: z.string().describe(texts.name),
    domain: z.string().describe(texts.domain),
    supportedRegions: z.array(z.string()).describe(texts.supportedRegions),
    supportedCurrencies: z.array(z.string()).describe(texts.supportedCurrencies),
    logoUrl: z.string().optional().describe(texts.logoUrl),
    lei: z.string().optional().describe(texts.lei),
    allowListStatus: z.boolean().describe(texts.isAllowed),
  })
  .meta({ id: 'UmaProvider', description: 'An institution whose customers have UMA addresses.' })

export const umaProviderPageSchema = pageSchema('UmaProviderPage', umaProviderSchema)
