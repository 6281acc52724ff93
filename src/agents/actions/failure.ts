// Why an approved action cannot be carried out: for good, or only now (docs/domain/agents.md#decisions).
import { ApiError, isRetryable } from '#core/errors.ts'
import type { ActionFailure } from './action.ts'

/** The price has moved beyond what the policy tolerates. */
export class PriceMoved extends Error {}

/** Obstacles that may pass without the platform's doing, so that the action goes on waiting. */
const PASSING: readonly unknown[] = [
  'AGENT_PAUSED',
  'ACCOUNT_FROZEN',
  'ACCOUNT_PENDING',
  'CUSTOMER_UNDER_REVIEW',
  'INSUFFICIENT_BALANCE',
]

/**
 * Why the action fails. Throws 409 `CONFLICT` with a reason when it may pass, and the error itself when it is ours: the action then goes
 * on waiting.
 */
export const finalFailure = (error: unknown): ActionFailure => {
  if (error instanceof PriceMoved) return { code: 'PRICE_MOVED', message: error.message }
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const { code, message, details } = error
  if (PASSING.includes(details?.reason)) throw new ApiError('CONFLICT', message, { reason: String(details?.reason) })
  if (isRetryable(code)) throw new ApiError('CONFLICT', message, { reason: code })
  if (code === 'FORBIDDEN') return { code: 'AGENT_POLICY', message }
  return { code: code === 'CONFLICT' ? (details?.reason ?? code) : code, message }
}
