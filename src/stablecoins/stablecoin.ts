// Stablecoins that the platform has registered (docs/domain/stablecoins.md#tokens).
import { z } from 'zod'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, partsOfId, requireUuid } from '#core/ids.ts'
import { idOf, labelOf, parseChanges, textOf } from '#core/input.ts'
import { oneOf, type RecordOf, record, selectPartsByIds, selectWritten, text, time } from '#database/record.ts'
import { recordList, refersTo } from '#database/record-list.ts'
import { inTransaction, isDuplicate } from '#database/unit-of-work.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { requireProvider } from './providers.ts'
import { requireUsableLink } from './usable-link.ts'

export const STABLECOIN_NETWORKS = ['SPARK'] as const

export const StablecoinRecord = record(
  'stablecoins',
  {
    id: text.describe('`Stablecoin:<uuid>`.'),
    stablecoinProviderAccountId: text.describe('`StablecoinProviderAccount:<uuid>` that issues it.'),
    providerTokenIdentifier: text.describe('ID of the token at the provider.'),
    networkTokenIdentifier: text.describe('ID of the token on its network.'),
    network: oneOf(STABLECOIN_NETWORKS).describe('The network that the tokens are on.'),
    createdAt: time.describe('When the stablecoin was registered.'),
    updatedAt: time.describe('When it was last changed.'),
  },
  'REFUSED',
)
export type Stablecoin = RecordOf<typeof StablecoinRecord>

const { texts } = StablecoinRecord

export const newStablecoin = z.object({
  providerTokenIdentifier: textOf(255).describe(texts.providerTokenIdentifier),
  networkTokenIdentifier: textOf(255).describe(texts.networkTokenIdentifier),
  network: labelOf(STABLECOIN_NETWORKS).describe(texts.network),
  stablecoinProviderAccountId: idOf('StablecoinProviderAccount')
    .nullish()
    .describe(`${texts.stablecoinProviderAccountId} Required if several links are active.`),
})

/**
 * Needs the permission MANAGE. Throws what `requireUsableLink` throws, 400 `INVALID_INPUT` if the provider does not issue the token, and 409
 * `CONFLICT`, reason `STABLECOIN_EXISTS`, if it is already registered.
 */
export const registerStablecoin = async (
  caller: PlatformCaller,
  input: unknown,
  record: RecordResult,
): Promise<Stablecoin> => {
  requirePermission(caller, 'MANAGE')
  const { stablecoinProviderAccountId, ...token } = parseChanges(
    newStablecoin,
    input,
    Object.keys(StablecoinRecord.shape),
  )
  const provider = requireProvider(caller.environment)
  const link = await requireUsableLink(
    caller,
    stablecoinProviderAccountId ? partsOfId(stablecoinProviderAccountId).uuid : null,
  )
  if (!(await provider.issues(link.credentials, link.providerAccountId, token))) {
    throw invalidInput('providerTokenIdentifier', 'The provider account does not issue this token')
  }
  const id = newUuid()
  try {
    await inTransaction(async (tx) => {
      await tx.$executeRaw`
        insert into stablecoins (platform_id, id, stablecoin_provider_account_id, provider_token_identifier, network_token_identifier, network)
        values (${caller.platformId}::uuid, ${id}::uuid, ${link.id}::uuid, ${token.providerTokenIdentifier},
          ${token.networkTokenIdentifier}, ${token.network}::stablecoin_network)`
      await record(tx, id)
    })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ApiError('CONFLICT', 'The stablecoin is already registered', { reason: 'STABLECOIN_EXISTS' })
  }
  return selectWritten(caller, StablecoinRecord, id)
}

/** Throws 404 `REFERENCE_NOT_FOUND` if the id is malformed or unknown. */
export const readStablecoin = async (caller: Caller, id: string): Promise<Stablecoin> => {
  StablecoinRecord.requireView(caller)
  return findStablecoin(caller, id)
}

/** Like `readStablecoin`, without a permission. */
export const findStablecoin = async (caller: Caller, id: string): Promise<Stablecoin> => {
  const uuid = requireUuid('Stablecoin', id, unknownStablecoin)
  const found = await selectPartsByIds(caller, StablecoinRecord, [uuid])
  const stablecoin = found.get(uuid)
  if (!stablecoin) throw unknownStablecoin()
  return stablecoin
}

const unknownStablecoin = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such stablecoin')

export const StablecoinFilterInput = z.object({
  stablecoinProviderAccountId: idOf('StablecoinProviderAccount')
    .nullish()
    .describe('Stablecoins of this provider account.'),
})

export const stablecoinList = recordList(StablecoinRecord, {
  name: 'stablecoins',
  filter: StablecoinFilterInput,
  matches: ({ stablecoinProviderAccountId }) => refersTo('stablecoin_provider_account_id', stablecoinProviderAccountId),
})
