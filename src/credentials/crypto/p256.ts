// Keys and signatures on the curve P-256 (FIPS 186-5), with the checks that node:crypto leaves to its callers.
import { createECDH, createPublicKey, ECDH, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import { inHex } from '#core/input.ts'

const CURVE = 'prime256v1'
const PUBLIC_KEY = /^(?:0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$/
const COORDINATE_BYTES = 32
const COMPRESSED_BYTES = 33

/** The key as 65 uncompressed bytes. Undefined unless `hex` is a point on the curve, compressed or uncompressed. */
export const parsePublicKey = (hex: string): Uint8Array | undefined => {
  // Without this check, decoding would stop silently at the first character that is not hex, and the hybrid form would pass.
  if (!PUBLIC_KEY.test(hex)) return undefined
  try {
    return uncompress(Buffer.from(hex, 'hex'))
  } catch {
    return undefined
  }
}

/** Like `parsePublicKey`, as 33 compressed bytes. */
export const parseCompressedKey = (hex: string): Uint8Array | undefined => {
  if (!PUBLIC_KEY.test(hex)) return undefined
  const bytes = Buffer.from(hex, 'hex')
  // A key that was imported is on the curve. To find the point again would cost a third of a verification.
  if (bytes.length === COMPRESSED_BYTES && keys.has(nameOf(bytes))) return bytes
  const point = parsePublicKey(hex)
  return point && compressKey(point)
}

/** 33 bytes, given 65: whether y is odd, and x (SEC 1 §2.3.3). */
export const compressKey = (publicKey: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.of((publicKey.at(-1) ?? 0) % 2 === 0 ? 2 : 3), publicKey.subarray(1, 1 + COORDINATE_BYTES)])

/** A public key of 65 bytes and its private scalar of 32. */
export const generateKeyPair = (): { publicKey: Uint8Array; privateKey: Uint8Array } => {
  const keys = createECDH(CURVE)
  const publicKey = keys.generateKeys()
  // A scalar below 2^248 has fewer than 32 bytes.
  const scalar = keys.getPrivateKey()
  const privateKey = Buffer.alloc(COORDINATE_BYTES)
  privateKey.set(scalar, COORDINATE_BYTES - scalar.length)
  scalar.fill(0)
  return { publicKey, privateKey }
}

/** 65 bytes uncompressed. */
export const publicKeyOfPrivate = (privateKey: Uint8Array): Uint8Array => {
  const keys = createECDH(CURVE)
  keys.setPrivateKey(privateKey)
  return keys.getPublicKey()
}

/** The members of a JSON Web Key (RFC 7518 §6.2.1). */
export const toJwk = (publicKey: Uint8Array) => {
  const coordinates = Buffer.from(uncompress(publicKey).subarray(1))
  return {
    crv: 'P-256',
    kty: 'EC',
    x: coordinates.toString('base64url', 0, COORDINATE_BYTES),
    y: coordinates.toString('base64url', COORDINATE_BYTES),
  }
}

/** ECDSA with SHA-256; the signature is strict DER. High S is accepted: half of all honest signatures have it. */
export const verifySignature = (
  publicKey: Uint8Array,
  message: Uint8Array | string,
  derSignature: Uint8Array,
): boolean => verify('sha256', Buffer.from(message), keyOf(publicKey), derSignature)

/** Importing a key costs more than verifying with it. */
const MOST_KEYS = 1_000
const keys = new Map<string, KeyObject>()
const nameOf = (publicKey: Uint8Array) => Buffer.from(publicKey).toString('latin1')

/** The key object. The keys that were imported last are kept. */
const keyOf = (publicKey: Uint8Array): KeyObject => {
  const name = nameOf(publicKey)
  const known = keys.get(name)
  if (known) return known
  const imported = createPublicKey({ key: toJwk(publicKey), format: 'jwk' })
  const [oldest] = keys.keys()
  if (oldest !== undefined && keys.size === MOST_KEYS) keys.delete(oldest)
  keys.set(name, imported)
  return imported
}

/** The `clientPublicKey` of a request. The text is kept as sent: an OIDC nonce is its hash. */
export const publicKeyOf = inHex(
  z
    .string({ error: 'must be a string' })
    .check(({ value, issues }) => {
      if (parsePublicKey(value) !== undefined) return
      issues.push({
        code: 'invalid_format',
        format: 'regex',
        pattern: String(PUBLIC_KEY),
        input: value,
        message: 'must be a public key on P-256: 66 hex digits compressed or 130 uncompressed',
      })
    })
    .meta({
      pattern: PUBLIC_KEY.source,
      description: 'Public key on P-256: 66 hex digits compressed or 130 uncompressed.',
    }),
)

/** The key that secrets in the response are encrypted to. */
export const recipient = z.object({
  clientPublicKey: publicKeyOf.describe('Public key on P-256, hex. The secret in the response is encrypted to it.'),
})

/** 65 bytes. Throws unless it is a point on the curve. */
const uncompress = (publicKey: Uint8Array): Buffer =>
  Buffer.from(ECDH.convertKey(publicKey, CURVE, undefined, 'hex', 'uncompressed') as string, 'hex')

/** The point of a key that was validated before. */
export const pointOf = (hex: string): Uint8Array => {
  const point = parsePublicKey(hex)
  if (!point) throw new Error('A public key that was validated is not on the curve')
  return point
}
