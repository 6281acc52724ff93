import type { Caller } from '#core/caller.ts'
import { requirePermission, requirePlatform } from '#core/caller.ts'
import { isInScaRegion } from '#customers/profile/sca-region.ts'
import { db } from '#database/db.ts'
import type { ScaFactor } from './factors/factor.ts'
import { type Lockout, lockoutOf } from './lockout.ts'

export interface ScaStateOfCustomer extends Lockout {
  readonly factors: readonly ScaFactor[]
  /** ISO 8601. */
  readonly authenticatedUntil: string | null
}

interface Row {
  readonly id: string
  readonly region: string | null
  readonly failed_attempts: number | null
  readonly locked_until: Date | null
  readonly authenticated_until: Date | null
}

/** In the order of the ids. Null outside the SCA regions. Needs the permission VIEW; 403 `FORBIDDEN` for an agent. */
export const statesOfCustomers = async (
  caller: Caller,
  ids: readonly string[],
): Promise<(ScaStateOfCustomer | null)[]> => {
  requirePermission(requirePlatform(caller), 'VIEW')
  const { platformId } = caller
  const rows = await db.$queryRaw<Row[]>`
    select customer.id, region, failed_attempts, case when locked_until > now() then locked_until end as locked_until,
      case when authenticated_until > now() then authenticated_until end as authenticated_until
    from customers customer left join sca_customers sca on (sca.platform_id, sca.id) = (customer.platform_id, customer.id)
    where customer.platform_id = ${platformId}::uuid and customer.id = any(${[...ids]}::uuid[])`
  const factors = await db.$queryRaw<(ScaFactor & { readonly customer_id: string })[]>`
    select customer_id, id, type::text, created_at from sca_factors
    where platform_id = ${platformId}::uuid and customer_id = any(${[...ids]}::uuid[]) order by created_at, id`
  return ids.map((id) => {
    const row = rows.find((each) => each.id === id)
    if (!row || !isInScaRegion(row.region)) return null
    return {
      ...lockoutOf(row),
      factors: factors.filter(({ customer_id: customerId }) => customerId === id),
      authenticatedUntil: row.authenticated_until?.toISOString() ?? null,
    }
  })
}
