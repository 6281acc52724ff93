// The sandbox decides by the last characters of names and numbers (docs/domain/sandbox.md#magic-values).
import { randomBytes } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { addJob } from '#database/jobs/jobs.ts'
import type { Assessment, VerificationProvider } from '#verification/provider.ts'
import type { Subject } from '#verification/subject.ts'
import type { VerificationError } from '#verification/verification.ts'
import { decideVerification } from './decide.ts'
import { courseOf } from './magic-values.ts'

const LINK_SECONDS = 24 * 60 * 60

export const sandboxProvider: VerificationProvider = {
  assess: (subject, missing) => {
    const { isChecked, isPoor } = courseOf(subject)
    if (!isChecked) return { status: 'IN_PROGRESS', errors: [] }
    return checked(isPoor ? [...missing, poorQuality(subject)] : missing)
  },
  review: (tx, id, subject) =>
    addJob(tx, decideVerification, { platformId: subject.platformId, id, decision: courseOf(subject).decision }),
  // Customers need not open the link, because the sandbox decides after POST /verifications.
  createLink: async ({ redirectUri }) => {
    const token = randomBytes(24).toString('base64url')
    const url = new URL(`https://verify.sandbox.example/${token}`)
    if (redirectUri !== null) url.searchParams.set('redirectUri', redirectUri)
    return { kycUrl: url.href, token, secondsToLive: LINK_SECONDS }
  },
}

const checked = (errors: readonly VerificationError[]): Assessment => ({
  status: errors.length > 0 ? 'RESOLVE_ERRORS' : 'PENDING_MANUAL_REVIEW',
  errors,
})

/** Names the newest document about the person, or the person if there is none. */
const poorQuality = ({ id, documents: [document] }: Subject): VerificationError => ({
  resourceId: document ? publicId('Document', document.id) : publicId('Customer', id),
  type: 'POOR_QUALITY_DOCUMENT',
  reason: 'The document cannot be read well enough.',
})
