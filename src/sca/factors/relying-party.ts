// The relying party of SCA passkeys: the domain that the platform's origins share.
import { getDomain } from 'tldts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { passkeySettingsOf } from '#credentials/kinds/passkey/settings.ts'

export interface RelyingParty {
  readonly id: string
  readonly allowedOrigins: readonly string[]
  readonly requiresUserVerification: boolean
}

const siteOf = (host: string) => (host === 'localhost' ? host : getDomain(host, { allowPrivateDomains: true }))

/** 409 `CONFLICT` when the platform has set no web origins: the relying party is unknown then. */
export const relyingPartyFor = async (caller: PlatformCaller): Promise<RelyingParty> => {
  const { origins, requiresUserVerification } = await passkeySettingsOf(caller)
  const web = (origins ?? []).filter((origin) => /^https?:/.test(origin))
  const host = web[0] === undefined ? '' : new URL(web[0]).hostname
  const site = siteOf(host)
  if (site === null) {
    throw new ApiError('CONFLICT', 'The platform has set no origins for passkeys', {
      reason: 'PASSKEY_ORIGINS_NOT_SET',
    })
  }
  const allowedOrigins = web.filter((origin) => siteOf(new URL(origin).hostname) === site)
  const isShared = (domain: string) =>
    allowedOrigins.every((origin) => `.${new URL(origin).hostname}`.endsWith(`.${domain}`))
  const labels = host.split('.')
  const id = labels.map((_label, index) => labels.slice(index).join('.')).find(isShared) ?? site
  return { id, allowedOrigins, requiresUserVerification }
}
