// HPKE in base mode (RFC 9180 §5.1.1): one message per encapsulated key, with the info and AAD of @turnkey/crypto.
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256, HpkeError } from '@hpke/core'
import { publicKeyOfPrivate } from './p256.ts'

export const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})

const info = Buffer.from('turnkey_hpke', 'ascii')

/** Encrypts to a public key of 65 bytes. The encapsulated key has 65 bytes; the box is the ciphertext and its 16-byte tag. */
export const seal = async (
  recipient: Uint8Array,
  plain: Uint8Array,
): Promise<{ encapsulatedKey: Uint8Array; box: Uint8Array }> => {
  const recipientPublicKey = await suite.kem.deserializePublicKey(recipient)
  const sender = await suite.createSenderContext({ recipientPublicKey, info })
  const encapsulatedKey = new Uint8Array(sender.enc)
  const box = await sender.seal(plain, Buffer.concat([encapsulatedKey, recipient]))
  return { encapsulatedKey, box: new Uint8Array(box) }
}

/** Decrypts. Undefined when the message was encrypted to another key or altered. */
export const open = async (
  privateKey: Uint8Array,
  encapsulatedKey: Uint8Array,
  box: Uint8Array,
): Promise<Uint8Array | undefined> => {
  const recipientKey = await suite.kem.deserializePrivateKey(privateKey)
  try {
    const recipient = await suite.createRecipientContext({ recipientKey, enc: encapsulatedKey, info })
    return new Uint8Array(await recipient.open(box, Buffer.concat([encapsulatedKey, publicKeyOfPrivate(privateKey)])))
  } catch (error) {
    if (error instanceof HpkeError) return undefined
    throw error
  }
}
