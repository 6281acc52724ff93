// Verifications of customers (docs/domain/verification.md#verifications).
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { anyOf, bothOf, idOf, labelOf } from '#core/input.ts'
import { findById, json, oneOf, type RecordOf, record, text, time } from '#database/record.ts'
import { isOneOf, recordList, refersTo } from '#database/record-list.ts'
import type { DocumentType } from './documents/document-types.ts'

export const VERIFICATION_STATES = [
  'RESOLVE_ERRORS',
  'PENDING_MANUAL_REVIEW',
  'IN_PROGRESS',
  'APPROVED',
  'REJECTED',
  'READY_FOR_VERIFICATION',
] as const
export type VerificationStatus = (typeof VERIFICATION_STATES)[number]

export const VERIFICATION_ERROR_TYPES = [
  'MISSING_FIELD',
  'INVALID_FIELD',
  'MISSING_LEGAL_PRESENCE_DOCUMENT',
  'MISSING_CONTROL_STRUCTURE_DOCUMENT',
  'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
  'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
  'MISSING_IDENTITY_DOCUMENT',
  'MISSING_GOOD_STANDING_DOCUMENT',
  'INVALID_DOCUMENT',
  'EXPIRED_DOCUMENT',
  'POOR_QUALITY_DOCUMENT',
  'SUSPECTED_FRAUD_DOCUMENT',
  'INCOMPLETE_DOCUMENT',
  'UNREADABLE_DOCUMENT',
  'WRONG_DOCUMENT_TYPE',
  'DOCUMENT_VERIFICATION_FAILED',
  'APPLICANT_SANCTIONED',
  'APPLICANT_FRAUD',
  'APPLICANT_CRIMINAL_RECORD',
  'APPLICANT_REJECTED',
  'MISSING_BENEFICIAL_OWNER',
  'MISSING_CONTROL_PERSON',
] as const

/** An error as it is stored and returned. A field without a value is absent. */
export interface VerificationError {
  /** Public id of the customer, owner or document. */
  readonly resourceId: string
  readonly type: (typeof VERIFICATION_ERROR_TYPES)[number]
  readonly field?: string
  readonly acceptedDocumentTypes?: readonly DocumentType[]
  readonly reason: string
}

export const VERIFICATION_ERROR_TEXTS = {
  resourceId: '`Customer:<uuid>`, `BeneficialOwner:<uuid>` or `Document:<uuid>` that it is about.',
  type: 'What is missing or wrong.',
  field: 'Path of the field of the resource, as REST writes it. Only for `MISSING_FIELD` and `INVALID_FIELD`.',
  acceptedDocumentTypes: 'Any of these documents resolves it.',
  reason: 'Human-readable explanation. It may change.',
} as const

export const VerificationRecord = record(
  'verifications',
  {
    id: text.describe('`Verification:<uuid>`.'),
    customerId: text.describe('`Customer:<uuid>` of the customer that is verified.'),
    verificationStatus: oneOf(VERIFICATION_STATES).describe('State of the verification.'),
    errors: json<readonly VerificationError[]>().describe(
      'What is missing or wrong. Not empty while the state is `RESOLVE_ERRORS`. It is updated when the customer, its owners or its documents change.',
    ),
    createdAt: time.describe('When the verification was started.'),
    updatedAt: time.describe('When the verification was last changed.'),
  },
  'REFUSED',
)
export type Verification = RecordOf<typeof VerificationRecord>

/** Throws 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readVerification = (caller: Caller, id: string): Promise<Verification> =>
  findById(
    caller,
    VerificationRecord,
    'Verification',
    id,
    () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such verification'),
  )

export const VerificationFilterInput = z.object({
  customerId: idOf('Customer').nullish().describe('Verifications of this customer.'),
  verificationStatus: labelOf(VERIFICATION_STATES).nullish().describe('Verifications in this status.'),
  verificationStatuses: anyOf(VERIFICATION_STATES).describe(
    'Verifications in any of these statuses. An empty list means no filter.',
  ),
})

/** The conditions that REST offers. */
export const VERIFICATION_PARAMETERS = ['customerId', 'verificationStatus'] as const

export const verificationList = recordList(VerificationRecord, {
  name: 'verifications',
  filter: VerificationFilterInput,
  matches: ({ customerId, verificationStatus, verificationStatuses }) => [
    ...refersTo('customer_id', customerId),
    ...isOneOf('verification_status', 'verification_state', bothOf(verificationStatus, verificationStatuses)),
  ],
  parents: { Customer: 'customer_id' },
})
