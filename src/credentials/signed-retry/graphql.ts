// The signed retry in GraphQL: the first call answers what to sign, the second brings the signature in its input or in headers.
import type { PlatformCaller } from '#core/caller.ts'
import { AuthMethodTypeEnum } from '#credentials/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { addMutation, type CalledBy, type Member, type MutationFrame } from '#graphql/mutation.ts'
import type { Outcome, RetryProof, SignedRetryChallenge } from './signed-retry.ts'

export const SignedRetryChallengeType = builder.objectRef<SignedRetryChallenge>('SignedRetryChallenge').implement({
  description:
    'The operation must be repeated with a signature (REST: HTTP 202). Sign `payloadToSign` byte for byte, then send the identical input with `signedRetry` before `expiresAt`.',
  fields: (t) => ({
    type: t.expose('type', {
      type: AuthMethodTypeEnum,
      description:
        'Kind of the credential that the operation concerns. Null where it concerns none: wallet export and privacy.',
    }),
    payloadToSign: t.exposeString('payloadToSign', {
      nullable: false,
      description: 'Opaque. Do not parse, re-serialize or trim.',
    }),
    requestId: t.exposeID('requestId', { nullable: false, description: '`Request:<uuid>`, single use.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: 'Typically 5 minutes after issue.',
    }),
  }),
})

export const SignedRetryInput = builder.inputType('SignedRetryInput', {
  description:
    'Second half of the signed-retry exchange. Both parts are needed; the HTTP headers `Request-Id` and `Service-Wallet-Signature` are accepted instead when the operation has one mutation field.',
  fields: (t) => ({
    requestId: t.id({ description: 'From `SignedRetryChallenge.requestId`.' }),
    walletSignature: t.string({ description: 'Stamp over `payloadToSign` by the session key.' }),
  }),
})

interface SignedInput {
  readonly signedRetry?: typeof SignedRetryInput.$inferInput | null | undefined
}

/** The input wins over the headers. Empty text counts as absent. */
export const proofOf = ({ signedRetry }: SignedInput, headers: Headers | null): RetryProof => {
  const { requestId, walletSignature } = signedRetry ?? {}
  if (requestId || walletSignature) return { requestId: requestId || null, signature: walletSignature || null }
  return { requestId: headers?.get('request-id') || null, signature: signatureOf(null, headers) }
}

/** The input wins over the header. Empty text counts as absent. */
export const signatureOf = (walletSignature: string | null | undefined, headers: Headers | null): string | null =>
  walletSignature || headers?.get('service-wallet-signature') || null

interface SignedMutation<Input, T> extends Omit<MutationFrame<Input>, 'usesCredential'> {
  readonly resolve: (input: Input, context: CalledBy<PlatformCaller>, proof: RetryProof) => Promise<Outcome<T>>
  /** The member of the payload that tells what was done. */
  readonly done: (done: T) => Member
}

/** Adds a mutation that answers `SignedRetryChallenge` until it is signed. */
export const addSignedMutation = <Input extends SignedInput, T>(
  name: string,
  { resolve, done, ...frame }: SignedMutation<Input, T>,
) =>
  addMutation<Input>(name, {
    ...frame,
    usesCredential: true,
    resolve: async (input, context, headers) => {
      const outcome = await resolve(input, context, proofOf(input, headers))
      return 'challenge' in outcome ? { __typename: 'SignedRetryChallenge', ...outcome.challenge } : done(outcome.done)
    },
  })
