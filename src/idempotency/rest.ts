// The `Idempotency-Key` header in REST.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { invalidInput } from '#core/errors.ts'
import { signatureHeader } from '#rest/operation.ts'
import type { AgentVariables, RestVariables } from '#rest/router.ts'
import { type Answer, type Attempt, answerOnce, type Call, idempotencyKey } from './idempotency.ts'

const KEY_TEXT =
  'A key of your choice. For 24 hours, repeating the request with the same key and body returns the first response again.'
export const onceHeader = z.object({ 'Idempotency-Key': idempotencyKey.optional().describe(KEY_TEXT) })
/** For operations that refuse a call without a key. */
export const requiredOnceHeader = z.object({ 'Idempotency-Key': idempotencyKey.describe(KEY_TEXT) })
export const signedOnceHeader = onceHeader.extend(signatureHeader.shape)

/** Like `once`. Throws 400 `INVALID_INPUT` without a key. */
export const onceWithKey: typeof once = (context, call, answer) => {
  if (!context.req.header('idempotency-key')) {
    throw invalidInput('Idempotency-Key', 'Idempotency-Key is required')
  }
  return once(context, call, answer)
}

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
