// The GraphQL parts of every kind of credential.
import { builder } from '#graphql/builder.ts'
import type { Alternative, GraphqlKind } from './graphql-kind.ts'
import { oidcKind } from './oidc/graphql.ts'
import { otpKinds } from './otp/graphql.ts'
import { passkeyKind } from './passkey/graphql.ts'

const GRAPHQL_KINDS: readonly GraphqlKind[] = [passkeyKind, oidcKind, otpKinds]

export const REGISTRATIONS = GRAPHQL_KINDS.map(({ registration }) => registration)
export const PROOFS = GRAPHQL_KINDS.flatMap(({ proofs }) => proofs)
export const CHALLENGE_MEMBERS = GRAPHQL_KINDS.flatMap(({ challenge = [] }) => challenge)

type Given = Readonly<Record<string, unknown>>

/** An input that takes exactly one of the alternatives. */
export const oneOfInput = (name: string, description: string, alternatives: readonly Alternative[]) =>
  builder.inputType(name, {
    description,
    isOneOf: true,
    fields: (t) => Object.fromEntries(alternatives.map(({ name: field, ...options }) => [field, t.field(options)])),
  })

/** The alternative that is given, and its value. */
export const givenOf = (alternatives: readonly Alternative[], input: Given) => {
  const alternative = alternatives.find(({ name }) => (input[name] ?? null) !== null)
  if (!alternative) throw new Error('A oneOf input has one of its fields')
  return { alternative, value: input[alternative.name] }
}
