import type { ChallengeAnswer } from '#credentials/kinds/rest-kind.ts'
import { otpCredentialBody } from '#credentials/rest-body.ts'
import { otpCredentialSchema } from '#credentials/rest-schema.ts'
import { OTP_TYPES } from './address.ts'
import type { OtpChallenge } from './otp.ts'

export const otpChallenge: ChallengeAnswer<OtpChallenge> = {
  credentialTypes: OTP_TYPES,
  schema: otpCredentialSchema,
  bodyOf: (credential, { otpEncryptionTargetBundle }) => otpCredentialBody(credential, otpEncryptionTargetBundle),
}
