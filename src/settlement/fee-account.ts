// The account that a platform's fees are credited to.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** The oldest account of the platform's own in the currency. */
export const feeAccount = async (tx: Tx | typeof db, platformId: PlatformId, currency: string): Promise<string> => {
  const where = { platformId, customerId: null, currency, status: 'ACTIVE' } as const
  const account = await tx.internalAccount.findFirst({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
  if (!account) {
    throw new ApiError('QUOTE_REQUEST_FAILED', 'The platform has no account that its fee can be credited to')
  }
  return account.id
}
