import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** Throws 409 `CONFLICT` while the customer is under review, because reviewed data must not change. Lock the customer first. */
export const requireNoReview = async (
  tx: Tx,
  { platformId }: { readonly platformId: PlatformId },
  customerId: string,
): Promise<void> => {
  const open = await tx.$queryRaw<unknown[]>`
    select 1 from verifications where platform_id = ${platformId}::uuid and customer_id = ${customerId}::uuid
      and verification_status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') limit 1`
  if (open.length > 0) {
    throw new ApiError('CONFLICT', 'The customer is under review', { reason: 'UNDER_REVIEW' })
  }
}
