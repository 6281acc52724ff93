import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'

const MIN_MODULUS_BITS = 2048
/** Verifying with a larger modulus takes long enough for a denial of service. */
const MAX_MODULUS_BITS = 8192
const MIN_EXPONENT = 65_537n

/** A foreign public key to verify with: P-256, Ed25519, or strong RSA. Undefined for any other key and for a malformed one. */
export const importPublicKey = (jwk: JsonWebKey): KeyObject | undefined => {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return isStrong(key) ? key : undefined
  } catch {
    return undefined
  }
}

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) => {
  const { namedCurve, modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
  switch (asymmetricKeyType) {
    case 'ec':
      return namedCurve === 'prime256v1'
    case 'ed25519':
      return true
    case 'rsa':
      return modulusLength >= MIN_MODULUS_BITS && modulusLength <= MAX_MODULUS_BITS && publicExponent >= MIN_EXPONENT
    default:
      return false
  }
}
