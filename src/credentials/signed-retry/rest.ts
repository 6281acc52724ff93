// The signed retry over REST: the proof is in two headers, and the challenge has status 202.
import type { Context } from 'hono'
import { retryBody } from '#credentials/rest-body.ts'
import type { RestVariables } from '#rest/router.ts'
import type { Outcome, RetryProof } from './signed-retry.ts'

/** An empty header counts as absent. */
export const proofOf = ({ req }: Context<RestVariables>): RetryProof => ({
  requestId: req.header('request-id') || null,
  signature: req.header('service-wallet-signature') || null,
})

/** 202 with the challenge, or the response of the operation once it is performed. */
export const answerOutcome = <T>(
  context: Context<RestVariables>,
  outcome: Outcome<T>,
  answerDone: (done: T) => Response | Promise<Response>,
): Response | Promise<Response> =>
  'challenge' in outcome ? context.json(retryBody(outcome.challenge), 202) : answerDone(outcome.done)
