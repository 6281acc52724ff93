import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { pageSchema, timeSchema } from '#rest/schema.ts'
import { DOCUMENT_TYPES } from './documents/document-types.ts'
import { KYC_LINK_TEXTS } from './kyc-link.ts'
import {
  VERIFICATION_ERROR_TEXTS,
  VERIFICATION_ERROR_TYPES,
  VERIFICATION_STATES,
  VerificationRecord,
} from './verification.ts'

const { texts } = VerificationRecord

const errorSchema = z
  .object({
    resourceId: idOf('Customer', 'BeneficialOwner', 'Document').describe(VERIFICATION_ERROR_TEXTS.resourceId),
    type: z.enum(VERIFICATION_ERROR_TYPES).describe(VERIFICATION_ERROR_TEXTS.type),
    field: z.string().optional().describe(VERIFICATION_ERROR_TEXTS.field),
    acceptedDocumentTypes: z
      .array(z.enum(DOCUMENT_TYPES))
      .optional()
      .describe(VERIFICATION_ERROR_TEXTS.acceptedDocumentTypes),
    reason: z.string().describe(VERIFICATION_ERROR_TEXTS.reason),
  })
  .meta({ id: 'VerificationError', description: 'Something that is missing or wrong.' })

export const verificationSchema = z
  .object({
    id: idOf('Verification').describe(texts.id),
    customerId: idOf('Customer').describe(texts.customerId),
    verificationStatus: z.enum(VERIFICATION_STATES).describe(texts.verificationStatus),
    errors: z.array(errorSchema).describe(texts.errors),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'Verification', description: 'The verification of a customer.' })

export const verificationPageSchema = pageSchema('VerificationPage', verificationSchema)

export const kycLinkSchema = z
  .object({
    kycUrl: z.string().describe(KYC_LINK_TEXTS.kycUrl),
    expiresAt: timeSchema(KYC_LINK_TEXTS.expiresAt),
    provider: z.literal('SUMSUB').describe(KYC_LINK_TEXTS.provider),
    token: z.string().optional().describe(KYC_LINK_TEXTS.token),
  })
  .meta({ id: 'KycLink', description: 'A link to a page where a customer verifies its identity.' })
