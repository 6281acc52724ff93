import { InternalAccountNode } from '#accounts/graphql.ts'
import { internalAccountsByIds } from '#accounts/internal-account.ts'
import { givenOf, oneOfInput, REGISTRATIONS } from '#credentials/kinds/graphql-table.ts'
import { addSignedMutation, SignedRetryChallengeType, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { load } from '#graphql/load.ts'
import { payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { AuthMethodNode, type CredentialWithBundle, withBundle } from './graphql.ts'
import { registerCredential, registrationRequest } from './register.ts'

const RegisterCredentialInput = builder.inputType('RegisterCredentialInput', {
  description: 'Input of `registerCredential`.',
  fields: (t) => ({
    accountId: t.id({ required: true, description: '`InternalAccount:<uuid>`.' }),
    credential: t.field({
      type: oneOfInput(
        'CredentialRegistrationInput',
        'Exactly one of the fields; it says the credential type.',
        REGISTRATIONS,
      ),
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
  .objectRef<{ readonly authMethod: CredentialWithBundle }>('RegisterCredentialSuccess')
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

addSignedMutation('registerCredential', {
  description: `Adds a credential to an account.

The first call answers \`SignedRetryChallenge\` when the account already has a credential; the signed retry answers \`RegisterCredentialSuccess\`.
Errors: \`EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS\`, \`SMS_OTP_CREDENTIAL_ALREADY_EXISTS\`, \`PASSKEY_CREDENTIAL_ALREADY_EXISTS\`, \`INVALID_INPUT\`, \`MISSING_MANDATORY_USER_INFO\`, \`WALLET_SIGNATURE_MISSING\`, \`WALLET_SIGNATURE_MALFORMED\`, \`WALLET_SIGNATURE_BODY_MISMATCH\`, \`WALLET_SIGNATURE_INVALID\`, \`REQUEST_ID_MISSING\`, \`INVALID_SIGNATURE\`, \`UNAUTHORIZED\`, \`REFERENCE_NOT_FOUND\`.`,
  input: RegisterCredentialInput,
  check: registrationRequest,
  forms: REGISTRATIONS.map(({ name }) => ({ credential: { [name]: {} } })),
  payload: payloadOf(
    'RegisterCredentialPayload',
    'Result of `registerCredential`.',
    [RegisterCredentialSuccess, SignedRetryChallengeType],
    [400, 401, 403, 404],
  ),
  placeOf: ({ credential }, field) => {
    if (field === 'accountId') return 'input.accountId'
    return field === 'type' ? 'input.credential' : `input.credential.${Object.keys(credential)[0]}.${field}`
  },
  resolve: ({ accountId, credential }, { caller }, proof) => {
    const { alternative, value } = givenOf(REGISTRATIONS, credential)
    return registerCredential(caller, withoutNulls({ accountId, ...alternative.bodyOf(value) }), proof)
  },
  done: ({ credential, otpEncryptionTargetBundle }) => ({
    __typename: 'RegisterCredentialSuccess',
    authMethod: withBundle(credential, otpEncryptionTargetBundle),
  }),
})
