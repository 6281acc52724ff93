// Chooses who settles a payment that has left. That is another institution over UMA, the provider of the environment, or a job of the gateway.
import type { Environment } from '#core/caller.ts'
import { type Sql, sql } from '#database/db.ts'
import { addingJob } from '#database/jobs/jobs.ts'
import { lookUpTogether, type Send } from '#database/round-trips.ts'
import { completeInternal } from './internal.ts'
import type { Payment } from './payment-status.ts'
import { providerOf } from './providers.ts'
import type { PartiesNow } from './ready.ts'
import { carryingUma } from './uma/pay.ts'

/** The role in the demand of a payment between two institutions. Payments with addresses of the sandbox have none. */
const roleOf = async (send: Send, { platformId, id }: Pick<Payment, 'platformId' | 'id'>) => {
  const [[demand]] = await send(sql`
    select role from uma_demands where platform_id = ${platformId}::uuid and transaction_id = ${id}::uuid`)
  return demand?.[0]
}

/**
 * The statements that hand over a payment that becomes `PROCESSING`. An incoming payment of another institution waits for that
 * institution. Without a provider, only a payment between two internal accounts continues. Throws what `carryingUma` throws.
 */
export const carrying = async (
  send: Send,
  environment: Environment,
  payment: Payment,
  { accountInfo }: Pick<PartiesNow, 'accountInfo'>,
): Promise<readonly Sql[]> => {
  const isUma = (payment.sourceUmaAddress ?? payment.destinationUmaAddress) !== null
  const role = isUma ? await roleOf(send, payment) : undefined
  if (role) return role === 'PAYER' ? [await carryingUma(send, payment)] : []
  const provider = providerOf(environment)
  if (provider) return provider.carrying(payment, accountInfo)
  const { platformId, id: transactionId, sourceInternalAccountId: from, destinationInternalAccountId: to } = payment
  return from !== null && to !== null ? [addingJob(completeInternal, { platformId, transactionId })] : []
}

/** Whether a demand settles the payment. `resumeUma` continues it then. */
export const isSettledByDemand = async (
  payment: Pick<Payment, 'platformId' | 'id'>,
  send: Send = lookUpTogether,
): Promise<boolean> => (await roleOf(send, payment)) !== undefined
