// Challenging and verifying a credential.
import { CHALLENGE_MEMBERS, givenOf, oneOfInput, PROOFS } from '#credentials/kinds/graphql-table.ts'
import { DEVICE_KEY_TYPES } from '#credentials/kinds/table.ts'
import { SessionIssuedType } from '#credentials/sessions/graphql.ts'
import { addSignedMutation, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { addMutation, payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { challengeCredential, challengeRequest } from './challenge.ts'
import { CredentialRecord } from './credential.ts'
import { verificationRequest, verifyCredential } from './verify.ts'

addMutation('challengeCredential', {
  description:
    'Starts a verification: sends a new one-time code or returns a WebAuthn challenge. Rate limited. Errors: `INVALID_INPUT`, `REFERENCE_NOT_FOUND`, `RATE_LIMITED`.',
  input: schemaInput(challengeRequest, (t) => ({
    id: t.id({ required: true, description: CredentialRecord.texts.id }),
  })),
  payload: payloadOf(
    'ChallengeCredentialPayload',
    'Result of `challengeCredential`.',
    CHALLENGE_MEMBERS.map(({ type }) => type),
    [400, 403, 404, 429],
  ),
  usesCredential: true,
  resolve: async ({ id, ...body }, { caller }) => {
    const { credential, challenge } = await challengeCredential(caller, id, async () => withoutNulls(body))
    const form = CHALLENGE_MEMBERS.find(({ credentialTypes }) => credentialTypes.includes(credential.type))
    if (!form) throw new Error(`GraphQL has no challenge for ${credential.type}`)
    return form.memberOf(credential, challenge)
  },
})

addSignedMutation('verifyCredential', {
  description: `Verifies a credential and issues a session. For ${DEVICE_KEY_TYPES} the first call uses the code up and returns \`SignedRetryChallenge\`.`,
  input: fieldsInput((t) => ({
    id: t.id({ required: true, description: CredentialRecord.texts.id }),
    proof: t.field({
      type: oneOfInput('CredentialProofInput', "Exactly one field: the one for the credential's type.", PROOFS),
      required: true,
      description: 'The proof of the credential.',
    }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: `For ${DEVICE_KEY_TYPES}: signed by the key inside the bundle.`,
    }),
  })),
  check: verificationRequest,
  forms: PROOFS.map(({ name }) => ({ proof: { [name]: {} } })),
  statuses: [400, 401, 403, 404, 429],
  placeOf: ({ proof }, field) => (field === 'type' ? 'input.proof' : `input.proof.${Object.keys(proof)[0]}.${field}`),
  resolve: ({ id, proof }, { caller }, { requestId, signature }) => {
    const { alternative, value } = givenOf(PROOFS, proof)
    const retry = { requestId: alternative.requestIdOf?.(value) || requestId, signature }
    return verifyCredential(caller, id, withoutNulls(alternative.bodyOf(value)), retry)
  },
  done: (issued) => issued,
  success: SessionIssuedType,
})
