// Encrypted messages between device and gateway: HPKE in base mode (RFC 9180).
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { type Bytes, concat, fromBase58Check, fromHex, toHex, utf8 } from './bytes.ts'
import { decompress, rawOf, type SigningKey, signingKeyOf } from './keys.ts'

const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
const info = utf8('turnkey_hpke')

/** The code and the public key of the future session, encrypted to the key inside the bundle. */
export const sealCode = async (bundle: string, code: string, publicKey: string): Promise<string> => {
  const { data } = JSON.parse(bundle)
  const { targetPublic } = JSON.parse(new TextDecoder().decode(fromHex(data)))
  const recipient = fromHex(targetPublic)
  const recipientPublicKey = await suite.kem.deserializePublicKey(recipient)
  const sender = await suite.createSenderContext({ recipientPublicKey, info })
  const encapsulated: Bytes = new Uint8Array(sender.enc)
  const plain = utf8(JSON.stringify({ otp_code: code, public_key: publicKey }))
  const box = new Uint8Array(await sender.seal(plain, concat(encapsulated, recipient)))
  return JSON.stringify({ encappedPublic: toHex(encapsulated), ciphertext: toHex(box) })
}

export interface SealingKey {
  /** Not compressed, in hex. */
  readonly publicKey: string
  readonly pair: CryptoKeyPair
}

export const newSealingKey = async (): Promise<SealingKey> => {
  const pair = await suite.kem.generateKeyPair()
  return { publicKey: toHex(await rawOf(pair.publicKey)), pair }
}

const POINT_BYTES = 33

/** The key of a session, which the gateway made and encrypted to this device. */
export const openSessionKey = async (sealed: string, { pair, publicKey }: SealingKey): Promise<SigningKey> => {
  const bytes = await fromBase58Check(sealed)
  const enc = decompress(bytes.slice(0, POINT_BYTES))
  const recipient = await suite.createRecipientContext({ recipientKey: pair, enc, info })
  const scalar = await recipient.open(bytes.slice(POINT_BYTES), concat(enc, fromHex(publicKey)))
  return signingKeyOf(new Uint8Array(scalar))
}
