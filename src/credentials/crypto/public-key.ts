import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'

const MIN_MODULUS_BITS = 2048
/** Beyond it a single verification takes long enough to be an attack. */
const MAX_MODULUS_BITS = 8192
const MIN_EXPONENT = 65_537n

/** The key of others, to verify with: on P-256 or Ed25519, or RSA that is not weak. Undefined for any other, and when it is malformed. */
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
