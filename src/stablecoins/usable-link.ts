// Chooses the link that an operation goes through, and has the provider confirm it (docs/domain/stablecoins.md#provider-accounts).
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { openSecret } from '#core/keys.ts'
import { db, sql } from '#database/db.ts'
import type { ProviderCredentials } from './provider.ts'
import { type ProviderAccount, sealedFor, unknownProviderAccount } from './provider-account.ts'
import { requireProvider } from './providers.ts'

interface Link {
  readonly id: string
  readonly status: ProviderAccount['status']
  readonly providerAccountId: string
  readonly sealed: Uint8Array
}

export interface UsableLink {
  readonly id: string
  readonly providerAccountId: string
  readonly credentials: ProviderCredentials
}

const notUsable = (status: 'INVALID' | 'REVOKED') =>
  status === 'REVOKED'
    ? new ApiError('STABLECOIN_PROVIDER_ACCOUNT_REVOKED', 'The provider has revoked the credentials of the link')
    : new ApiError('STABLECOIN_PROVIDER_ACCOUNT_INVALID', 'The provider does not accept the credentials of the link')

const linksOf = ({ platformId }: PlatformCaller, id: string | null): Promise<Link[]> =>
  db.$queryRaw<Link[]>`
    select id, status, provider_account_id as "providerAccountId", credentials_sealed as sealed
    from stablecoin_provider_accounts
    where platform_id = ${platformId}::uuid and (${id}::uuid is null or id = ${id}::uuid)
    order by status = 'ACTIVE' desc, created_at desc, id desc limit 2`

/**
 * The link with this bare uuid or, without one, the only active one. Throws 404 `STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND`, and 400
 * `STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED`, `_INVALID` and `_REVOKED`. Asks the provider, so call it outside of transactions.
 */
export const requireUsableLink = async (caller: PlatformCaller, id: string | null): Promise<UsableLink> => {
  const [link, another] = await linksOf(caller, id)
  if (!link) throw unknownProviderAccount()
  if (another?.status === 'ACTIVE') {
    throw new ApiError(
      'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
      'Several links are active: name one in stablecoinProviderAccountId',
      { field: 'stablecoinProviderAccountId' },
    )
  }
  if (link.status !== 'ACTIVE') throw notUsable(link.status)
  const { platformId, environment } = caller
  const owner = sealedFor(platformId, link.id)
  const credentials: ProviderCredentials = JSON.parse(openSecret(link.sealed, owner).toString('utf8'))
  const { providerAccountId } = link
  const { status } = await requireProvider(environment).verify(credentials, { providerAccountId, wasVerified: true })
  await db.$executeRaw`
    update stablecoin_provider_accounts
    set status = ${status}::stablecoin_provider_account_status, updated_at = now(),
      last_verified_at = ${status === 'ACTIVE' ? sql`now()` : sql`last_verified_at`}
    where platform_id = ${platformId}::uuid and id = ${link.id}::uuid and status = 'ACTIVE'`
  if (status !== 'ACTIVE') throw notUsable(status)
  return { id: link.id, providerAccountId, credentials }
}

/**
 * The same for a stablecoin that was registered through this link. If the link is not active, an active one to the same account at the provider
 * takes its place.
 */
export const requireLinkOf = async (caller: PlatformCaller, linkId: string): Promise<UsableLink> => {
  const [active] = await db.$queryRaw<{ id: string }[]>`
    select active.id from stablecoin_provider_accounts link
    join stablecoin_provider_accounts active using (platform_id, provider, provider_account_id)
    where platform_id = ${caller.platformId}::uuid and link.id = ${linkId}::uuid and active.status = 'ACTIVE'`
  return requireUsableLink(caller, active?.id ?? linkId)
}
