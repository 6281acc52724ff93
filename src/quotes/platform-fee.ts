// What a platform takes for itself of a quote, and where it is credited (docs/domain/quotes.md#platform-fees).

import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { feeAccount } from '#settlement/fee-account.ts'
import { type Fee, NO_FEE } from './price.ts'

/** Of what is converted. 501 `NOT_IMPLEMENTED` but for USD, 400 `QUOTE_REQUEST_FAILED` without an account to credit it to. */
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
