// Links to the platform's account at a stablecoin provider (docs/domain/stablecoins.md#provider-accounts).
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Caller, ENVIRONMENTS, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { labelOf, parseChanges, textOf } from '#core/input.ts'
import { sealSecret } from '#core/keys.ts'
import { sql } from '#database/db.ts'
import { findById, nullable, oneOf, type RecordOf, record, selectWritten, text, time } from '#database/record.ts'
import { isOneOf, recordList } from '#database/record-list.ts'
import { inTransaction, isDuplicate } from '#database/unit-of-work.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import type { ProviderCredentials } from './provider.ts'
import { requireProvider } from './providers.ts'

export const STABLECOIN_PROVIDERS = ['BRALE'] as const
export const LINK_STATUSES = ['ACTIVE', 'INVALID', 'REVOKED'] as const

export const ProviderAccountRecord = record(
  'stablecoin_provider_accounts',
  {
    id: text.describe('`StablecoinProviderAccount:<uuid>`.'),
    provider: oneOf(STABLECOIN_PROVIDERS).describe('The provider.'),
    providerAccountId: text.describe('ID of the account at the provider.'),
    providerEnvironment: oneOf(ENVIRONMENTS).describe("The provider's environment, which is that of the API token."),
    status: oneOf(LINK_STATUSES).describe('Whether the link can be used.'),
    lastVerifiedAt: nullable(time).describe('When the provider last accepted the credentials. Only if it ever did.'),
    createdAt: time.describe('When the link was created.'),
    updatedAt: time.describe('When the link was last changed.'),
  },
  'REFUSED',
)
export type ProviderAccount = RecordOf<typeof ProviderAccountRecord>

const { texts } = ProviderAccountRecord

export const newProviderAccount = z.object({
  provider: labelOf(STABLECOIN_PROVIDERS).describe(texts.provider),
  apiClientId: textOf(255).describe('The client ID that the provider has issued.'),
  apiClientSecret: textOf(1024).describe('The client secret. It is stored encrypted, and no operation returns it.'),
  providerAccountId: textOf(255)
    .nullish()
    .describe(`${texts.providerAccountId} Defaults to the account that the credentials belong to.`),
})

/** Authenticated with the ciphertext, so that credentials cannot be moved to another link. */
export const sealedFor = (platformId: string, id: string) => `stablecoin credentials ${platformId} ${id}`

const sealed = (credentials: ProviderCredentials, owner: string) =>
  Buffer.from(sealSecret(JSON.stringify(credentials), owner))

/** Placeholder for the account at the provider until the credentials are accepted. It is not derived from the secret. */
const unknownAccount = (apiClientId: string) =>
  `client ${createHash('sha256').update(apiClientId).digest('hex').slice(0, 16)}`

/**
 * Needs the permission MANAGE. If the provider refuses the credentials, the link is `INVALID`. Throws 409 `CONFLICT`,
 * reason `ACCOUNT_EXISTS`, if an active link already has the account, and 501 `NOT_IMPLEMENTED` without a provider.
 */
export const linkProviderAccount = async (
  caller: PlatformCaller,
  input: unknown,
  record: RecordResult,
): Promise<ProviderAccount> => {
  requirePermission(caller, 'MANAGE')
  const {
    provider,
    providerAccountId: given = null,
    ...credentials
  } = parseChanges(newProviderAccount, input, Object.keys(ProviderAccountRecord.shape))
  const { platformId, environment } = caller
  const verdict = await requireProvider(environment).verify(credentials, {
    providerAccountId: given,
    wasVerified: false,
  })
  const isActive = verdict.status === 'ACTIVE'
  const providerAccountId = isActive ? verdict.providerAccountId : (given ?? unknownAccount(credentials.apiClientId))
  const id = newUuid()
  try {
    await inTransaction(async (tx) => {
      await tx.$executeRaw`
        insert into stablecoin_provider_accounts
          (platform_id, id, provider, provider_account_id, provider_environment, status, credentials_sealed, last_verified_at)
        values (${platformId}::uuid, ${id}::uuid, ${provider}::stablecoin_provider, ${providerAccountId}, ${environment}::environment,
          ${verdict.status}::stablecoin_provider_account_status, ${sealed(credentials, sealedFor(platformId, id))},
          ${isActive ? sql`now()` : null})`
      await record(tx, id)
    })
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw new ApiError('CONFLICT', 'An active link already has this account', { reason: 'ACCOUNT_EXISTS' })
  }
  return selectWritten(caller, ProviderAccountRecord, id)
}

export const unknownProviderAccount = () =>
  new ApiError('STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND', 'There is no such stablecoin provider account')

/** Needs the permission VIEW. Throws 404 `STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND` if the id is malformed or unknown. */
export const readProviderAccount = (caller: Caller, id: string): Promise<ProviderAccount> =>
  findById(caller, ProviderAccountRecord, 'StablecoinProviderAccount', id, unknownProviderAccount)

export const ProviderAccountFilterInput = z.object({
  provider: labelOf(STABLECOIN_PROVIDERS).nullish().describe('Links to this provider.'),
  status: labelOf(LINK_STATUSES).nullish().describe('Links in this state.'),
})

/** The conditions that REST offers. */
export const PROVIDER_ACCOUNT_PARAMETERS = ['provider', 'status'] as const

export const providerAccountList = recordList(ProviderAccountRecord, {
  name: 'stablecoinProviderAccounts',
  filter: ProviderAccountFilterInput,
  matches: ({ provider, status }) => [
    ...isOneOf('provider', 'stablecoin_provider', provider && [provider]),
    ...isOneOf('status', 'stablecoin_provider_account_status', status && [status]),
  ],
})
