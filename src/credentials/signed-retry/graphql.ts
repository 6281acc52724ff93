// The first half of the signed-retry exchange, as a member of payloads.

import { AuthMethodTypeEnum } from '#credentials/graphql.ts'
import { builder } from '#graphql/builder.ts'
import type { Outcome, SignedRetryChallenge } from './signed-retry.ts'

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

/** What to sign, or the member that tells what was done. */
export const memberOf = <T>(outcome: Outcome<T>, memberDone: (done: T) => { readonly __typename: string }) =>
  'challenge' in outcome ? { __typename: 'SignedRetryChallenge', ...outcome.challenge } : memberDone(outcome.done)
