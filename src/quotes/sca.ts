import { ApiError } from '#core/errors.ts'
import { isInScaRegion } from '#customers/sca-region.ts'
import type { Customer } from '#generated/prisma/client.ts'

/** Until the challenge of Strong Customer Authentication can be passed, nothing goes past it: 501 `NOT_IMPLEMENTED`. */
export const refuseSca = (customer: Pick<Customer, 'region'> | null): void => {
  if (!isInScaRegion(customer?.region ?? null)) return
  const message = 'This customer needs Strong Customer Authentication, which is not available yet'
  throw new ApiError('NOT_IMPLEMENTED', message)
}
