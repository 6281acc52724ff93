// The keys of a platform for its UMA domain (docs/domain/uma.md#keys).
import { X509Certificate } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { ENVIRONMENTS, type Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { db } from '#database/db.ts'
import type { Platform, UmaKeys } from '#generated/prisma/client.ts'
import { certificateOf, privateKeyOf } from './certificate.ts'
import { fingerprintOf } from './chain.ts'

const YEARS = 10

/** A platform as an institution of the protocol. */
export interface Institution {
  readonly platformId: PlatformId
  readonly environment: Environment
  readonly name: string
  readonly domain: string
  /** 32 bytes each. */
  readonly signingKey: Buffer
  readonly encryptionKey: Buffer
  /** Certificates in PEM, the leaf first. */
  readonly signingChain: string
  readonly encryptionChain: string
}

const ownerOf = (platformId: string, domain: string, use: 'signing' | 'encryption') =>
  `uma_keys ${platformId} ${domain} ${use}`

/** Draws both keys anew and signs their certificates with a root of their own, whose fingerprint the counterparties pin. */
export const createKeys = async (platformId: string, domain: string): Promise<{ readonly fingerprint: string }> => {
  const root = keyOf(secp256k1.utils.randomSecretKey())
  const [signing, encryption] = [keyOf(secp256k1.utils.randomSecretKey()), keyOf(secp256k1.utils.randomSecretKey())]
  const from = new Date(Date.now() - 3_600_000)
  const until = new Date(from)
  until.setUTCFullYear(until.getUTCFullYear() + YEARS)
  const name = `root.${domain}`
  const rootCertificate = certificateOf({ domain: name, subject: root.key, from, until })
  const chainOf = ({ key }: Key) =>
    certificateOf({ domain, subject: key, from, until, issuer: { name, key: root.key } }) + rootCertificate
  const data = {
    signingKeySealed: sealSecret(signing.bytes, ownerOf(platformId, domain, 'signing')),
    encryptionKeySealed: sealSecret(encryption.bytes, ownerOf(platformId, domain, 'encryption')),
    signingChain: chainOf(signing),
    encryptionChain: chainOf(encryption),
  }
  await db.umaKeys.upsert({
    where: { platformId_domain: { platformId, domain } },
    create: { platformId, domain, ...data },
    update: data,
  })
  return { fingerprint: fingerprintOf(new X509Certificate(rootCertificate)) }
}

interface Key {
  readonly bytes: Uint8Array
  readonly key: ReturnType<typeof privateKeyOf>
}
const keyOf = (bytes: Uint8Array): Key => ({ bytes, key: privateKeyOf(bytes) })

/** The institution of the platform. 501 `NOT_IMPLEMENTED` if it has no UMA domain, or no keys for it. */
export const ownInstitution = async (platformId: PlatformId): Promise<Institution> => {
  const found = await institutionWhere({ platformId })
  if (!found) {
    throw new ApiError('NOT_IMPLEMENTED', 'UMA is not set up for this platform', { reason: 'UMA_NOT_CONFIGURED' })
  }
  return found
}

/** The institution of a domain, or undefined. Only the platform that has the keys of the domain answers for it. */
export const institutionAt = (domain: string): Promise<Institution | undefined> => institutionWhere({ domain })

/** Like `institutionAt`, also if the platform has another domain by now: its payments at this one must end. */
export const formerInstitutionAt = async (domain: string): Promise<Institution | undefined> => {
  const [row] = await keysWhere({ domain })
  return row && institutionOf(row)
}

/** The platform as the institution of the domain, also if it has another one by now. Without keys for the domain, the same as `ownInstitution`. */
export const ownFormerInstitution = async (platformId: PlatformId, domain: string): Promise<Institution> => {
  const found = await formerInstitutionAt(domain)
  return found?.platformId === platformId ? found : ownInstitution(platformId)
}

interface Where {
  readonly platformId?: string
  readonly domain?: string
}

const institutionWhere = async (where: Where): Promise<Institution | undefined> => {
  const row = (await keysWhere(where)).find(({ domain, platform }) => platform.umaDomain === domain)
  return row && institutionOf(row)
}

const keysWhere = (where: Where) => db.umaKeys.findMany({ where, include: { platform: true } })

const institutionOf = ({ platform, ...keys }: UmaKeys & { readonly platform: Platform }): Institution | undefined =>
  ENVIRONMENTS.includes(platform.environment)
    ? { ...openKeys(keys), environment: platform.environment, name: platform.name }
    : undefined

const openKeys = ({ platformId, domain, signingKeySealed, encryptionKeySealed, ...chains }: UmaKeys) => ({
  platformId: platformId as PlatformId,
  domain,
  signingKey: openSecret(signingKeySealed, ownerOf(platformId, domain, 'signing')),
  encryptionKey: openSecret(encryptionKeySealed, ownerOf(platformId, domain, 'encryption')),
  signingChain: chains.signingChain,
  encryptionChain: chains.encryptionChain,
})

/** Certificates of a PEM text as DER in hexadecimal, in their order. */
export const derOf = (chain: string): string[] =>
  (chain.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((pem) =>
    new X509Certificate(pem).raw.toString('hex'),
  )
