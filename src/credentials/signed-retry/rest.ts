// The signed-retry exchange over HTTP: two headers in, 202 or the outcome out.
import type { Context } from 'hono'
import { retryBody } from '#credentials/rest-body.ts'
import type { RestVariables } from '#rest/router.ts'
import type { Outcome, Proof } from './signed-retry.ts'

/** An empty header counts as absent. */
export const proofOf = ({ req }: Context<RestVariables>): Proof => ({
  requestId: req.header('request-id') || null,
  signature: req.header('service-wallet-signature') || null,
})

/** 202 with what to sign, else the answer to what was done. */
export const answer = <T>(
  context: Context<RestVariables>,
  outcome: Outcome<T>,
  answerDone: (done: T) => Response,
): Response => ('challenge' in outcome ? context.json(retryBody(outcome.challenge), 202) : answerDone(outcome.done))
