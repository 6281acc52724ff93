import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { verificationSchema } from './rest-schema.ts'
import type { Verification, VerificationError } from './verification.ts'

export const verificationBody = (verification: Verification): BodyOf<typeof verificationSchema> => ({
  id: publicId('Verification', verification.id),
  customerId: publicId('Customer', verification.customerId),
  verificationStatus: verification.verificationStatus,
  errors: verification.errors.map(errorBody),
  createdAt: verification.createdAt,
  updatedAt: verification.updatedAt,
})

/** Restores the member order of the contract, which Postgres does not keep. */
const errorBody = ({ resourceId, type, field, acceptedDocumentTypes, reason }: VerificationError) => ({
  resourceId,
  type,
  field,
  acceptedDocumentTypes,
  reason,
})
