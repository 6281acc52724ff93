// Decides verifications of the sandbox a moment after they were submitted.
import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { concludeVerification } from '#verification/outcome.ts'
import { courseOf } from './magic-values.ts'

export const decideVerification: Task<{ readonly platformId: string; readonly id: string }> = {
  name: 'decideVerification',
  run: async ({ platformId, id }) => {
    const reviewed = { platformId: platformId as PlatformId, environment: 'SANDBOX', id } as const
    await inTransaction((tx) => concludeVerification(tx, reviewed, (subject) => courseOf(subject).decision))
  },
}
