import { ApiError } from '#core/errors.ts'
import { logFailure } from '#core/log.ts'
import type { RequestContext } from '#core/request-context.ts'
import { outageOf } from '#database/outage.ts'

/** The error for the client. Logs unexpected ones, and the causes of outages. */
export const failureOf = (error: unknown, context: RequestContext): ApiError => {
  if (error instanceof ApiError) return error
  const outage = outageOf(error, context)
  if (outage) return outage
  logFailure({ traceId: context.traceId }, error)
  return new ApiError('INTERNAL_ERROR', 'Internal error. Quote the x-request-id to support.')
}
