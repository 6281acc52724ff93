import { InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { memberOf, SignedRetryChallengeType } from '#credentials/signed-retry/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enums.ts'
import { load } from '#graphql/load.ts'
import { addMutation, payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { SignedRetryInput } from '#graphql/signed-retry.ts'
import { OTP_TYPES } from './credential.ts'
import { type AuthMethod, AuthMethodNode, withBundle } from './graphql.ts'
import { registerCredential } from './register.ts'
import { registrationRequest } from './registration.ts'

const OtpCredentialTypeEnum = enumOf(
  'OtpCredentialType',
  'Credential kinds that are registered without any material of their own.',
  OTP_TYPES,
  {
    EMAIL_OTP: "Only if the account's EMAIL_OTP credential was removed.",
    SMS_OTP: 'Only if the account has no SMS_OTP credential.',
  },
)

const PasskeyAttestationInput = builder.inputType('PasskeyAttestationInput', {
  description: 'Result of `navigator.credentials.create`.',
  fields: (t) => ({
    credentialId: t.field({ type: 'Base64URL', required: true, description: 'Raw credential id.' }),
    clientDataJson: t.field({ type: 'Base64URL', required: true, description: 'WebAuthn `clientDataJSON` bytes.' }),
    attestationObject: t.field({ type: 'Base64URL', required: true, description: 'WebAuthn bytes of that name.' }),
    transports: t.stringList({
      required: true,
      description: 'Any of `usb`, `nfc`, `ble`, `internal`, `hybrid`; may be empty.',
    }),
  }),
})

const PasskeyRegistrationInput = builder.inputType('PasskeyRegistrationInput', {
  description: 'A new WebAuthn credential.',
  fields: (t) => ({
    nickname: t.string({ required: true, description: "The owner's name for it, 1 to 100 characters." }),
    challenge: t.string({
      required: true,
      description: 'The registration challenge that the integrator backend issued.',
    }),
    attestation: t.field({
      type: PasskeyAttestationInput,
      required: true,
      description: 'What the authenticator made.',
    }),
  }),
})

const OAuthRegistrationInput = builder.inputType('OAuthRegistrationInput', {
  description: 'A new OIDC identity.',
  fields: (t) => ({ oidcToken: t.string({ required: true, description: 'OIDC identity token.' }) }),
})

const CredentialRegistrationInput = builder.inputType('CredentialRegistrationInput', {
  description: 'Exactly one of the fields; it says the credential type.',
  isOneOf: true,
  fields: (t) => ({
    passkey: t.field({ type: PasskeyRegistrationInput, description: 'A new WebAuthn credential.' }),
    oauth: t.field({ type: OAuthRegistrationInput, description: 'A new OIDC identity.' }),
    otp: t.field({ type: OtpCredentialTypeEnum, description: 'One-time codes by email or SMS.' }),
  }),
})

const RegisterCredentialInput = builder.inputType('RegisterCredentialInput', {
  description: 'Input of `registerCredential`.',
  fields: (t) => ({
    accountId: t.id({ required: true, description: '`InternalAccount:<uuid>`.' }),
    credential: t.field({
      type: CredentialRegistrationInput,
      required: true,
      description: 'The new credential.',
    }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: 'Signed by any active session of the account.',
    }),
  }),
})

const RegisterCredentialSuccess = builder
  .objectRef<{ readonly authMethod: AuthMethod }>('RegisterCredentialSuccess')
  .implement({
    description: 'The credential is registered. REST: 201.',
    fields: (t) => ({
      authMethod: t.expose('authMethod', {
        type: AuthMethodNode,
        nullable: false,
        description: 'The new credential, for one-time codes with its bundle when a code was sent.',
      }),
      account: t.field({
        type: InternalAccountNode,
        description: 'Its account.',
        resolve: ({ authMethod }, _args, context) => load(context, internalAccountsByIds, authMethod.accountId),
      }),
    }),
  })

type Registration = (typeof RegisterCredentialInput.$inferInput)['credential']

/** As the body of the REST interface has it. */
const registrationOf = ({ passkey, oauth, otp }: Registration) => {
  if (passkey) return { type: 'PASSKEY', ...passkey }
  if (oauth) return { type: 'OAUTH', ...oauth }
  return { type: otp }
}

addMutation('registerCredential', {
  description: `Adds a credential to an account.

The first call answers \`SignedRetryChallenge\` when the account already has a credential; the signed retry answers \`RegisterCredentialSuccess\`.
Errors: \`EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS\`, \`SMS_OTP_CREDENTIAL_ALREADY_EXISTS\`, \`PASSKEY_CREDENTIAL_ALREADY_EXISTS\`, \`INVALID_INPUT\`, \`MISSING_MANDATORY_USER_INFO\`, \`WALLET_SIGNATURE_MISSING\`, \`WALLET_SIGNATURE_MALFORMED\`, \`WALLET_SIGNATURE_BODY_MISMATCH\`, \`WALLET_SIGNATURE_INVALID\`, \`REQUEST_ID_MISSING\`, \`INVALID_SIGNATURE\`, \`UNAUTHORIZED\`, \`REFERENCE_NOT_FOUND\`.`,
  input: RegisterCredentialInput,
  check: registrationRequest,
  forms: [{ credential: { passkey: {} } }, { credential: { oauth: {} } }],
  payload: payloadOf(
    'RegisterCredentialPayload',
    'Result of `registerCredential`.',
    [RegisterCredentialSuccess, SignedRetryChallengeType],
    [400, 401, 403, 404],
  ),
  usesCredential: true,
  placeOf: ({ credential }, field) => {
    if (field === 'accountId') return 'input.accountId'
    return field === 'type' ? 'input.credential' : `input.credential.${Object.keys(credential)[0]}.${field}`
  },
  resolve: async ({ accountId, credential }, { caller }, proof) => {
    const input = withoutNulls({ accountId, ...registrationOf(credential) })
    return memberOf(await registerCredential(caller, input, proof), (done) => ({
      __typename: 'RegisterCredentialSuccess',
      authMethod: withBundle(done.credential, done.otpEncryptionTargetBundle),
    }))
  },
})
