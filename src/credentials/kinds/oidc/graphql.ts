import type { Alternative, GraphqlKind } from '#credentials/kinds/graphql-kind.ts'
import { type InputOf, inputOf } from '#graphql/input-of.ts'
import { oidc } from './oidc.ts'

const OAuthRegistrationInput = inputOf('OAuthRegistrationInput', 'A new OIDC identity.', oidc.registration)
const OAuthProofInput = inputOf('OAuthProofInput', 'Proof of an OIDC identity.', oidc.proof)

const registration: Alternative<InputOf<typeof oidc.registration>> = {
  name: 'oauth',
  type: OAuthRegistrationInput,
  description: 'A new OIDC identity.',
  bodyOf: (identity) => ({ type: 'OAUTH', ...identity }),
}

const proof: Alternative<InputOf<typeof oidc.proof>> = {
  name: 'oauth',
  type: OAuthProofInput,
  description: 'For `OAUTH`.',
  bodyOf: (token) => ({ type: 'OAUTH', ...token }),
}

export const oidcKind: GraphqlKind = { registration, proofs: [proof] }
