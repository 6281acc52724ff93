// Updates a verification that waits for corrections when the customer, its owners or documents change. Triggers add this job.
import type { Environment } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { writeStatus } from './outcome.ts'
import { verificationProviderOf } from './providers.ts'
import { missingOf } from './requirements.ts'
import { lockSubject } from './subject.ts'

interface Changed {
  readonly id: string
  readonly customerId: string
  readonly environment: Environment
}

/** Moves the verification to READY_FOR_VERIFICATION when nothing is missing, and back when something is. */
export const recheckVerification: Task<{ readonly platformId: string; readonly verificationId: string }> = {
  name: 'recheckVerification',
  run: ({ platformId, verificationId }) =>
    inTransaction(async (tx) => {
      const [changed] = await tx.$queryRaw<Changed[]>`
        select v.id, v.customer_id as "customerId", p.environment::text as environment
        from verifications v join platforms p on p.id = v.platform_id join customers c on c.platform_id = v.platform_id and c.id = v.customer_id
        where v.platform_id = ${platformId}::uuid and v.id = ${verificationId}::uuid and not c.is_deleted for no key update of c`
      const provider = changed && verificationProviderOf(changed.environment)
      if (!provider) return
      const waiting = await tx.$queryRaw<unknown[]>`
        select 1 from verifications where platform_id = ${platformId}::uuid and id = ${verificationId}::uuid
          and verification_status in ('RESOLVE_ERRORS', 'READY_FOR_VERIFICATION')`
      if (waiting.length === 0) return
      const verification = { platformId: platformId as PlatformId, id: changed.id }
      const subject = await lockSubject(tx, verification.platformId, changed.customerId)
      const { status, errors } = provider.assess(subject, missingOf(subject))
      await writeStatus(tx, verification, status === 'RESOLVE_ERRORS' ? status : 'READY_FOR_VERIFICATION', errors)
    }),
}
