// The `Idempotency-Key` header in REST.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { idempotencyHeader, signatureHeader } from '#rest/operation.ts'
import type { AgentVariables, RestVariables } from '#rest/router.ts'
import { type Answer, type Attempt, answerOnce, type Call, idempotencyKey } from './idempotency.ts'

export const onceHeader = idempotencyHeader(idempotencyKey)
export const signedOnceHeader = onceHeader.extend(signatureHeader.shape)

/** Reads `Idempotency-Key`. Given the result of an earlier attempt, `answer` reads it instead of running the operation again. */
export const once = async (
  context: Context<RestVariables> | Context<AgentVariables>,
  call: Omit<Call, 'key'>,
  answer: (attempt: Attempt) => Promise<Answer>,
): Promise<Response> => {
  const key = context.req.header('idempotency-key') ?? null
  const { status, text } = await answerOnce(context.var.caller, { ...call, key }, answer)
  return context.body(text, status as ContentfulStatusCode, { 'content-type': 'application/json' })
}
