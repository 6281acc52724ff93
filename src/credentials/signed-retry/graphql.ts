// The signed retry in GraphQL: the first call returns what to sign; the second has the signature in its input or in headers.
import type { PlatformCaller } from '#core/caller.ts'
import { AuthMethodTypeEnum } from '#credentials/graphql.ts'
import { builder } from '#graphql/builder.ts'
import {
  addMutation,
  type CalledBy,
  type Member,
  type MutationFrame,
  type Outcomes,
  payloadOfMutation,
} from '#graphql/mutation.ts'
import { type Outcome, RETRY_TEXTS, type RetryProof, type SignedRetryChallenge } from './signed-retry.ts'

export const SignedRetryChallengeType = builder.objectRef<SignedRetryChallenge>('SignedRetryChallenge').implement({
  description: `${RETRY_TEXTS.challenge} Sign \`payloadToSign\` byte for byte, then send the identical input with \`signedRetry\` before \`expiresAt\`. REST: 202.`,
  fields: (t) => ({
    type: t.expose('type', {
      type: AuthMethodTypeEnum,
      description: RETRY_TEXTS.type,
    }),
    payloadToSign: t.exposeString('payloadToSign', {
      nullable: false,
      description: RETRY_TEXTS.payloadToSign,
    }),
    requestId: t.exposeID('requestId', { nullable: false, description: RETRY_TEXTS.requestId }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: false,
      description: RETRY_TEXTS.expiresAt,
    }),
  }),
})

export const SignedRetryInput = builder.inputType('SignedRetryInput', {
  description:
    'Proof of a signed retry. Both fields are needed. An operation with a single mutation field may send the HTTP headers `Request-Id` and `Service-Wallet-Signature` instead.',
  fields: (t) => ({
    requestId: t.id({ description: '`SignedRetryChallenge.requestId`.' }),
    walletSignature: t.string({ description: 'Stamp over `payloadToSign`, made with the key that must sign.' }),
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

interface SignedMutation<Input, T, S extends object> extends Omit<MutationFrame<Input>, 'usesCredential'>, Outcomes<S> {
  readonly resolve: (input: Input, context: CalledBy<PlatformCaller>, proof: RetryProof) => Promise<Outcome<T>>
  /** What the success is made of. */
  readonly done: (done: T) => S
}

/** Adds a mutation that returns `SignedRetryChallenge` until it is signed. */
export const addSignedMutation = <Input extends SignedInput, T, S extends object>(
  name: string,
  { resolve, done, success, statuses, ...frame }: SignedMutation<Input, T, S>,
) =>
  addMutation<Input, S | Member>(name, {
    ...frame,
    usesCredential: true,
    payload: payloadOfMutation(name, { success, statuses }, [SignedRetryChallengeType]),
    resolve: async (input, context, headers) => {
      const outcome = await resolve(input, context, proofOf(input, headers))
      return 'challenge' in outcome ? { __typename: 'SignedRetryChallenge', ...outcome.challenge } : done(outcome.done)
    },
  })
