// Challenge and verification of a credential.
import { recipient } from '#credentials/crypto/p256.ts'
import { CHALLENGE_MEMBERS, givenOf, oneOfInput, PROOFS } from '#credentials/kinds/graphql-table.ts'
import { SessionIssuedType, sessionIssued } from '#credentials/sessions/graphql.ts'
import { addSignedMutation, SignedRetryChallengeType, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { addMutation, payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { challengeCredential } from './challenge.ts'
import { verificationRequest, verifyCredential } from './verify.ts'

const ChallengeCredentialInput = builder.inputType('ChallengeCredentialInput', {
  description: 'Input of `challengeCredential`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`AuthMethod:<uuid>`.' }),
    clientPublicKey: t.field({
      type: 'Hex',
      description: 'Hex P-256 public key. Required for `PASSKEY`, ignored for one-time codes.',
    }),
  }),
})

addMutation('challengeCredential', {
  description:
    'Starts a verification: sends a fresh code (OTP) or issues a WebAuthn challenge (PASSKEY). Rate limited. Errors: `INVALID_INPUT`, `REFERENCE_NOT_FOUND`, `RATE_LIMITED`.',
  input: ChallengeCredentialInput,
  check: recipient.partial(),
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
    if (!form) throw new Error(`GraphQL has no challenge of ${credential.type}`)
    return form.memberOf(credential, challenge)
  },
})

const VerifyCredentialInput = builder.inputType('VerifyCredentialInput', {
  description: 'Input of `verifyCredential`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`AuthMethod:<uuid>`.' }),
    proof: t.field({
      type: oneOfInput(
        'CredentialProofInput',
        "Exactly one of the fields; it must agree with the credential's type.",
        PROOFS,
      ),
      required: true,
      description: 'What proves the credential.',
    }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: 'For `EMAIL_OTP` and `SMS_OTP`: signed by the key inside the bundle.',
    }),
  }),
})

addSignedMutation('verifyCredential', {
  description: 'Verifies a credential and issues a session. OTP credentials answer `SignedRetryChallenge` first.',
  input: VerifyCredentialInput,
  check: verificationRequest,
  forms: PROOFS.map(({ name }) => ({ proof: { [name]: {} } })),
  payload: payloadOf(
    'VerifyCredentialPayload',
    'Result of `verifyCredential`.',
    [SessionIssuedType, SignedRetryChallengeType],
    [400, 401, 403, 404, 429],
  ),
  placeOf: ({ proof }, field) => (field === 'type' ? 'input.proof' : `input.proof.${Object.keys(proof)[0]}.${field}`),
  resolve: ({ id, proof }, { caller }, { requestId, signature }) => {
    const { alternative, value } = givenOf(PROOFS, proof)
    const retry = { requestId: alternative.requestIdOf?.(value) || requestId, signature }
    return verifyCredential(caller, id, withoutNulls(alternative.bodyOf(value)), retry)
  },
  done: sessionIssued,
})
