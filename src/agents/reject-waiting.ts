import type { PlatformCaller } from '#core/caller.ts'
import type { Tx } from '#core/transaction.ts'

/** Rejects all that the agent has waiting: payments and their quotes fail, and nothing has moved. The agent is locked by the caller. */
export const rejectWaitingActions = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  agentId: string,
  reason: string,
): Promise<void> => {
  const rejected = await tx.$queryRaw<{ transaction_id: string | null }[]>`
    update agent_actions set status = 'REJECTED', rejection_reason = ${reason}, updated_at = now()
    where platform_id = ${platformId}::uuid and agent_id = ${agentId}::uuid and status = 'PENDING_APPROVAL'
    returning transaction_id`
  const paymentIds = rejected.map(({ transaction_id: id }) => id)
  await tx.$queryRaw`
    select 1 from quotes quote join transactions payment on payment.platform_id = quote.platform_id and payment.quote_id = quote.id
    where quote.platform_id = ${platformId}::uuid and payment.id = any(${paymentIds}::uuid[])
    order by quote.id for no key update of quote`
  // All at once, for there may be thousands. A quote may have expired with its payment while the action waited.
  await tx.$executeRaw`
    with payment as materialized (
      select id from transactions
      where platform_id = ${platformId}::uuid and id = any(${paymentIds}::uuid[]) and status = 'PENDING'
      order by id for no key update
    ), failed as (
      update transactions set status = 'FAILED', failure_reason = 'QUOTE_EXECUTION_FAILED'
      from payment where platform_id = ${platformId}::uuid and transactions.id = payment.id returning quote_id
    )
    update quotes set status = 'FAILED', updated_at = now()
    from failed where platform_id = ${platformId}::uuid and quotes.id = failed.quote_id`
}
