// Ends operations that were never funded, and continues those whose job was lost (docs/domain/stablecoins.md#states-of-an-operation).
import type { Environment } from '#core/caller.ts'
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs.ts'
import type { OperationStatus } from './operation.ts'
import { moveOperation, type OperationKey } from './outcomes.ts'
import { stablecoinProviderOf } from './providers.ts'

const FUNDED_WITHIN_SECONDS = 24 * 3_600
const STUCK_AFTER_SECONDS = 300
/** Each run takes the oldest. */
const AT_ONCE = 100

interface Open extends OperationKey {
  readonly environment: Environment
  readonly status: OperationStatus
  readonly isLate: boolean
}

export const resumeOperations = async (): Promise<void> => {
  const open = await db.$queryRaw<Open[]>`
    select operation.platform_id as "platformId", operation.id, environment, operation.status,
      operation.updated_at <= now() - make_interval(secs => ${FUNDED_WITHIN_SECONDS}) as "isLate"
    from stablecoin_operations operation join platforms platform on platform.id = operation.platform_id
    where operation.status not in ('COMPLETED', 'FAILED', 'EXPIRED')
      and operation.updated_at <= now() - make_interval(secs => ${STUCK_AFTER_SECONDS})
    order by operation.updated_at limit ${AT_ONCE}`
  for (const { environment, status, isLate, ...key } of open) {
    if (status === 'PENDING_FUNDING' && isLate) {
      await moveOperation(key, (current) => (current === 'PENDING_FUNDING' ? 'EXPIRED' : undefined))
    } else await stablecoinProviderOf(environment)?.resume(key)
  }
}

export const resumeStablecoins: Task = { name: 'resumeStablecoins', cron: '* * * * *', run: resumeOperations }
