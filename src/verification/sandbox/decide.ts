// Decides verifications of the sandbox a moment after they were submitted.
import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { concludeVerification } from '#verification/outcome.ts'
import { courseOf } from './magic-values.ts'

type Submitted = {
  readonly platformId: string
  readonly id: string
  /** By the names and numbers with which the customer was submitted. Jobs of earlier releases have none. */
  readonly decision?: 'APPROVED' | 'REJECTED'
}

export const decideVerification: Task<Submitted> = {
  name: 'decideVerification',
  run: async ({ platformId, id, decision }) => {
    const reviewed = { platformId: platformId as PlatformId, environment: 'SANDBOX', id } as const
    await inTransaction((tx) => concludeVerification(tx, reviewed, (subject) => decision ?? courseOf(subject).decision))
  },
}
