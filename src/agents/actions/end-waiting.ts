// Ends waiting actions in bulk, because their agent was deleted or the platform did not decide in time. No money has moved.
import type { PlatformCaller } from '#core/caller.ts'
import { sendIn } from '#database/round-trips.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { refusingDemands } from '#settlement/payment-status.ts'
import { dropAccountsOf } from './account-actions.ts'

interface Ended {
  readonly id: string
  readonly transaction_id: string | null
  readonly quote_id: string | null
}

/** Rejects all waiting actions of the agent. Callers hold the lock on the agent. */
export const rejectWaitingActions = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  agentId: string,
  reason: string,
): Promise<void> => {
  const rejected = await tx.$queryRaw<Ended[]>`
    update agent_actions set status = 'REJECTED', rejection_reason = ${reason}, updated_at = now()
    where platform_id = ${platformId}::uuid and agent_id = ${agentId}::uuid and status = 'PENDING_APPROVAL'
    returning id, transaction_id, quote_id`
  await failPayments(tx, platformId, rejected)
}

/** Fails actions of the platform, or of all, that were not decided in time, except those that are being decided. Returns how many. */
export const expireWaitingActions = async (tx: Tx, atOnce: number, ofPlatform: string | null): Promise<number> => {
  const late = await tx.$queryRaw<{ platformId: string; ids: string[] }[]>`
    select platform_id as "platformId", array_agg(id) as ids from (
      select platform_id, id from agent_actions where status = 'PENDING_APPROVAL' and approval_expires_at <= now()
        ${ofPlatform === null ? Prisma.empty : Prisma.sql`and platform_id = ${ofPlatform}::uuid`}
      order by approval_expires_at limit ${atOnce}) late
    group by platform_id order by platform_id`
  let ended = 0
  for (const { platformId, ids } of late) {
    const expired = await tx.$queryRaw<Ended[]>`
      with late as (
        select id from agent_actions where platform_id = ${platformId}::uuid and id = any(${ids}::uuid[]) and status = 'PENDING_APPROVAL'
        for no key update skip locked)
      update agent_actions action
      set status = 'FAILED', failure_code = 'APPROVAL_EXPIRED', failure_message = 'The platform did not decide in time', updated_at = now()
      from late where action.platform_id = ${platformId}::uuid and action.id = late.id
      returning action.id, transaction_id, quote_id`
    await failPayments(tx, platformId, expired)
    ended += expired.length
  }
  return ended
}

/** Selects by id without a join: for thousands of rows, the planner would underestimate a join. */
const failPayments = async (tx: Tx, platformId: string, ended: readonly Ended[]) => {
  await dropAccountsOf(
    tx,
    platformId,
    ended.flatMap(({ id, transaction_id: payment }) => (payment === null ? [id] : [])),
  )
  const quoteIds = ended.flatMap(({ quote_id: id }) => id ?? [])
  await tx.$queryRaw`
    select 1 from quotes where platform_id = ${platformId}::uuid and id = any(${quoteIds}::uuid[])
    order by id for no key update`
  // A quote may have expired with its payment while the action waited.
  const failed = await tx.$queryRaw<{ id: string; quote_id: string | null }[]>`
    update transactions set status = 'FAILED', failure_reason = 'QUOTE_EXECUTION_FAILED'
    where platform_id = ${platformId}::uuid and id = any(${ended.map(({ transaction_id: id }) => id)}::uuid[]) and status = 'PENDING'
    returning id, quote_id`
  await sendIn(
    tx,
    refusingDemands(
      platformId,
      failed.map(({ id }) => id),
    ),
  )
  await tx.$executeRaw`
    update quotes set status = 'FAILED', updated_at = now()
    where platform_id = ${platformId}::uuid and id = any(${failed.flatMap(({ quote_id: id }) => id ?? [])}::uuid[])`
}
