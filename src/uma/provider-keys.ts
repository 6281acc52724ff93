// The public keys of UMA providers: fetched, checked and kept for minutes (docs/domain/uma.md#keys).
import type { KeyObject, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { ApiError } from '#core/errors.ts'
import type { UmaProvider } from '#generated/prisma/client.ts'
import { withoutSlot } from '#http/platform-queue.ts'
import { callProvider } from './call.ts'
import { checkChain } from './chain.ts'
import type { Institution } from './own-keys.ts'
import { jsonOf } from './wire.ts'

const KEPT_MS = 5 * 60_000
/** How soon a failed signature or a failed fetch may fetch the keys again. */
const AGAIN_AFTER_MS = 10_000
const MOST_KEPT = 1_000

export interface ProviderKeys {
  readonly signing: X509Certificate
  readonly encryption: X509Certificate
  readonly fetchedAt: number
}

const kept = new Map<string, { readonly keys: ProviderKeys; readonly until: number }>()
const failures = new Map<string, { readonly error: unknown; readonly until: number }>()

const keep = <T>(entries: Map<string, T>, id: string, entry: T): void => {
  if (entries.size >= MOST_KEPT) entries.clear()
  entries.set(id, entry)
}

const hex = z.string().regex(/^([0-9a-f]{2}){1,8192}$/i)
const published = z.object({
  signingCertChain: z.array(hex).max(20).nullish(),
  encryptionCertChain: z.array(hex).max(20).nullish(),
  signingPubKey: z.string().nullish(),
  encryptionPubKey: z.string().nullish(),
  expirationTimestamp: z.number().nullish(),
})

const idOf = ({ platformId }: Institution, { domain, rootFingerprint }: UmaProvider) =>
  `${platformId} ${domain} ${rootFingerprint}`

/**
 * Throws 424 `COUNTERPARTY_PUBKEY_FETCH_ERROR` without an answer, 400 `INVALID_PUBKEY_FORMAT` for one that holds no keys, and 400
 * `CERT_CHAIN_INVALID` or `CERT_CHAIN_EXPIRED` for keys that cannot be trusted.
 */
export const keysOf = async (own: Institution, provider: UmaProvider): Promise<ProviderKeys> => {
  const found = kept.get(idOf(own, provider))
  return found && found.until > Date.now() ? found.keys : fetchOnce(own, provider)
}

/**
 * The keys of the provider now, for a signature that does not fit the `old` ones. Undefined if those are too new to have changed since. The old
 * ones are kept until the new ones are there: a stranger's message must not lose them. Throws what `keysOf` throws.
 */
export const newerKeys = async (
  own: Institution,
  provider: UmaProvider,
  { fetchedAt }: ProviderKeys,
): Promise<ProviderKeys | undefined> => {
  const found = kept.get(idOf(own, provider))
  if (found && found.keys.fetchedAt > fetchedAt) return found.keys
  return Date.now() - fetchedAt > AGAIN_AFTER_MS ? fetchOnce(own, provider) : undefined
}

const fetching = new Map<string, Promise<ProviderKeys>>()

/**
 * Messages that arrive during a fetch wait for it, and those that arrive soon after a failed one get the same error, because strangers can
 * name a provider in any number of messages.
 */
const fetchOnce = async (own: Institution, provider: UmaProvider): Promise<ProviderKeys> => {
  const id = idOf(own, provider)
  const failure = failures.get(id)
  if (failure && failure.until > Date.now()) throw failure.error
  const running = fetching.get(id) ?? fetchAndKeep(id, own, provider).finally(() => fetching.delete(id))
  fetching.set(id, running)
  return withoutSlot(() => running)
}

const fetchAndKeep = async (id: string, own: Institution, provider: UmaProvider): Promise<ProviderKeys> => {
  const { keys, expiresAt } = await fetchKeys(own, provider).catch((error) => {
    keep(failures, id, { error, until: Date.now() + AGAIN_AFTER_MS })
    throw error
  })
  keep(kept, id, { keys, until: Math.min(expiresAt, Date.now() + KEPT_MS) })
  return keys
}

const fetchKeys = async ({ environment }: Institution, provider: UmaProvider) => {
  const answered = await callProvider(provider, environment, '/.well-known/lnurlpubkey')
  if (answered?.status !== 200) {
    throw new ApiError('COUNTERPARTY_PUBKEY_FETCH_ERROR', 'The keys of the UMA provider could not be fetched')
  }
  const { data } = published.safeParse(jsonOf(answered.text))
  const { signingCertChain, encryptionCertChain, signingPubKey, encryptionPubKey, expirationTimestamp } = data ?? {}
  if (!(signingCertChain || signingPubKey) || !(encryptionCertChain || encryptionPubKey)) {
    throw new ApiError('INVALID_PUBKEY_FORMAT', 'The keys of the UMA provider cannot be read')
  }
  const root = provider.rootFingerprint
  const keys: ProviderKeys = {
    signing: checkChain(signingCertChain ?? [], root),
    encryption: checkChain(encryptionCertChain ?? [], root),
    fetchedAt: Date.now(),
  }
  return { keys, expiresAt: expirationTimestamp ? expirationTimestamp * 1_000 : Number.POSITIVE_INFINITY }
}

/** The key as the library takes it: an uncompressed point. */
export const pointOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' }).subarray(-65)
