// Changes to a wallet take two calls with the same input: the gateway answers with a text, the device signs it, and the call is repeated.
import type { AnyVariables, Client } from 'urql'
import type { SignedRetryInput, TypedDocumentString } from '../gql/graphql.ts'
import { documentOf } from '../graphql/client.ts'
import { outcomeOf, type Success } from '../graphql/outcome.ts'
import { type SigningKey, stamp } from './keys.ts'

export interface Session {
  readonly id: string
  readonly expiresAt: string
  readonly key: SigningKey
}

type Done<Data> = Exclude<Success<Data>, { readonly payloadToSign: unknown }>

/** The payload of a mutation, or a thrown `Failure`. */
export const send = async <Data, Variables extends AnyVariables>(
  client: Client,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Success<Data>> => {
  const { success, failure } = outcomeOf(await client.mutation(documentOf(document), variables).toPromise())
  if (failure) throw failure
  return success
}

/** Sends, signs what the gateway asks to sign, and sends again. */
export const sendSigned = async <Data, Input extends { signedRetry?: unknown }>(
  client: Client,
  document: TypedDocumentString<Data, { input: Input }>,
  input: Omit<Input, 'signedRetry'>,
  key: SigningKey,
): Promise<Done<Data>> => {
  const first = await send(client, document, { input: input as Input })
  if (!('payloadToSign' in (first as object))) return first as Done<Data>
  const { payloadToSign, requestId } = first as { payloadToSign: string; requestId: string }
  const signedRetry: SignedRetryInput = { requestId, walletSignature: await stamp(key, payloadToSign) }
  return (await send(client, document, { input: { ...input, signedRetry } as unknown as Input })) as Done<Data>
}
