// What the operator's commands do for UMA.
import { StartupError } from '#core/environment.ts'
import { db } from '#database/db.ts'
import { createKeys } from './own-keys.ts'
import { type ProviderTerms, putProvider } from './providers/provider.ts'

const platformOf = async (platformId: string) => {
  const platform = await db.platform.findUnique({ where: { id: platformId } })
  if (!platform) throw new StartupError(`There is no platform ${platformId}`)
  return platform
}

/** Creates the keys for the UMA domain of the platform's configuration. No other platform may have the domain. */
export const createUmaKeys = async (
  platformId: string,
): Promise<{ readonly domain: string; readonly fingerprint: string }> => {
  const { umaDomain: domain } = await platformOf(platformId)
  if (!domain) throw new StartupError('The platform has no umaDomain in its configuration')
  const other = await db.umaKeys.findUnique({ where: { domain } })
  if (other && other.platformId !== platformId) throw new StartupError(`Another platform has the keys of ${domain}`)
  return { domain, ...(await createKeys(platformId, domain)) }
}

export const setUmaProvider = async (platformId: string, terms: ProviderTerms): Promise<void> => {
  await platformOf(platformId)
  await putProvider(platformId, terms)
}
