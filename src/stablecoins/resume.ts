// Ends operations that were never funded, and continues those whose job was lost (docs/domain/stablecoins.md#states-of-an-operation).
import type { Environment } from '#core/caller.ts'
import { db, sql } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { isAfter, type Position, takeAll } from '#database/jobs/take-all.ts'
import type { OperationStatus } from './operation.ts'
import { moveOperation, type OperationKey } from './outcomes.ts'
import { stablecoinProviderOf } from './providers.ts'

const FUNDED_WITHIN_SECONDS = 24 * 3_600
const STUCK_AFTER_SECONDS = 300
const PAGE_SIZE = 100

interface Open extends OperationKey, Position {
  readonly environment: Environment
  readonly status: OperationStatus
  readonly isLate: boolean
}

/** Of all platforms, in pages, oldest first. */
const openOperations = (after?: Open): Promise<Open[]> => db.$queryRaw`
  select operation.platform_id as "platformId", operation.id, operation.updated_at as at, environment, operation.status,
    operation.updated_at <= now() - make_interval(secs => ${FUNDED_WITHIN_SECONDS}) as "isLate"
  from stablecoin_operations operation join platforms platform on platform.id = operation.platform_id
  where operation.status not in ('COMPLETED', 'FAILED', 'EXPIRED')
    and operation.updated_at <= now() - make_interval(secs => ${STUCK_AFTER_SECONDS})
    and ${isAfter(sql`operation.updated_at, operation.id`, after)}
  order by operation.updated_at, operation.id limit ${PAGE_SIZE}`

const resume = async ({ environment, status, isLate, platformId, id }: Open): Promise<void> => {
  const key = { platformId, id }
  if (status === 'PENDING_FUNDING' && isLate) {
    await moveOperation(key, (current) => (current === 'PENDING_FUNDING' ? 'EXPIRED' : undefined))
  } else await stablecoinProviderOf(environment)?.resume(key)
}

export const resumeStablecoins: Task = {
  name: 'resumeStablecoins',
  cron: '* * * * *',
  run: () => takeAll('resumeStablecoins', openOperations, resume),
}
