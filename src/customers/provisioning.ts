// Applies the verification status of a customer: an approved customer gets its accounts and its wallet
// (docs/domain/customers.md#verification-and-accounts). The SQL works on many customers at once, for the CSV import.
import type { Environment } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { lockText, type Tx } from '#database/unit-of-work.ts'
import type { VerificationStatus } from '#generated/prisma/client.ts'
import { unknownCustomer } from './customer.ts'

/** The owner of the customers. */
export interface Owner {
  readonly platformId: PlatformId
  readonly environment: Environment
}

/** Every embedded wallet holds it. */
const WALLET_TOKEN = 'USDB'
const CRYPTO = ['BTC', 'USDC', 'USDT']

/** Locks the customer until `tx` ends. 404 `USER_NOT_FOUND` if it is unknown, 410 `CUSTOMER_DELETED` if it is deleted. `id` is a bare uuid. */
export const lockCustomer = async (
  tx: Tx,
  { platformId }: { readonly platformId: string },
  id: string,
): Promise<void> => {
  const [found] = await tx.$queryRaw<{ is_deleted: boolean }[]>`
    select is_deleted from customers where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`
  if (!found) throw unknownCustomer()
  if (found.is_deleted) throw customerDeleted()
}

export const customerDeleted = () => new ApiError('CUSTOMER_DELETED', 'The customer is deleted')

/**
 * Excludes other changes of the addresses that one-time codes go to, so that no two customers of a platform get credentials
 * for the same address. Lock the customers first.
 */
export const lockAddresses = (tx: Tx, platformId: string) => lockText(tx, `addresses of ${platformId}`)

/**
 * Records the outcome of a verification, which is an event. APPROVED opens one account in each of the customer's currencies, and its wallet. May be
 * repeated: it opens only what is missing. No outcome closes any. 404 `USER_NOT_FOUND`, 410 `CUSTOMER_DELETED`.
 */
export const setVerificationStatus = async (
  tx: Tx,
  owner: Owner,
  customerId: string,
  status: VerificationStatus,
): Promise<void> => {
  await lockCustomer(tx, owner, customerId)
  await writeStatuses(tx, owner, [{ id: customerId, status }])
}

interface Verified {
  readonly id: string
  readonly status: VerificationStatus
}

/** The customers must be locked or just inserted by the caller. */
export const writeStatuses = async (tx: Tx, owner: Owner, verified: readonly Verified[]): Promise<void> => {
  const ids = verified.map(({ id }) => id)
  const statuses = verified.map(({ status }) => status)
  await tx.$executeRaw`
    update customers t set verification_status = given.status, updated_at = now()
    from unnest(${ids}::uuid[], ${statuses}::verification_status[]) as given (id, status)
    where t.platform_id = ${owner.platformId}::uuid and t.id = given.id and t.verification_status <> given.status`
  const approved = verified.filter(({ status }) => status === 'APPROVED').map(({ id }) => id)
  if (approved.length > 0) await provisionAccounts(tx, owner, approved)
}

/** Opens what each of the approved customers lacks: an account in each of its currencies, and a wallet with its EMAIL_OTP credential. */
export const provisionAccounts = async (
  tx: Tx,
  { platformId, environment }: Owner,
  customerIds: readonly string[],
): Promise<void> => {
  await tx.$executeRaw`
    insert into internal_accounts (platform_id, id, customer_id, type, status, currency)
    select t.platform_id, time_ordered_uuid(), t.id, (case when code = any(${CRYPTO}) then 'INTERNAL_CRYPTO' else 'INTERNAL_FIAT' end)::internal_account_type,
      'ACTIVE', code
    from customers t, unnest(t.currencies) as code
    where t.platform_id = ${platformId}::uuid and t.id = any(${customerIds}::uuid[]) and code <> ${WALLET_TOKEN} and not exists (
      select from internal_accounts a where a.platform_id = t.platform_id and a.customer_id = t.id and a.currency = code
        and a.type <> 'EMBEDDED_WALLET' and a.status not in ('CLOSED', 'FAILED'))`
  const wallets = await tx.$queryRaw<{ id: string }[]>`
    insert into internal_accounts (platform_id, id, customer_id, type, status, currency, private_enabled)
    select t.platform_id, time_ordered_uuid(), t.id, 'EMBEDDED_WALLET', 'ACTIVE', ${WALLET_TOKEN}, false
    from customers t
    where t.platform_id = ${platformId}::uuid and t.id = any(${customerIds}::uuid[]) and not exists (
      select from internal_accounts a where a.platform_id = t.platform_id and a.customer_id = t.id and a.type = 'EMBEDDED_WALLET'
        and a.status not in ('CLOSED', 'FAILED'))
    returning id`
  // Without a way to send codes, the platform registers another type of credential.
  if (wallets.length === 0 || (environment === 'PRODUCTION' && config.email === null)) return
  await lockAddresses(tx, platformId)
  await tx.$executeRaw`
    insert into auth_methods (platform_id, id, account_id, type, nickname)
    select distinct on (lower(c.email)) wallet.platform_id, time_ordered_uuid(), wallet.id, 'EMAIL_OTP'::auth_method_type, c.email
    from internal_accounts wallet join customers c on c.platform_id = wallet.platform_id and c.id = wallet.customer_id
    where wallet.platform_id = ${platformId}::uuid and wallet.id = any(${wallets.map(({ id }) => id)}::uuid[]) and c.email is not null
      and not exists (select from auth_methods other where other.platform_id = wallet.platform_id and other.type = 'EMAIL_OTP'
        and other.revoked_at is null and lower(other.nickname) = lower(c.email))
    order by lower(c.email), c.created_at, c.id`
}
