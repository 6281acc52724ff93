// Stablecoins: linked accounts, tokens, quotes and operations, made over REST or without the API.
import { randomUUID } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { sealSecret } from '#core/keys.ts'
import { db } from '#database/db.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'
import {
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  type Platform,
} from '#test/setup/world.ts'

/** A POST with a key of its own. */
export const post = (platform: Platform, path: string, body?: object, key: string = randomUUID()): Promise<Answer> =>
  send(platform, 'POST', path, body, { 'idempotency-key': key })

/** An address of the sandbox. It ends in one of the sandbox's suffixes. */
export const FAILING_SPARK_ADDRESS = 'sparkrt1pgssxvv477knl4xuezth4kcswayeyklqxm43khsky6tgjyx9q92fu6ejr4w002'

export const createStablecoinIssuer = async ({ suffix = '', balance = 100_000n } = {}) => {
  const platform = await createPlatform()
  const { id: customerId } = await createCustomer(platform)
  const account = await createInternalAccount(platform, { customerId, balance })
  const wallet = await createExternalAccount(platform, {
    customerId,
    currency: 'USDB',
    accountType: 'SPARK_WALLET',
    accountInfo: { address: `spark1address${suffix}` },
  })
  const link = await post(platform, '/stablecoin-provider-accounts', {
    provider: 'BRALE',
    apiClientId: `client ${randomUUID()} 001`,
    apiClientSecret: 'a secret',
  })
  const coin = await post(platform, '/stablecoins', {
    providerTokenIdentifier: 'ACME',
    networkTokenIdentifier: `btkn1${randomUUID()}`,
    network: 'SPARK',
  })
  return {
    platform,
    customerId: publicId('Customer', customerId),
    dollars: publicId('InternalAccount', account.id),
    wallet: publicId('ExternalAccount', wallet.id),
    link: link.body,
    coin: coin.body,
  }
}
export type Issuer = Awaited<ReturnType<typeof createStablecoinIssuer>>

/** The body of a mint or a burn. */
export const quoteBody = ({ dollars, wallet }: Issuer, type: 'mint' | 'burn', amount = '10.50') => {
  const [account, tokens] = [{ accountId: dollars }, { accountId: wallet }]
  return type === 'mint'
    ? { amount, source: account, destination: tokens }
    : { amount, source: tokens, destination: account }
}

interface Row {
  readonly id?: string
  readonly createdAt?: Date
}

// Rows without the API.

export const createProviderAccount = async (
  { id: platformId }: Pick<Platform, 'id'>,
  { id = randomUUID(), createdAt = new Date(), status = 'ACTIVE' }: Row & { status?: string } = {},
) => {
  const credentials = JSON.stringify({ apiClientId: id, apiClientSecret: 'a secret' })
  const sealed = Buffer.from(sealSecret(credentials, `stablecoin credentials ${platformId} ${id}`))
  await db.$executeRaw`
    insert into stablecoin_provider_accounts
      (platform_id, id, provider, provider_account_id, provider_environment, status, credentials_sealed, last_verified_at, created_at, updated_at)
    values (${platformId}::uuid, ${id}::uuid, 'BRALE', ${id}, 'SANDBOX', ${status}::stablecoin_provider_account_status, ${sealed}, ${createdAt},
      ${createdAt}, ${createdAt})`
  return { id }
}

export const createStablecoin = async (
  platform: Pick<Platform, 'id'>,
  { id = randomUUID(), createdAt = new Date(), linkId }: Row & { linkId: string },
) => {
  await db.$executeRaw`
    insert into stablecoins
      (platform_id, id, stablecoin_provider_account_id, provider_token_identifier, network_token_identifier, network, created_at, updated_at)
    values (${platform.id}::uuid, ${id}::uuid, ${linkId}::uuid, ${id}, ${id}, 'SPARK', ${createdAt}, ${createdAt})`
  return { id }
}

interface Placed extends Row {
  readonly coinId: string
  readonly accountId: string
  readonly walletId: string
}

export const createStablecoinQuote = async (
  platform: Pick<Platform, 'id'>,
  { id = randomUUID(), createdAt = new Date(), coinId, accountId, walletId }: Placed,
) => {
  await db.$executeRaw`
    insert into stablecoin_quotes
      (platform_id, id, stablecoin_id, operation_type, amount, internal_account_id, external_account_id, status, created_at, expires_at)
    values (${platform.id}::uuid, ${id}::uuid, ${coinId}::uuid, 'BURN', 1050, ${accountId}::uuid, ${walletId}::uuid, 'EXECUTED', ${createdAt},
      ${createdAt})`
  return { id }
}

/** A burn, with its quote. */
export const createOperation = async (
  platform: Pick<Platform, 'id'>,
  { id = randomUUID(), quoteId, status = 'FAILED', ...placed }: Placed & { quoteId?: string; status?: string },
) => {
  const { createdAt = new Date(), coinId, accountId, walletId } = placed
  const quote = quoteId ?? (await createStablecoinQuote(platform, placed)).id
  await db.$executeRaw`
    insert into stablecoin_operations
      (platform_id, id, stablecoin_id, quote_id, operation_type, amount, internal_account_id, external_account_id, status, created_at, updated_at)
    values (${platform.id}::uuid, ${id}::uuid, ${coinId}::uuid, ${quote}::uuid, 'BURN', 1050, ${accountId}::uuid, ${walletId}::uuid,
      ${status}::stablecoin_operation_status, ${createdAt}, ${createdAt})`
  return { id }
}
