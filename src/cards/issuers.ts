// The card issuer of each environment.
import type { Environment } from '#core/caller.ts'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import type { CardIssuer } from './issuer.ts'
import { sandboxIssuer } from './sandbox/issuer.ts'

/** Production has none yet. */
const ISSUERS: Readonly<Partial<Record<Environment, CardIssuer>>> = { SANDBOX: sandboxIssuer }

export const issuerOf = (environment: Environment): CardIssuer | undefined => ISSUERS[environment]

/** Throws 501 `NOT_IMPLEMENTED` if the operator has switched cards off, and in an environment without an issuer. */
export const requireIssuer = ({ environment }: { readonly environment: Environment }): CardIssuer => {
  if (!config.hasCards) throw new ApiError('NOT_IMPLEMENTED', 'Cards are switched off')
  const issuer = issuerOf(environment)
  if (issuer) return issuer
  throw new ApiError('NOT_IMPLEMENTED', 'No card issuer is connected in this environment')
}
