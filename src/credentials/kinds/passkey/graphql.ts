import type { Alternative, GraphqlKind } from '#credentials/kinds/graphql-kind.ts'
import { builder } from '#graphql/builder.ts'
import type { PasskeyChallenge } from './passkey.ts'

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

const registration: Alternative<typeof PasskeyRegistrationInput.$inferInput> = {
  name: 'passkey',
  type: PasskeyRegistrationInput,
  description: 'A new WebAuthn credential.',
  bodyOf: (passkey) => ({ type: 'PASSKEY', ...passkey }),
}

const proof: Alternative<typeof PasskeyProofInput.$inferInput> = {
  name: 'passkey',
  type: PasskeyProofInput,
  description: 'For `PASSKEY`.',
  bodyOf: ({ assertion }) => ({ type: 'PASSKEY', assertion }),
  requestIdOf: ({ requestId }) => requestId,
}

export const passkeyKind: GraphqlKind<PasskeyChallenge> = {
  registration,
  proofs: [proof],
  challenge: {
    credentialTypes: ['PASSKEY'],
    type: PasskeyAuthChallengeType,
    memberOf: (_credential, challenge) => ({ __typename: 'PasskeyAuthChallenge', ...challenge }),
  },
}
