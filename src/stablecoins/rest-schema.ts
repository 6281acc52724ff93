import { z } from 'zod'
import { ENVIRONMENTS } from '#core/caller.ts'
import { idOf } from '#core/input.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import { OPERATION_STATUSES, StablecoinOperationRecord } from './operation.ts'
import { LINK_STATUSES, ProviderAccountRecord, STABLECOIN_PROVIDERS } from './provider-account.ts'
import { OPERATION_TYPES, STABLECOIN_QUOTE_STATUSES, StablecoinQuoteRecord } from './quote.ts'
import { STABLECOIN_NETWORKS, StablecoinRecord } from './stablecoin.ts'

const link = ProviderAccountRecord.texts

export const providerAccountSchema = z
  .object({
    id: idOf('StablecoinProviderAccount').describe(link.id),
    provider: z.enum(STABLECOIN_PROVIDERS).describe(link.provider),
    providerAccountId: z.string().describe(link.providerAccountId),
    providerEnvironment: z.enum(ENVIRONMENTS).describe(link.providerEnvironment),
    status: z.enum(LINK_STATUSES).describe(link.status),
    lastVerifiedAt: timeSchema(link.lastVerifiedAt).optional(),
    createdAt: timeSchema(link.createdAt),
    updatedAt: timeSchema(link.updatedAt),
  })
  .meta({ id: 'StablecoinProviderAccount', description: "A link to the platform's account at a stablecoin provider." })

export const providerAccountPageSchema = pageSchema('StablecoinProviderAccountPage', providerAccountSchema)

const coin = StablecoinRecord.texts

export const stablecoinSchema = z
  .object({
    id: idOf('Stablecoin').describe(coin.id),
    stablecoinProviderAccountId: idOf('StablecoinProviderAccount').describe(coin.stablecoinProviderAccountId),
    providerTokenIdentifier: z.string().describe(coin.providerTokenIdentifier),
    networkTokenIdentifier: z.string().describe(coin.networkTokenIdentifier),
    network: z.enum(STABLECOIN_NETWORKS).describe(coin.network),
    createdAt: timeSchema(coin.createdAt),
    updatedAt: timeSchema(coin.updatedAt),
  })
  .meta({ id: 'Stablecoin', description: 'A stablecoin that the platform issues through a provider.' })

export const stablecoinPageSchema = pageSchema('StablecoinPage', stablecoinSchema)

const place = (description: string) =>
  z.object({ accountId: idOf('InternalAccount', 'ExternalAccount') }).describe(description)
const places = {
  source: place('Where the funds come from: the account in US dollars for a mint, the Spark wallet for a burn.'),
  destination: place('Where the funds go: the Spark wallet for a mint, the account in US dollars for a burn.'),
}

const quote = StablecoinQuoteRecord.texts

export const stablecoinQuoteSchema = z
  .object({
    id: idOf('StablecoinQuote').describe(quote.id),
    stablecoinId: idOf('Stablecoin').describe(quote.stablecoinId),
    operationType: z.enum(OPERATION_TYPES).describe(quote.operationType),
    amount: z.string().describe(quote.amount),
    ...places,
    status: z.enum(STABLECOIN_QUOTE_STATUSES).describe(quote.status),
    createdAt: timeSchema(quote.createdAt),
    expiresAt: timeSchema(quote.expiresAt),
  })
  .meta({ id: 'StablecoinQuote', description: 'A quote of a mint or a burn.' })

const operation = StablecoinOperationRecord.texts

export const operationSchema = z
  .object({
    id: idOf('StablecoinOperation').describe(operation.id),
    stablecoinId: idOf('Stablecoin').describe(operation.stablecoinId),
    quoteId: idOf('StablecoinQuote').describe(operation.quoteId),
    operationType: z.enum(OPERATION_TYPES).describe(operation.operationType),
    status: z.enum(OPERATION_STATUSES).describe(operation.status),
    amount: z.string().describe(operation.amount),
    ...places,
    createdAt: timeSchema(operation.createdAt),
    updatedAt: timeSchema(operation.updatedAt),
  })
  .meta({ id: 'StablecoinOperation', description: 'A mint or a burn.' })

export const operationPageSchema = pageSchema('StablecoinOperationPage', operationSchema)
