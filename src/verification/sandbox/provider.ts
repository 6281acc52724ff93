// The sandbox decides by the end of names and numbers (docs/domain/sandbox.md#magic-values).
import { randomBytes } from 'node:crypto'
import { publicId } from '#core/ids.ts'
import { addJob } from '#database/jobs.ts'
import type { Assessment, VerificationProvider } from '#verification/provider.ts'
import type { Subject } from '#verification/subject.ts'
import type { VerificationError } from '#verification/verification.ts'
import { decideVerification, suffixOf } from './decide.ts'

const LINK_SECONDS = 24 * 60 * 60

export const sandboxProvider: VerificationProvider = {
  ownerStatus: ({ lastName }) => {
    const suffix = lastName.slice(-3)
    if (suffix === '001') return 'PENDING'
    return suffix === '002' ? 'REJECTED' : 'APPROVED'
  },
  assess: (subject, missing) => {
    const suffix = suffixOf(subject)
    if (suffix !== '001' && suffix !== '003') return { status: 'IN_PROGRESS', errors: [] }
    const isPoor = suffix === '003' && subject.customerType === 'INDIVIDUAL'
    return checked(isPoor ? [...missing, poorQuality(subject)] : missing)
  },
  review: (tx, { platformId, id }) => addJob(tx, decideVerification, { platformId, id }),
  // Nobody has to follow it: the sandbox decides after POST /verifications.
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

/** Of the newest document about the person, else of the person. */
const poorQuality = ({ id, documents: [document] }: Subject): VerificationError => ({
  resourceId: document ? publicId('Document', document.id) : publicId('Customer', id),
  type: 'POOR_QUALITY_DOCUMENT',
  reason: 'The document cannot be read well enough.',
})
