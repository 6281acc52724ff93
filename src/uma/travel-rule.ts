// Opens travel rule data, which the sender encrypts to the receiving institution: ECIES over secp256k1 as the protocol's library writes it.
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'

const POINT = 65
const NONCE = 16
const TAG = 16

/** The clear text of `hex`: an uncompressed ephemeral point, the nonce, the tag, and the ciphertext. Throws if it was not meant for the key. */
export const openTravelRule = (key: Uint8Array, hex: string): string => {
  const sealed = Buffer.from(hex, 'hex')
  const point = sealed.subarray(0, POINT)
  const shared = secp256k1.getSharedSecret(key, point, false)
  const secret = Buffer.from(hkdfSync('sha256', Buffer.concat([point, shared]), new Uint8Array(), new Uint8Array(), 32))
  const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(POINT, POINT + NONCE), {
    authTagLength: TAG,
  }).setAuthTag(sealed.subarray(POINT + NONCE, POINT + NONCE + TAG))
  return Buffer.concat([decipher.update(sealed.subarray(POINT + NONCE + TAG)), decipher.final()]).toString('utf8')
}
