// Decides verifications of the sandbox a moment after they were submitted.
import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { concludeVerification } from '#verification/outcome.ts'
import type { Subject } from '#verification/subject.ts'

/** The last three characters of the value that decides: a person's name, a business's registration number. */
export const suffixOf = ({ customerType, name, profile }: Subject): string =>
  ((customerType === 'INDIVIDUAL' ? name : profile?.businessInfo?.registrationNumber) ?? '').slice(-3)

export const decideVerification: Task<{ readonly platformId: string; readonly id: string }> = {
  name: 'decideVerification',
  run: async ({ platformId, id }) => {
    const reviewed = { platformId: platformId as PlatformId, environment: 'SANDBOX', id } as const
    await inTransaction((tx) =>
      concludeVerification(tx, reviewed, (subject) => (suffixOf(subject) === '002' ? 'REJECTED' : 'APPROVED')),
    )
  },
}
