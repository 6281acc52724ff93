import type { PlatformCaller } from '#core/caller.ts'
import type { Tx } from '#core/transaction.ts'
import { moveTransaction } from '#transactions/transition.ts'

interface Payment {
  id: string
  quote_id: string | null
}

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
  await tx.$queryRaw`
    select 1 from quotes quote join transactions payment on payment.platform_id = quote.platform_id and payment.quote_id = quote.id
    where quote.platform_id = ${platformId}::uuid and payment.id = any(${rejected.map(({ transaction_id: id }) => id)}::uuid[])
    order by quote.id for no key update of quote`
  // A quote may have expired with its payment while the action waited.
  const payments = await tx.$queryRaw<Payment[]>`
    select id, quote_id from transactions
    where platform_id = ${platformId}::uuid and id = any(${rejected.map(({ transaction_id: id }) => id)}::uuid[]) and status = 'PENDING'
    order by id for no key update`
  for (const { id } of payments) {
    await moveTransaction(tx, platformId, id, 'FAILED', { failureReason: 'QUOTE_EXECUTION_FAILED' })
  }
  await tx.quote.updateMany({
    where: { platformId, id: { in: payments.flatMap(({ quote_id: id }) => id ?? []) } },
    data: { status: 'FAILED' },
  })
}
