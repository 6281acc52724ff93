// This deployment's signing key, which clients know as `enclaveQuorumPublic`.
import { createHash, createPrivateKey, sign } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { deriveKey } from '#core/keys.ts'
import { publicKeyOfPrivate, toJwk } from './p256.ts'

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const SCALAR_BYTES = 32

const toBigInt = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`)
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(2 * SCALAR_BYTES, '0'), 'hex')

// Twice as many bits as the order, so that the remainder is not biased (FIPS 186-5 A.2.1).
const seed = Buffer.concat([deriveKey('signing key, upper half'), deriveKey('signing key, lower half')])
const scalar = toBytes((toBigInt(seed) % (ORDER - 1n)) + 1n)
const publicKey = publicKeyOfPrivate(scalar)
const jwk = toJwk(publicKey)
const privateKey = createPrivateKey({ key: { ...jwk, d: scalar.toString('base64url') }, format: 'jwk' })
/** The thumbprint of RFC 7638. */
const kid = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url')

/** 130 hex digits, uncompressed. */
export const signingPublicKey: string = Buffer.from(publicKey).toString('hex')

/** ECDSA with SHA-256 and low S, as hex of DER. */
export const signData = (data: Uint8Array): string => {
  const raw = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const s = toBigInt(raw.subarray(SCALAR_BYTES))
  const integers = [raw.subarray(0, SCALAR_BYTES), toBytes(s > ORDER / 2n ? ORDER - s : s)].map(derInteger)
  return derOf(0x30, Buffer.concat(integers)).toString('hex')
}

/** A compact JWS with ES256. */
export const signToken = (claims: JWTPayload): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)

const derOf = (tag: number, content: Uint8Array) => Buffer.concat([Buffer.of(tag, content.length), content])

/** The shortest encoding that stays positive (X.690 §8.3). */
const derInteger = (bytes: Buffer) => {
  const hex = bytes.toString('hex').replace(/^(?:00)+/, '')
  return derOf(0x02, Buffer.from(/^[89a-f]/.test(hex) ? `00${hex}` : hex, 'hex'))
}
