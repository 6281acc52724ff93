// The account that a platform's fees are credited to.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { sql } from '#database/db.ts'
import type { Send } from '#database/round-trips.ts'

/** The oldest account of the platform's own in the currency. */
export const feeAccount = async (send: Send, platformId: PlatformId, currency: string): Promise<string> => {
  const [[account]] = await send(sql`
    select id from internal_accounts
    where platform_id = ${platformId}::uuid and customer_id is null and currency = ${currency} and status = 'ACTIVE'
    order by created_at, id limit 1`)
  if (!account) {
    throw new ApiError('QUOTE_REQUEST_FAILED', 'The platform has no account that its fee can be credited to')
  }
  return String(account[0])
}
