// Files are stored in chunks, each sealed with AES-256-GCM. Every file has a key of its own, which is sealed under the master key.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { openSecret, sealSecret } from '#core/keys.ts'
import type { Place } from '#core/place-token.ts'

/** Plain bytes of a chunk. Only the last one is shorter. */
export const CHUNK_BYTES = 2 ** 18

const KEY_BYTES = 32
const PREFIX_BYTES = 7
const TAG_BYTES = 16

/** The associated data of a file. Bytes that were sealed for one file cannot be opened for another. */
export const ownerOf = ({ platformId, id }: Place): string => `upload ${platformId} ${id}`

export interface Sealer {
  /** The key in the form in which it is stored. */
  readonly sealedKey: Uint8Array<ArrayBuffer>
  seal(number: number, isLast: boolean, plain: Uint8Array): Buffer
}

/** `owner` comes from `ownerOf`. */
export const newSealer = (owner: string): Sealer => {
  const secret = randomBytes(KEY_BYTES + PREFIX_BYTES)
  const [key, prefix] = [secret.subarray(0, KEY_BYTES), secret.subarray(KEY_BYTES)]
  return {
    sealedKey: sealSecret(secret, owner),
    seal: (number, isLast, plain) => {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, number, isLast)).setAAD(Buffer.from(owner))
      return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
  }
}

/** Opens the chunks of a file. Throws for a chunk that was altered, stands in another place, or belongs to another file. */
export const openerOf = (sealedKey: Uint8Array, owner: string) => {
  const secret = openSecret(sealedKey, owner)
  const [key, prefix] = [secret.subarray(0, KEY_BYTES), secret.subarray(KEY_BYTES)]
  return (number: number, isLast: boolean, sealed: Uint8Array): Buffer => {
    const nonce = nonceOf(prefix, number, isLast)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  }
}

/** 12 bytes: the prefix of the file, the number of the chunk, and whether it is the last one, so that none can be cut off. */
const nonceOf = (prefix: Buffer, number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  prefix.copy(nonce)
  nonce.writeUInt32BE(number, PREFIX_BYTES)
  nonce.writeUInt8(Number(isLast), 11)
  return nonce
}
