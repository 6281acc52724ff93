import type { Alternative, GraphqlKind } from '#credentials/kinds/graphql-kind.ts'
import { builder } from '#graphql/builder.ts'

const OAuthRegistrationInput = builder.inputType('OAuthRegistrationInput', {
  description: 'A new OIDC identity.',
  fields: (t) => ({ oidcToken: t.string({ required: true, description: 'OIDC identity token.' }) }),
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

const registration: Alternative<typeof OAuthRegistrationInput.$inferInput> = {
  name: 'oauth',
  type: OAuthRegistrationInput,
  description: 'A new OIDC identity.',
  bodyOf: (identity) => ({ type: 'OAUTH', ...identity }),
}

const proof: Alternative<typeof OAuthProofInput.$inferInput> = {
  name: 'oauth',
  type: OAuthProofInput,
  description: 'For `OAUTH`.',
  bodyOf: (token) => ({ type: 'OAUTH', ...token }),
}

export const oidcKind: GraphqlKind = { registration, proofs: [proof] }
