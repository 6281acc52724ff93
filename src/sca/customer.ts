// The customer of a call. Only customers in an SCA region have Strong Customer Authentication.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { unknownCustomer } from '#customers/customer.ts'
import { isInScaRegion } from '#customers/profile/sca-region.ts'
import { customerDeleted } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'

/**
 * 404 `USER_NOT_FOUND` for an unknown customer, 410 `CUSTOMER_DELETED` for a deleted one, 409 `CONFLICT` for one outside the SCA regions.
 * `id` is `Customer:<uuid>`.
 */
export const findScaCustomer = async ({ platformId }: Pick<Caller, 'platformId'>, id: string): Promise<Customer> => {
  const where = { platformId, id: requireUuid('Customer', id, unknownCustomer) }
  const customer = await db.customer.findFirst({ where })
  if (!customer) throw unknownCustomer()
  if (customer.isDeleted) throw customerDeleted()
  requireScaRegion(customer)
  return customer
}

/** 409 `CONFLICT` outside the SCA regions. */
export const requireScaRegion = (customer: Pick<Customer, 'region'> | null): void => {
  if (isInScaRegion(customer?.region ?? null)) return
  throw new ApiError('CONFLICT', 'The customer is not in a region with Strong Customer Authentication', {
    reason: 'NO_SCA_REGION',
  })
}

/** Makes the row in which the customer's failures are counted. */
export const ensureCounters = (on: Tx | typeof db, { platformId, id }: Pick<Customer, 'platformId' | 'id'>) =>
  on.$executeRaw`
    insert into sca_customers (platform_id, id) values (${platformId}::uuid, ${id}::uuid) on conflict do nothing`
