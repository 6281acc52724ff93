import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { isInScaRegion } from '#customers/sca-region.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Customer, InternalAccount } from '#generated/prisma/client.ts'

/** Throws 501 `NOT_IMPLEMENTED` for a customer who needs Strong Customer Authentication, because its challenge is not built yet. */
export const refuseSca = (customer: Pick<Customer, 'region'> | null): void => {
  if (!isInScaRegion(customer?.region ?? null)) return
  const message = 'This customer needs Strong Customer Authentication, which is not available yet'
  throw new ApiError('NOT_IMPLEMENTED', message)
}

interface Payer {
  readonly sourceInternalAccount: Pick<InternalAccount, 'type'> | null
  readonly customer: Pick<Customer, 'region'> | null
}

/** Does the same, unless the payment comes from a wallet, whose owner signs instead. */
export const refuseScaOf = ({ sourceInternalAccount, customer }: Payer): void => {
  if (sourceInternalAccount?.type !== 'EMBEDDED_WALLET') refuseSca(customer)
}

/** Does the same for a quote, with the customer's region of now. */
export const refuseScaOfQuote = async (tx: Tx, platformId: PlatformId, id: string): Promise<void> =>
  refuseScaOf(
    await tx.quote.findUniqueOrThrow({
      where: { platformId_id: { platformId, id } },
      select: { sourceInternalAccount: { select: { type: true } }, customer: { select: { region: true } } },
    }),
  )
