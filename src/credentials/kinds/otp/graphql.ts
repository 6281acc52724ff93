import { AuthMethodNode, type CredentialWithBundle, withBundle } from '#credentials/graphql.ts'
import type { Alternative, GraphqlKind } from '#credentials/kinds/graphql-kind.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { OTP_TYPES, type OtpType } from './address.ts'
import type { OtpChallenge } from './otp.ts'

const OtpCredentialTypeEnum = enumOf(
  'OtpCredentialType',
  'Credential kinds that are registered without any material of their own.',
  OTP_TYPES,
  {
    EMAIL_OTP: "Only if the account's EMAIL_OTP credential was removed.",
    SMS_OTP: 'Only if the account has no SMS_OTP credential.',
  },
)

const OtpProofInput = builder.inputType('OtpProofInput', {
  description: 'Proof of a one-time code. The plain code is never sent.',
  fields: (t) => ({
    encryptedOtpBundle: t.string({
      required: true,
      description: 'JSON text with keys `encappedPublic` and `ciphertext`.',
    }),
  }),
})

const OtpChallengeSentType = builder
  .objectRef<{ readonly authMethod: CredentialWithBundle }>('OtpChallengeSent')
  .implement({
    description: 'A fresh code was sent. The bundle is in `authMethod.otpEncryptionTargetBundle`.',
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

const proof = (name: string, type: OtpType): Alternative<typeof OtpProofInput.$inferInput> => ({
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
