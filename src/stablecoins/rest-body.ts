// Stablecoins as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import { textOfAmount } from './amount.ts'
import type { StablecoinOperation } from './operation.ts'
import type { ProviderAccount } from './provider-account.ts'
import type { StablecoinQuote } from './quote.ts'
import type { operationSchema, providerAccountSchema, stablecoinQuoteSchema, stablecoinSchema } from './rest-schema.ts'
import type { Stablecoin } from './stablecoin.ts'

export const providerAccountBody = (link: ProviderAccount): BodyOf<typeof providerAccountSchema> => ({
  id: publicId('StablecoinProviderAccount', link.id),
  provider: link.provider,
  providerAccountId: link.providerAccountId,
  providerEnvironment: link.providerEnvironment,
  status: link.status,
  lastVerifiedAt: link.lastVerifiedAt ?? undefined,
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
})

export const stablecoinBody = (coin: Stablecoin): BodyOf<typeof stablecoinSchema> => ({
  id: publicId('Stablecoin', coin.id),
  stablecoinProviderAccountId: publicId('StablecoinProviderAccount', coin.stablecoinProviderAccountId),
  providerTokenIdentifier: coin.providerTokenIdentifier,
  networkTokenIdentifier: coin.networkTokenIdentifier,
  network: coin.network,
  createdAt: coin.createdAt,
  updatedAt: coin.updatedAt,
})

type Placed = Pick<StablecoinQuote, 'operationType' | 'internalAccountId' | 'externalAccountId'>

const placesOf = ({ operationType, internalAccountId, externalAccountId }: Placed) => {
  const account = { accountId: publicId('InternalAccount', internalAccountId) }
  const wallet = { accountId: publicId('ExternalAccount', externalAccountId) }
  return operationType === 'MINT' ? { source: account, destination: wallet } : { source: wallet, destination: account }
}

export const stablecoinQuoteBody = (quote: StablecoinQuote): BodyOf<typeof stablecoinQuoteSchema> => ({
  id: publicId('StablecoinQuote', quote.id),
  stablecoinId: publicId('Stablecoin', quote.stablecoinId),
  operationType: quote.operationType,
  amount: textOfAmount(quote.amount),
  ...placesOf(quote),
  status: quote.status,
  createdAt: quote.createdAt,
  expiresAt: quote.expiresAt,
})

export const operationBody = (operation: StablecoinOperation): BodyOf<typeof operationSchema> => ({
  id: publicId('StablecoinOperation', operation.id),
  stablecoinId: publicId('Stablecoin', operation.stablecoinId),
  quoteId: publicId('StablecoinQuote', operation.quoteId),
  operationType: operation.operationType,
  status: operation.status,
  amount: textOfAmount(operation.amount),
  ...placesOf(operation),
  createdAt: operation.createdAt,
  updatedAt: operation.updatedAt,
})
