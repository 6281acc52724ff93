// Applies the outcome of a review. Verification providers report it here.
import type { Environment } from '#core/caller.ts'
import { type PlatformId, publicId } from '#core/ids.ts'
import { setVerificationStatus } from '#customers/provisioning.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { lockSubject, type Subject } from './subject.ts'
import type { VerificationError, VerificationStatus } from './verification.ts'

/** Identifies a verification. */
export interface Reviewed {
  readonly platformId: PlatformId
  readonly environment: Environment
  /** Bare uuid. */
  readonly id: string
}

/** Writes the status and the errors of a verification. Keeps `updatedAt` if neither changes. */
export const writeStatus = async (
  tx: Tx,
  { platformId, id }: Pick<Reviewed, 'platformId' | 'id'>,
  status: VerificationStatus,
  errors: readonly VerificationError[],
): Promise<void> => {
  await tx.$executeRaw`
    update verifications set verification_status = ${status}::verification_state, errors = ${JSON.stringify(errors)}::jsonb, updated_at = now()
    where platform_id = ${platformId}::uuid and id = ${id}::uuid
      and (verification_status <> ${status}::verification_state or errors <> ${JSON.stringify(errors)}::jsonb)`
}

/**
 * Ends a verification that is IN_PROGRESS or PENDING_MANUAL_REVIEW with the outcome of `decide`, and writes the outcome to the customer. Approval
 * opens the customer's accounts. Returns false if the verification was no longer under review. May be repeated.
 */
export const concludeVerification = async (
  tx: Tx,
  reviewed: Reviewed,
  decide: (subject: Subject) => 'APPROVED' | 'REJECTED',
): Promise<boolean> => {
  const { platformId, id } = reviewed
  const findOpen = async () => {
    const [open] = await tx.$queryRaw<{ customerId: string }[]>`
      select customer_id as "customerId" from verifications where platform_id = ${platformId}::uuid and id = ${id}::uuid
        and verification_status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW')`
    return open
  }
  // Before and after the lock: a deleted customer has no open verification, and cannot be locked.
  const open = await findOpen()
  if (!open) return false
  const subject = await lockSubject(tx, platformId, open.customerId)
  if (!(await findOpen())) return false
  const outcome = decide(subject)
  const errors: VerificationError[] =
    outcome === 'APPROVED'
      ? []
      : [
          {
            resourceId: publicId('Customer', subject.id),
            type: 'APPLICANT_REJECTED',
            reason: 'The verification of the customer failed.',
          },
        ]
  await writeStatus(tx, reviewed, outcome, errors)
  await setVerificationStatus(tx, reviewed, subject.id, outcome)
  return true
}
