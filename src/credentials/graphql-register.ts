import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { givenOf, oneOfInput, REGISTRATIONS } from '#credentials/kinds/graphql-table.ts'
import { CREDENTIAL_KINDS } from '#credentials/kinds/table.ts'
import { addSignedMutation, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { fieldsInput } from '#graphql/input-of.ts'
import { load } from '#graphql/load.ts'
import { withoutNulls } from '#graphql/mutation.ts'
import { CREDENTIAL_TYPES, CredentialRecord } from './credential.ts'
import { AuthMethodNode, withBundle } from './graphql.ts'
import { registerCredential, registrationRequest } from './register.ts'

const DUPLICATES = [...new Set(CREDENTIAL_TYPES.map((type) => CREDENTIAL_KINDS[type].alreadyExists().code))]
  .map((code) => `\`${code}\``)
  .join(', ')

addSignedMutation('registerCredential', {
  description: `Adds a credential to an account.

If the account already has a credential, the first call returns \`SignedRetryChallenge\` and the signed retry returns \`RegisterCredentialSuccess\`.
Errors: ${DUPLICATES}, \`EMAIL_OTP_EMAIL_ALREADY_EXISTS\`, \`MISSING_MANDATORY_USER_INFO\`, \`WALLET_SIGNATURE_MISSING\`, \`WALLET_SIGNATURE_MALFORMED\`, \`WALLET_SIGNATURE_BODY_MISMATCH\`, \`WALLET_SIGNATURE_INVALID\`, \`REQUEST_ID_MISSING\`, \`INVALID_SIGNATURE\`, \`UNAUTHORIZED\`, \`REFERENCE_NOT_FOUND\`.`,
  input: fieldsInput((t) => ({
    accountId: t.id({ required: true, description: CredentialRecord.texts.accountId }),
    credential: t.field({
      type: oneOfInput(
        'CredentialRegistrationInput',
        'Exactly one field, which determines the credential type.',
        REGISTRATIONS,
      ),
      required: true,
      description: 'The new credential.',
    }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: 'Signed by any active session of the account.',
    }),
  })),
  check: registrationRequest,
  forms: REGISTRATIONS.map(({ name }) => ({ credential: { [name]: {} } })),
  statuses: [400, 401, 403, 404, 409],
  placeOf: ({ credential }, field) => {
    if (field === 'accountId') return 'input.accountId'
    return field === 'type' ? 'input.credential' : `input.credential.${Object.keys(credential)[0]}.${field}`
  },
  resolve: ({ accountId, credential }, { caller }, proof) => {
    const { alternative, value } = givenOf(REGISTRATIONS, credential)
    return registerCredential(caller, withoutNulls({ accountId, ...alternative.bodyOf(value) }), proof)
  },
  done: ({ credential, otpEncryptionTargetBundle }) => ({
    authMethod: withBundle(credential, otpEncryptionTargetBundle),
  }),
  success: {
    description: 'The credential is registered. REST: 201.',
    fields: (t) => ({
      authMethod: t.expose('authMethod', {
        type: AuthMethodNode,
        nullable: false,
        description: 'The new credential. If a code was sent, it includes the bundle to encrypt the code to.',
      }),
      account: t.field({
        type: InternalAccountNode,
        description: 'The account of the credential.',
        resolve: ({ authMethod }, _args, context) => load(context, InternalAccountRecord.byIds, authMethod.accountId),
      }),
    }),
  },
})
