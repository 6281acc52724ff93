// The part of a kind in the GraphQL mutations on credentials.
import type { InputRef, ObjectParam } from '@pothos/core'
import type { Credential, CredentialType } from '#credentials/credential.ts'
import type { SchemaTypes } from '#graphql/builder.ts'
import type { Member } from '#graphql/mutation.ts'

/** A field of a oneOf input. The field that is given determines the type of the credential. */
export interface Alternative<Value = unknown> {
  readonly name: string
  readonly type: InputRef<Value>
  readonly description: string
  /** The value as a REST body, with its `type`. */
  bodyOf(value: Value): object
  /** For proofs that answer a challenge: the request id of the challenge. */
  requestIdOf?(value: Value): string | null | undefined
}

/** The result of `challengeCredential` for these types. */
interface ChallengeMember<Challenge extends object = object> {
  readonly credentialTypes: readonly CredentialType[]
  readonly type: ObjectParam<SchemaTypes>
  memberOf(credential: Credential, challenge: Challenge): Member
}

export interface GraphqlKind<Challenge extends object = object> {
  readonly registration: Alternative
  readonly proofs: readonly Alternative[]
  readonly challenge?: ChallengeMember<Challenge>
}
