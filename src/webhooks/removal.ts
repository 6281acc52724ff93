// Skips what waits for an endpoint that was removed. It may be too much for one transaction.
import type { PlatformId } from '#core/ids.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'

/** As many as a statement changes well within its time. */
const SKIPPED_AT_ONCE = 2_000

/** Skips pending deliveries, if the endpoint is removed. Returns whether others may be left. */
export const skipSome = async (tx: Tx, platformId: PlatformId): Promise<boolean> => {
  const [removed] = await tx.$queryRaw<object[]>`
    select 1 as found from webhook_endpoints where platform_id = ${platformId}::uuid and url is null for no key update`
  if (!removed) return false
  const lanes = await tx.$executeRaw`
    delete from webhook_lanes where platform_id = ${platformId}::uuid and lane = any(array(
      select lane from webhook_lanes where platform_id = ${platformId}::uuid order by due_at limit ${SKIPPED_AT_ONCE}::int))`
  const deliveries = await tx.$executeRaw`
    update webhook_deliveries set status = 'SKIPPED', done_at = now() where platform_id = ${platformId}::uuid and id = any(array(
      select id from webhook_deliveries where platform_id = ${platformId}::uuid and status = 'PENDING'
      order by lane, position limit ${SKIPPED_AT_ONCE}::int))`
  return Math.max(lanes, deliveries) === SKIPPED_AT_ONCE
}

interface Removed extends Record<string, string> {
  readonly platformId: string
}

/** Skips the pending deliveries that the removal left. */
export const skipDeliveries: Task<Removed> = {
  name: 'skipDeliveries',
  run: async ({ platformId }) => {
    while (await inTransaction((tx) => skipSome(tx, platformId as PlatformId)));
  },
}

/** Skips pending deliveries of the endpoint, which `tx` has removed: some at once, the others soon. */
export const skipPending = async (tx: Tx, platformId: PlatformId): Promise<void> => {
  if (await skipSome(tx, platformId)) await addJob(tx, skipDeliveries, { platformId })
}
