// The platform's own fee on a quote, and the account that it is credited to (docs/domain/quotes.md#platform-fees).

import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { feeAccount } from '#settlement/fee-account.ts'
import { type Fee, NO_FEE } from './price.ts'

/** The fee for a conversion. Throws 501 `NOT_IMPLEMENTED` unless the sending currency is USD, and 400 `QUOTE_REQUEST_FAILED` without an account for the fee. */
export const platformFeeOf = async (
  platformId: PlatformId,
  sending: string,
  receiving: string,
  on: Tx | typeof db = db,
): Promise<Fee> => {
  if (sending === receiving) return NO_FEE
  const fee = await on.platformFee.findUnique({
    where: { platformId_sendingCurrency: { platformId, sendingCurrency: sending } },
  })
  if (!fee || (fee.fixed === 0n && fee.rate === 0)) return NO_FEE
  if (sending !== 'USD') throw new ApiError('NOT_IMPLEMENTED', 'Platform fees are collected in USD only')
  await feeAccount(on, platformId, sending)
  return { fixed: fee.fixed, rate: BigInt(fee.rate) }
}
