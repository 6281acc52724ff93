// The circuit breaker of an endpoint: suspends it after failures, and resumes it after a success (docs/domain/events.md#delivery).
import type { PlatformId } from '#core/ids.ts'
import { sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Attempt } from './attempt.ts'
import { openLanes } from './lease.ts'
import { minutesUntilProbe, SUSPENDED_AFTER, TRIED_FOR_DAYS } from './retry.ts'

/**
 * Updates the status of the endpoint after an attempt, if it still has this address. Approvals and attempts by hand are not
 * `isScheduled`: they do not put off the next attempt at a suspended endpoint. Needs the lock of the endpoint.
 */
export const judgeEndpoint = async (
  tx: Tx,
  platformId: PlatformId,
  url: string,
  { at, reply: { status, failure } }: Pick<Attempt, 'at' | 'reply'>,
  isScheduled: boolean,
): Promise<void> => {
  const itself = sql`platform_id = ${platformId}::uuid and url = ${url}`
  if (failure === null) {
    const opened = await tx.$executeRaw`
      update webhook_endpoints set status = 'ENABLED', probe_at = null, updated_at = now()
      where ${itself} and status = 'SUSPENDED'`
    if (opened > 0) await openLanes(tx, platformId)
    await tx.$executeRaw`
      update webhook_endpoints set failures = 0, failing_since = null
      where ${itself} and failures > 0 and status <> 'DISABLED'`
    return
  }
  // Requests that were open when the endpoint began to fail count as one failure. Otherwise a short outage would suspend it.
  const secondsAgo = (Date.now() - at.getTime()) / 1000
  const failed = await tx.$executeRaw`
    update webhook_endpoints set failing_since = least(failing_since, now()),
      failures = failures + ((failing_since > now() - make_interval(secs => ${secondsAgo}::float8)) is not true)::int
    where ${itself} and status <> 'DISABLED' and (status = 'ENABLED' or ${isScheduled || status === 410})`
  const [now] = await tx.$queryRaw<{ failures: number; isSuspended: boolean; isOver: boolean }[]>`
    select failures, status = 'SUSPENDED' as "isSuspended",
      -- The first failure does not count, because nothing may have been sent since. A trigger dates the suspension.
      status = 'SUSPENDED' and suspended_at <= now() - make_interval(days => ${TRIED_FOR_DAYS}::int) as "isOver"
    from webhook_endpoints where ${itself}`
  if (failed === 0 || !now) return
  if (status === 410 || now.isOver) {
    const reason = status === 410 ? 'GONE' : 'FAILING'
    await tx.$executeRaw`
      update webhook_endpoints set status = 'DISABLED', disabled_reason = ${reason}::webhook_disabled_reason, probe_at = null, updated_at = now()
      where ${itself}`
  } else if (now.failures >= SUSPENDED_AFTER) {
    await tx.$executeRaw`
      update webhook_endpoints set probe_at = now() + make_interval(mins => ${minutesUntilProbe(now.failures)}::int),
        updated_at = ${now.isSuspended ? sql`updated_at` : sql`now()`}, status = 'SUSPENDED'
      where ${itself}`
  }
}
