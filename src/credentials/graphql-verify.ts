// Challenge and verification of a credential.

import { recipient } from '#credentials/crypto/p256.ts'
import { SessionIssuedType, sessionIssued } from '#credentials/sessions/graphql.ts'
import { memberOf, SignedRetryChallengeType } from '#credentials/signed-retry/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { addMutation, payloadOf, withoutNulls } from '#graphql/mutation.ts'
import { SignedRetryInput } from '#graphql/signed-retry.ts'
import { challengeCredential } from './challenge.ts'
import { type AuthMethod, AuthMethodNode, withBundle } from './graphql.ts'
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

const OtpChallengeSentType = builder.objectRef<{ readonly authMethod: AuthMethod }>('OtpChallengeSent').implement({
  description: 'A fresh code was sent. The bundle is in `authMethod.otpEncryptionTargetBundle`.',
  fields: (t) => ({
    authMethod: t.expose('authMethod', {
      type: AuthMethodNode,
      nullable: false,
      description: 'The credential, with its bundle.',
    }),
  }),
})

interface PasskeyChallenge {
  readonly challenge: string
  readonly requestId: string
  readonly expiresAt: string
}

const PasskeyAuthChallengeType = builder.objectRef<PasskeyChallenge>('PasskeyAuthChallenge').implement({
  description: 'UTF-8 encode `challenge` exactly as returned; those bytes are the WebAuthn challenge.',
  fields: (t) => ({
    challenge: t.expose('challenge', { type: 'Hex', nullable: false, description: 'Lowercase.' }),
    requestId: t.exposeID('requestId', {
      nullable: false,
      description: '`Request:<uuid>`, for `PasskeyProofInput.requestId`.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: 'Verify before.' }),
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
    [OtpChallengeSentType, PasskeyAuthChallengeType],
    [400, 403, 404, 429],
  ),
  usesCredential: true,
  resolve: async ({ id, ...body }, { caller }) => {
    const outcome = await challengeCredential(caller, id, async () => withoutNulls(body))
    return 'passkeyChallenge' in outcome
      ? { __typename: 'PasskeyAuthChallenge', ...outcome.passkeyChallenge }
      : {
          __typename: 'OtpChallengeSent',
          authMethod: withBundle(outcome.credential, outcome.otpEncryptionTargetBundle),
        }
  },
})

const OAuthProofInput = builder.inputType('OAuthProofInput', {
  description: 'Proof of an OIDC identity.',
  fields: (t) => ({
    oidcToken: t.string({ required: true, description: 'A fresh token: `iat` at most 60 seconds ago.' }),
    clientPublicKey: t.field({
      type: 'Hex',
      required: true,
      description: "Hex P-256 public key. The sha256 of its text must be the token's `nonce`.",
    }),
  }),
})

const OtpProofInput = builder.inputType('OtpProofInput', {
  description: 'Proof of a one-time code. The plain code is never sent.',
  fields: (t) => ({
    encryptedOtpBundle: t.string({
      required: true,
      description: 'JSON text with keys `encappedPublic` and `ciphertext`.',
    }),
  }),
})

const PasskeyAssertionInput = builder.inputType('PasskeyAssertionInput', {
  description: 'Result of `navigator.credentials.get`.',
  fields: (t) => ({
    credentialId: t.field({ type: 'Base64URL', required: true, description: 'Raw credential id.' }),
    clientDataJson: t.field({ type: 'Base64URL', required: true, description: 'WebAuthn `clientDataJSON` bytes.' }),
    authenticatorData: t.field({ type: 'Base64URL', required: true, description: 'WebAuthn bytes of that name.' }),
    signature: t.field({ type: 'Base64URL', required: true, description: 'WebAuthn bytes of that name.' }),
    userHandle: t.field({ type: 'Base64URL', description: 'WebAuthn bytes of that name. Not looked at.' }),
  }),
})

const PasskeyProofInput = builder.inputType('PasskeyProofInput', {
  description: 'Proof of a WebAuthn credential.',
  fields: (t) => ({
    requestId: t.id({
      description: 'From `PasskeyAuthChallenge.requestId`; the HTTP header `Request-Id` is accepted instead.',
    }),
    assertion: t.field({ type: PasskeyAssertionInput, required: true, description: 'What the authenticator signed.' }),
  }),
})

const CredentialProofInput = builder.inputType('CredentialProofInput', {
  description: "Exactly one of the fields; it must agree with the credential's type.",
  isOneOf: true,
  fields: (t) => ({
    oauth: t.field({ type: OAuthProofInput, description: 'For `OAUTH`.' }),
    emailOtp: t.field({ type: OtpProofInput, description: 'For `EMAIL_OTP`.' }),
    smsOtp: t.field({ type: OtpProofInput, description: 'For `SMS_OTP`.' }),
    passkey: t.field({ type: PasskeyProofInput, description: 'For `PASSKEY`.' }),
  }),
})

const VerifyCredentialInput = builder.inputType('VerifyCredentialInput', {
  description: 'Input of `verifyCredential`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`AuthMethod:<uuid>`.' }),
    proof: t.field({ type: CredentialProofInput, required: true, description: 'What proves the credential.' }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description: 'For `EMAIL_OTP` and `SMS_OTP`: signed by the key inside the bundle.',
    }),
  }),
})

type CredentialProof = (typeof VerifyCredentialInput.$inferInput)['proof']

/** As the body of the REST interface has it. There the request id of a passkey is a header. */
const proofBodyOf = ({ oauth, emailOtp, smsOtp, passkey }: CredentialProof) => {
  if (oauth) return { type: 'OAUTH', ...oauth }
  if (emailOtp) return { type: 'EMAIL_OTP', ...emailOtp }
  if (smsOtp) return { type: 'SMS_OTP', ...smsOtp }
  return { type: 'PASSKEY', assertion: passkey?.assertion }
}

addMutation('verifyCredential', {
  description: 'Verifies a credential and issues a session. OTP credentials answer `SignedRetryChallenge` first.',
  input: VerifyCredentialInput,
  check: verificationRequest,
  forms: (['oauth', 'emailOtp', 'smsOtp', 'passkey'] as const).map((type) => ({ proof: { [type]: {} } })),
  payload: payloadOf(
    'VerifyCredentialPayload',
    'Result of `verifyCredential`.',
    [SessionIssuedType, SignedRetryChallengeType],
    [400, 401, 403, 404, 429],
  ),
  usesCredential: true,
  placeOf: ({ proof }, field) => (field === 'type' ? 'input.proof' : `input.proof.${Object.keys(proof)[0]}.${field}`),
  resolve: async ({ id, proof }, { caller }, { requestId, signature }) => {
    const headers = { requestId: proof.passkey?.requestId || requestId, signature }
    return memberOf(await verifyCredential(caller, id, withoutNulls(proofBodyOf(proof)), headers), sessionIssued)
  },
})
