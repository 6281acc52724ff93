// The terms that the customers of a platform accept (docs/domain/customers.md#customer-operations).
import { type Caller, requirePermission } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'

export interface EndUserTerms {
  readonly version: string
  readonly url: string
}

export const TERMS_TEXTS = {
  version: 'Version of the terms. It changes with their text.',
  url: 'URL of their text.',
} as const

/** Needs the permission VIEW. 403 `FORBIDDEN` for agents, and 501 `NOT_IMPLEMENTED` if the operator has set none. */
export const readEndUserTerms = (caller: Caller): EndUserTerms => {
  if (caller.scheme === 'AGENT') throw new ApiError('FORBIDDEN', 'Agents may not see this')
  requirePermission(caller, 'VIEW')
  const { endUserTerms } = config
  if (endUserTerms === null)
    throw new ApiError('NOT_IMPLEMENTED', 'The operator of the gateway has set no end-user terms')
  return endUserTerms
}
