// The customer that documents, owners and verifications belong to.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Customer } from '#customers/customer.ts'
import type { Tx } from '#database/unit-of-work.ts'

interface Tenant {
  readonly platformId: PlatformId
}

export interface LockedCustomer {
  readonly id: string
  readonly customerType: Customer['customerType']
  readonly verificationStatus: Customer['verificationStatus']
}

/**
 * Locks the customer until the end of the transaction, so that what is verified does not change meanwhile. `id` is a bare uuid. Throws 404
 * `USER_NOT_FOUND`, or 410 `CUSTOMER_DELETED`.
 */
export const lockCustomer = async (tx: Tx, { platformId }: Tenant, id: string): Promise<LockedCustomer> => {
  const [found] = await tx.$queryRaw<(LockedCustomer & { isDeleted: boolean })[]>`
    select id, customer_type::text as "customerType", verification_status::text as "verificationStatus", is_deleted as "isDeleted"
    from customers where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`
  if (!found) throw new ApiError('USER_NOT_FOUND', 'There is no such customer')
  if (found.isDeleted) throw new ApiError('CUSTOMER_DELETED', 'The customer is deleted')
  return found
}

/** Throws 409 `CONFLICT` while a verification of the customer is under review: what is reviewed stays as it is. */
export const requireNoReview = async (tx: Tx, { platformId }: Tenant, customerId: string): Promise<void> => {
  const open = await tx.$queryRaw<unknown[]>`
    select 1 from verifications where platform_id = ${platformId}::uuid and customer_id = ${customerId}::uuid
      and verification_status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') limit 1`
  if (open.length > 0) {
    throw new ApiError('CONFLICT', 'The customer is under review', { reason: 'UNDER_REVIEW' })
  }
}
