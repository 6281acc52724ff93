import type { Alternative, GraphqlKind } from '#credentials/kinds/graphql-kind.ts'
import { builder } from '#graphql/builder.ts'
import { type InputOf, inputOf } from '#graphql/input-of.ts'
import { passkeyAssertion } from './assertion.ts'
import { PASSKEY_CHALLENGE_TEXTS, type PasskeyChallenge, passkey } from './passkey.ts'
import { passkeyRegistration } from './registration.ts'

inputOf('PasskeyAttestationInput', 'Result of `navigator.credentials.create`.', passkeyRegistration.shape.attestation)
const PasskeyRegistrationInput = inputOf('PasskeyRegistrationInput', 'A new WebAuthn credential.', passkey.registration)

inputOf('PasskeyAssertionInput', 'Result of `navigator.credentials.get`.', passkeyAssertion)
const PasskeyProofInput = inputOf('PasskeyProofInput', 'Proof of a WebAuthn credential.', passkey.proof, (t) => ({
  requestId: t.id({
    description: '`PasskeyAuthChallenge.requestId`. The HTTP header `Request-Id` is accepted instead.',
  }),
}))

const PasskeyAuthChallengeType = builder.objectRef<PasskeyChallenge>('PasskeyAuthChallenge').implement({
  description: 'A WebAuthn challenge.',
  fields: (t) => ({
    challenge: t.expose('challenge', { type: 'Hex', nullable: false, description: PASSKEY_CHALLENGE_TEXTS.challenge }),
    requestId: t.exposeID('requestId', {
      nullable: false,
      description: PASSKEY_CHALLENGE_TEXTS.requestId,
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: PASSKEY_CHALLENGE_TEXTS.expiresAt,
    }),
  }),
})

const registration: Alternative<InputOf<typeof passkey.registration>> = {
  name: 'passkey',
  type: PasskeyRegistrationInput,
  description: 'A new WebAuthn credential.',
  bodyOf: (given) => ({ type: 'PASSKEY', ...given }),
}

const proof: Alternative<InputOf<typeof passkey.proof> & { requestId?: string | null | undefined }> = {
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
