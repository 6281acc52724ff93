import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { expireWaitingActions } from './end-waiting.ts'

const AT_ONCE = 500

/** Fails actions of the platform, or of all, that were not decided in time, with `APPROVAL_EXPIRED`. */
export const expireLateActions = async (platformId: string | null): Promise<void> => {
  let expired = AT_ONCE
  while (expired === AT_ONCE) expired = await inTransaction((tx) => expireWaitingActions(tx, AT_ONCE, platformId))
}

/** Runs every minute. */
export const expireApprovals: Task = {
  name: 'expireApprovals',
  cron: '* * * * *',
  run: () => expireLateActions(null),
}
