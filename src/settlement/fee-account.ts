// The account that a platform's fees are credited to.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { sql } from '#database/db.ts'
import type { Send } from '#database/round-trips.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** The oldest account of the platform's own in the currency. */
export const feeAccount = async (send: Send, platformId: PlatformId, currency: string): Promise<string> => {
  const [[account]] = await send(sql`
    select id from internal_accounts
    where platform_id = ${platformId}::uuid and customer_id is null and currency = ${currency} and status = 'ACTIVE'
    order by created_at, id limit 1`)
  if (!account) {
    throw new ApiError(
      'QUOTE_REQUEST_FAILED',
      'The platform has no active account for its fee. Setting the fee again opens one if it is missing.',
    )
  }
  return String(account[0])
}

/** Opens the account if the platform has none in the currency, which is a fiat currency. The platform's row must be locked. */
export const openFeeAccount = async (tx: Tx, platformId: PlatformId, currency: string): Promise<void> => {
  await tx.$executeRaw`
    insert into internal_accounts (platform_id, id, type, status, currency)
    select ${platformId}::uuid, time_ordered_uuid(), 'INTERNAL_FIAT', 'ACTIVE', ${currency}
    where not exists (
      select from internal_accounts
      where platform_id = ${platformId}::uuid and customer_id is null and currency = ${currency} and status not in ('CLOSED', 'FAILED'))`
}
