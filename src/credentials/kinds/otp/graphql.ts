import { AuthMethodNode, type CredentialWithBundle, withBundle } from '#credentials/graphql.ts'
import type { Alternative, GraphqlKind } from '#credentials/kinds/graphql-kind.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { type InputOf, inputOf } from '#graphql/input-of.ts'
import { OTP_TYPES, type OtpType } from './address.ts'
import { emailOtp, type OtpChallenge } from './otp.ts'

const OtpCredentialTypeEnum = enumOf(
  'OtpCredentialType',
  'Credential types that are registered without further input.',
  OTP_TYPES,
  {
    EMAIL_OTP: 'Codes by email. Only if the account has no EMAIL_OTP credential.',
    SMS_OTP: 'Codes by SMS. Only if the account has no SMS_OTP credential.',
  },
)

const OtpProofInput = inputOf(
  'OtpProofInput',
  'Proof of a one-time code. The code is never sent in plain text.',
  emailOtp.proof,
)

const OtpChallengeSentType = builder
  .objectRef<{ readonly authMethod: CredentialWithBundle }>('OtpChallengeSent')
  .implement({
    description: 'A new code was sent. The bundle to encrypt it to is `authMethod.otpEncryptionTargetBundle`.',
    fields: (t) => ({
      authMethod: t.expose('authMethod', {
        type: AuthMethodNode,
        nullable: false,
        description: 'The credential, with its bundle.',
      }),
    }),
  })

const registration: Alternative<OtpType> = {
  name: 'otp',
  type: OtpCredentialTypeEnum,
  description: 'One-time codes by email or SMS.',
  bodyOf: (type) => ({ type }),
}

const proof = (name: string, type: OtpType): Alternative<InputOf<typeof emailOtp.proof>> => ({
  name,
  type: OtpProofInput,
  description: `For \`${type}\`.`,
  bodyOf: (code) => ({ type, ...code }),
})

export const otpKinds: GraphqlKind<OtpChallenge> = {
  registration,
  proofs: [proof('emailOtp', 'EMAIL_OTP'), proof('smsOtp', 'SMS_OTP')],
  challenge: {
    credentialTypes: OTP_TYPES,
    type: OtpChallengeSentType,
    memberOf: (credential, { otpEncryptionTargetBundle }) => ({
      __typename: 'OtpChallengeSent',
      authMethod: withBundle(credential, otpEncryptionTargetBundle),
    }),
  },
}
