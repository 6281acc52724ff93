// The stablecoin provider of each environment.
import type { Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { StablecoinProvider } from './provider.ts'
import { sandboxProvider } from './sandbox/provider.ts'

/** Production has none yet. */
const PROVIDERS: Readonly<Partial<Record<Environment, StablecoinProvider>>> = { SANDBOX: sandboxProvider }

export const stablecoinProviderOf = (environment: Environment): StablecoinProvider | undefined => PROVIDERS[environment]

/** Throws 501 `NOT_IMPLEMENTED` without a provider. */
export const requireProvider = (environment: Environment): StablecoinProvider => {
  const provider = stablecoinProviderOf(environment)
  if (!provider) throw new ApiError('NOT_IMPLEMENTED', 'Stablecoins are not available in production yet')
  return provider
}
