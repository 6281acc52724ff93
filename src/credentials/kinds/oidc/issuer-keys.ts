// The public keys of the configured issuers (OpenID Connect Discovery §4), fetched when needed and cached.
import { type CompactVerifyGetKey, createLocalJWKSet, errors, type JWK } from 'jose'
import { z } from 'zod'
import { config } from '#core/config.ts'
import { ApiError } from '#core/errors.ts'
import { parseStrictJsonBytes } from '#core/json/strict-json.ts'
import { logFailure } from '#core/log.ts'
import { importPublicKey } from '#credentials/crypto/public-key.ts'
import { withoutSlot } from '#http/platform-queue.ts'

const MAX_AGE_MS = 600_000
const COOLDOWN_MS = 30_000
const TIMEOUT_MS = 3000
const MAX_BYTES = 1_048_576

/** Google writes its issuer with and without the scheme (developers.google.com/identity/openid-connect). */
const GOOGLE = ['https://accounts.google.com', 'accounts.google.com']

/** The configured issuer that `iss` names. Undefined when there is none. */
export const issuerOf = (iss: string): string | undefined =>
  config.oidcIssuers.find((configured) => storedForms(configured).includes(iss))

/** The forms in which credentials store this issuer. Earlier releases stored it as it was in the token. */
export const storedForms = (issuer: string): readonly string[] => (GOOGLE.includes(issuer) ? GOOGLE : [issuer])

/** The key lookup for `compactVerify`. The issuer must be a configured one. */
export const keysOf = (issuer: string): CompactVerifyGetKey => {
  const known = issuers.get(issuer) ?? keysFrom(issuer)
  issuers.set(issuer, known)
  return known
}

const issuers = new Map<string, CompactVerifyGetKey>()

type KeySet = ReturnType<typeof createLocalJWKSet>

/** Fetched keys stay in use until new ones arrive, so that verification survives an outage of the issuer. */
const keysFrom = (issuer: string): CompactVerifyGetKey => {
  let keys: KeySet | undefined
  let fetching: Promise<void> | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let fetchedAt = Number.NEGATIVE_INFINITY

  /** One fetch at a time, and once there are keys one per cooldown, so that tokens with unknown key ids cannot cause a flood of fetches. */
  const refresh = async () => {
    if (!fetching) {
      if (keys && performance.now() - triedAt < COOLDOWN_MS) return
      triedAt = performance.now()
      fetching = fetchKeys(issuer)
        .then((fetched) => {
          keys = fetched
          fetchedAt = performance.now()
        })
        .catch((error: unknown) => logFailure({ task: 'oidc-keys' }, error))
        .finally(() => {
          fetching = undefined
        })
    }
    const fetched = fetching
    await withoutSlot(() => fetched)
  }

  return async (header, token) => {
    if (performance.now() - fetchedAt > MAX_AGE_MS) await refresh()
    if (!keys) throw new ApiError('SERVICE_UNAVAILABLE', 'The issuer of the OIDC token cannot be reached')
    try {
      return await keys(header, token)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      await refresh()
      return keys(header, token)
    }
  }
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

const fetchKeys = async (issuer: string): Promise<KeySet> => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const discovery = z.object({ issuer: z.literal(issuer), jwks_uri: z.url({ protocol: protocolsOf(issuer) }) })
  const document = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal)
  const { jwks_uri } = discovery.parse(document)
  const { keys } = keySet.parse(await fetchJson(jwks_uri, signal))
  return createLocalJWKSet({ keys: keys.flatMap(usable) })
}

/** Keys may be fetched over plain HTTP only from an issuer on this machine. */
const protocolsOf = (issuer: string) => (issuer.startsWith('https:') ? /^https$/ : /^https?$/)

/** The public part of the key, if it is strong and may verify signatures (RFC 7517 §4.3). */
const usable = (jwk: JWK): JWK[] => {
  const { kid, alg, use, key_ops } = jwk
  if (key_ops !== undefined && !(Array.isArray(key_ops) && key_ops.includes('verify'))) return []
  const key = importPublicKey(jwk)
  return key ? [{ ...key.export({ format: 'jwk' }), ...JSON.parse(JSON.stringify({ kid, alg, use })) }] : []
}

const fetchJson = async (url: string, signal: AbortSignal): Promise<unknown> => {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new Error(`${url} answered more than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return parseStrictJsonBytes(Buffer.concat(chunks))
}
