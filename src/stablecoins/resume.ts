// Ends operations that were never funded, and continues those whose job was lost (docs/domain/stablecoins.md#states-of-an-operation).
import type { Environment } from '#core/caller.ts'
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { takeAll } from '#database/jobs/take-all.ts'
import type { OperationStatus } from './operation.ts'
import { FUNDED_WITHIN_SECONDS, moveOperation, type OperationKey } from './outcomes.ts'
import { stablecoinProviderOf } from './providers.ts'

const STUCK_AFTER_SECONDS = 300
/** More than one run can take. */
const AT_ONCE = 5_000

interface Open extends OperationKey {
  readonly environment: Environment
  readonly status: OperationStatus
  readonly isLate: boolean
}

/**
 * Platforms take turns, and the next operation of each platform is chosen at random, so that those that wait for funds do not keep the
 * others waiting.
 */
const openOperations = (): Promise<Open[]> => db.$queryRaw`
  select operation.platform_id as "platformId", operation.id, environment, operation.status,
    operation.updated_at <= now() - make_interval(secs => ${FUNDED_WITHIN_SECONDS}) as "isLate"
  from stablecoin_operations operation join platforms platform on platform.id = operation.platform_id
  where operation.status not in ('COMPLETED', 'FAILED', 'EXPIRED')
    and operation.updated_at <= now() - make_interval(secs => ${STUCK_AFTER_SECONDS})
  order by row_number() over (partition by operation.platform_id order by random()) limit ${AT_ONCE}`

const resume = async ({ environment, status, isLate, platformId, id }: Open): Promise<void> => {
  const key = { platformId, id }
  if (status === 'PENDING_FUNDING' && isLate) {
    await moveOperation(key, (current) => (current === 'PENDING_FUNDING' ? 'EXPIRED' : undefined))
  } else await stablecoinProviderOf(environment)?.resume(key)
}

export const resumeStablecoins: Task = {
  name: 'resumeStablecoins',
  cron: '* * * * *',
  run: () => takeAll('resumeStablecoins', async (after?: Open) => (after ? [] : openOperations()), resume),
}
