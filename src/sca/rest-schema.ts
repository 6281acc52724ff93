import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { timeSchema } from '#rest/schema.ts'
import { scaChallengeSchema } from './challenge/rest-schema.ts'
import { ENROLMENT_TEXTS } from './factors/enrolment.ts'
import { ENROLLED_FACTORS, FACTOR_TEXTS, SCA_FACTORS } from './factors/factor.ts'
import { LOCKOUT_TEXTS, SCA_EVENTS } from './lockout.ts'
import { LOGIN_STATUSES, LOGIN_TEXTS } from './login/login.ts'
import { FactorResetRecord, LIVENESS_TEXTS, RESET_STATUSES } from './reset/reset.ts'

export const factorSchema = z
  .object({
    credentialId: idOf('ScaFactor').describe(FACTOR_TEXTS.credentialId),
    type: z.enum(ENROLLED_FACTORS).describe(FACTOR_TEXTS.type),
    createdAt: timeSchema(FACTOR_TEXTS.createdAt),
  })
  .meta({ id: 'ScaFactor', description: 'An enrolled second factor.' })

export const factorListSchema = z
  .object({ factors: z.array(factorSchema).describe('All enrolled factors, oldest first.') })
  .meta({ id: 'ScaFactorList', description: 'The second factors of a customer.' })

const totpEnrolmentSchema = z
  .object({
    secret: z.string().describe(ENROLMENT_TEXTS.secret),
    secretBase32Encoded: z.string().describe(ENROLMENT_TEXTS.secretBase32Encoded),
    totpUri: z.string().describe(ENROLMENT_TEXTS.totpUri),
  })
  .meta({ id: 'TotpEnrolment', description: 'A TOTP to confirm with its first code.' })

const passkeyEnrolmentSchema = z
  .object({
    options: z.looseObject({}).describe(ENROLMENT_TEXTS.options),
    allowedOrigins: z.array(z.string()).describe(ENROLMENT_TEXTS.allowedOrigins),
    relyingPartyId: z.string().describe(ENROLMENT_TEXTS.relyingPartyId),
  })
  .meta({ id: 'PasskeyEnrolment', description: 'A passkey to create and confirm.' })

export const enrolmentSchema = z
  .union([totpEnrolmentSchema, passkeyEnrolmentSchema])
  .meta({ id: 'ScaEnrolment', description: 'A factor to confirm.' })

export const confirmedSchema = z
  .object({
    factor: factorSchema.describe(ENROLMENT_TEXTS.factor),
    recoveryCodes: z.array(z.string()).optional().describe(ENROLMENT_TEXTS.recoveryCodes),
  })
  .meta({ id: 'ConfirmedScaFactor', description: 'An enrolled factor.' })

export const loginSchema = z
  .object({
    status: z.enum(LOGIN_STATUSES).describe(LOGIN_TEXTS.status),
    authenticatedUntil: timeSchema(LOGIN_TEXTS.authenticatedUntil).optional(),
    scaChallenge: scaChallengeSchema.optional().describe(LOGIN_TEXTS.scaChallenge),
  })
  .meta({ id: 'ScaLogin', description: 'The login of a customer by a second factor.' })

export const recordedEventSchema = z
  .object({
    eventType: z.enum(SCA_EVENTS).describe('What happened.'),
    suspended: z.boolean().describe(LOCKOUT_TEXTS.suspended),
    lockedUntil: timeSchema(LOCKOUT_TEXTS.lockedUntil).optional(),
    failedAttempts: z.int().min(0).describe(LOCKOUT_TEXTS.failedAttempts),
  })
  .meta({ id: 'RecordedScaEvent', description: 'The lockout of a customer after an event.' })

const resetTexts = FactorResetRecord.texts

const resetFields = z.object({
  resetId: idOf('TwoFactorReset').describe(resetTexts.id),
  expiresAt: timeSchema(resetTexts.expiresAt),
})

export const startedResetSchema = resetFields
  .extend({
    livenessAccessToken: z.string().optional().describe(LIVENESS_TEXTS.livenessAccessToken),
    verificationLink: z.string().optional().describe(LIVENESS_TEXTS.verificationLink),
  })
  .meta({ id: 'StartedFactorReset', description: 'A new factor reset.' })

export const resetSchema = resetFields
  .extend({
    factor: z.enum(SCA_FACTORS).describe(resetTexts.factor),
    status: z.enum(RESET_STATUSES).describe(resetTexts.status),
  })
  .meta({ id: 'FactorReset', description: 'The replacement of a lost second factor.' })
