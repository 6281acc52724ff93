// The second half of the signed-retry exchange: in the input, or in the two headers of the REST interface.
import { builder } from './builder.ts'

/** The request that was challenged, and the stamp over it. Absent parts are null. */
export interface Proof {
  readonly requestId: string | null
  readonly signature: string | null
}

export const SignedRetryInput = builder.inputType('SignedRetryInput', {
  description:
    'Second half of the signed-retry exchange. Both parts are needed; the HTTP headers `Request-Id` and `Service-Wallet-Signature` are accepted instead when the operation has one mutation field.',
  fields: (t) => ({
    requestId: t.id({ description: 'From `SignedRetryChallenge.requestId`.' }),
    walletSignature: t.string({ description: 'Stamp over `payloadToSign` by the session key.' }),
  }),
})

interface SignedRetry {
  readonly requestId?: string | null
  readonly walletSignature?: string | null
}

/** What stands in the input wins over the headers. Empty text counts as absent. */
export const proofOf = (input: { readonly signedRetry?: SignedRetry | null }, headers: Headers | null): Proof => {
  const { requestId, walletSignature } = input.signedRetry ?? {}
  if (requestId || walletSignature) return { requestId: requestId || null, signature: walletSignature || null }
  return {
    requestId: headers?.get('request-id') || null,
    signature: headers?.get('service-wallet-signature') || null,
  }
}
