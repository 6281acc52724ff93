import type { PlatformCaller } from '#core/caller.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** Rejects all that the agent has waiting: payments and their quotes fail, and nothing has moved. The agent is locked by the caller. */
export const rejectWaitingActions = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  agentId: string,
  reason: string,
): Promise<void> => {
  const rejected = await tx.$queryRaw<{ transaction_id: string | null; quote_id: string | null }[]>`
    update agent_actions set status = 'REJECTED', rejection_reason = ${reason}, updated_at = now()
    where platform_id = ${platformId}::uuid and agent_id = ${agentId}::uuid and status = 'PENDING_APPROVAL'
    returning transaction_id, quote_id`
  // All at once and by their ids alone, without a join: there may be thousands, and too many for a plan that does not expect them.
  const quoteIds = rejected.flatMap(({ quote_id: id }) => id ?? [])
  await tx.$queryRaw`
    select 1 from quotes where platform_id = ${platformId}::uuid and id = any(${quoteIds}::uuid[])
    order by id for no key update`
  // A quote may have expired with its payment while the action waited.
  const failed = await tx.$queryRaw<{ quote_id: string | null }[]>`
    update transactions set status = 'FAILED', failure_reason = 'QUOTE_EXECUTION_FAILED'
    where platform_id = ${platformId}::uuid and id = any(${rejected.map(({ transaction_id: id }) => id)}::uuid[]) and status = 'PENDING'
    returning quote_id`
  await tx.$executeRaw`
    update quotes set status = 'FAILED', updated_at = now()
    where platform_id = ${platformId}::uuid and id = any(${failed.flatMap(({ quote_id: id }) => id ?? [])}::uuid[])`
}
