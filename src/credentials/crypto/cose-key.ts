// The public keys of passkeys and their signatures: ES256, RS256, or EdDSA with Ed25519 (RFC 9053 §2 and §7, RFC 8230 §4).
import { type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { cose, isoCBOR } from '@simplewebauthn/server/helpers'
import { importPublicKey } from './public-key.ts'

const { COSEKEYS, COSEKTY, COSEALG, COSECRV } = cose

/** 32 bytes as base64url. */
const COORDINATE_LENGTH = 43

/** The key in COSE form. Undefined unless it is a valid key for one of these algorithms. */
export const readCoseKey = (bytes: Uint8Array): KeyObject | undefined => {
  const jwk = toJwk(isoCBOR.decodeFirst(new Uint8Array(bytes)))
  return jwk && importPublicKey(jwk)
}

/** An ECDSA signature must be strict DER. */
export const isSignedByCoseKey = (key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean =>
  verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, key, signature)

const toJwk = (key: unknown): JsonWebKey | undefined => {
  if (!(key instanceof Map)) return undefined
  const is = (kty: number, alg: number) => key.get(COSEKEYS.kty) === kty && key.get(COSEKEYS.alg) === alg
  const bytes = (name: number) => {
    const value: unknown = key.get(name)
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : ''
  }
  const x = bytes(COSEKEYS.x)
  const y = bytes(COSEKEYS.y)
  const hasCoordinates = x.length === COORDINATE_LENGTH && y.length === COORDINATE_LENGTH

  if (is(COSEKTY.EC2, COSEALG.ES256) && key.get(COSEKEYS.crv) === COSECRV.P256 && hasCoordinates) {
    return { kty: 'EC', crv: 'P-256', x, y }
  }
  if (is(COSEKTY.OKP, COSEALG.EdDSA) && key.get(COSEKEYS.crv) === COSECRV.ED25519) {
    return { kty: 'OKP', crv: 'Ed25519', x }
  }
  if (is(COSEKTY.RSA, COSEALG.RS256)) return { kty: 'RSA', n: bytes(COSEKEYS.n), e: bytes(COSEKEYS.e) }
  return undefined
}
