// Whether the failure of an approved action is final or temporary (docs/domain/agents.md#decisions).
import { ApiError, isRetryable } from '#core/errors.ts'
import type { ActionFailure } from './action.ts'

/** The new price is worse than the policy tolerates. */
export class PriceMoved extends Error {}

/** Reasons of temporary failures, after which the action keeps waiting. */
const PASSING: readonly unknown[] = [
  'AGENT_PAUSED',
  'ACCOUNT_FROZEN',
  'ACCOUNT_PENDING',
  'CUSTOMER_UNDER_REVIEW',
  'INSUFFICIENT_BALANCE',
  'SCA_FACTOR_MISSING',
  'SCA_LOCKED',
]

/**
 * Returns the failure to store if the error is final. Throws 409 `CONFLICT` with a reason if it is temporary, and the error itself if it is
 * internal. In both cases the action keeps waiting.
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
