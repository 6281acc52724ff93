// Platforms submit a customer for verification, again after each round of errors (docs/domain/verification.md#verifications).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { idOf, parseChanges } from '#core/input.ts'
import { setVerificationStatus } from '#customers/provisioning.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { writeStatus } from './outcome.ts'
import type { VerificationProvider } from './provider.ts'
import { verificationProviderOf } from './providers.ts'
import { missingOf } from './requirements.ts'
import { lockSubject, type Subject } from './subject.ts'
import { type Verification, VerificationRecord } from './verification.ts'

export const newVerification = z.object({
  customerId: idOf('Customer').describe(VerificationRecord.texts.customerId),
})

/**
 * Starts the verification of a customer, or submits the one that waits for corrections. A verification under review does not change. Needs the
 * permission MANAGE. Throws 404 `USER_NOT_FOUND`, 410 `CUSTOMER_DELETED`, 400 `INVALID_INPUT` for a customer that is approved or rejected, and 501
 * `NOT_IMPLEMENTED` without a provider.
 */
export const submitVerification = async (caller: PlatformCaller, input: unknown): Promise<Verification> => {
  requirePermission(caller, 'MANAGE')
  const { customerId } = parseChanges(newVerification, input, Object.keys(VerificationRecord.shape))
  const id = await inTransaction(async (tx) => {
    const subject = await lockSubject(tx, caller.platformId, partsOfId(customerId).uuid)
    requireUndecided(subject)
    return submit(tx, caller, subject, requireProvider(caller))
  })
  return selectWritten(caller, VerificationRecord, id)
}

/** Throws 400 `INVALID_INPUT` for a customer that is approved or rejected. */
export const requireUndecided = ({ verificationStatus }: Pick<Subject, 'verificationStatus'>): void => {
  if (verificationStatus !== 'APPROVED' && verificationStatus !== 'REJECTED') return
  throw new ApiError('INVALID_INPUT', `The customer is already ${verificationStatus.toLowerCase()}`, {
    field: 'customerId',
    reason: `CUSTOMER_${verificationStatus}`,
  })
}

/** Throws 501 `NOT_IMPLEMENTED` in an environment without a provider. */
export const requireProvider = ({ environment }: PlatformCaller): VerificationProvider => {
  const provider = verificationProviderOf(environment)
  if (provider) return provider
  throw new ApiError(
    'NOT_IMPLEMENTED',
    'No verification provider is connected. The operator of the gateway decides about customers.',
  )
}

/** Returns the id of the verification. */
const submit = async (tx: Tx, caller: PlatformCaller, subject: Subject, provider: VerificationProvider) => {
  const { platformId } = caller
  const [open] = await tx.$queryRaw<{ id: string; isUnderReview: boolean }[]>`
    select id, verification_status in ('IN_PROGRESS', 'PENDING_MANUAL_REVIEW') as "isUnderReview" from verifications
    where platform_id = ${platformId}::uuid and customer_id = ${subject.id}::uuid and verification_status not in ('APPROVED', 'REJECTED')`
  if (open?.isUnderReview) return open.id
  const { status, errors } = provider.assess(subject, missingOf(subject))
  const verification = { platformId, id: open?.id ?? newUuid() }
  if (open) await writeStatus(tx, verification, status, errors)
  else {
    await tx.$executeRaw`
      insert into verifications (platform_id, id, customer_id, verification_status, errors)
      values (${platformId}::uuid, ${verification.id}::uuid, ${subject.id}::uuid, ${status}::verification_state, ${JSON.stringify(errors)}::jsonb)`
  }
  if (status !== 'RESOLVE_ERRORS') await setVerificationStatus(tx, caller, subject.id, 'PENDING')
  if (status === 'IN_PROGRESS') await provider.review(tx, verification.id, subject)
  return verification.id
}
