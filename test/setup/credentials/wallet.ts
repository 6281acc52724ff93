// The customer's device, built on the client libraries that such devices use, without code of the gateway.
import { createHash } from 'node:crypto'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import {
  decryptCredentialBundle,
  decryptExportBundle,
  encryptOtpCodeToBundle,
  formatHpkeBuf,
  generateP256KeyPair,
  getPublicKey,
  hpkeDecrypt,
  hpkeEncrypt,
} from '@turnkey/crypto'

/** A P-256 key pair in hex. `publicKey` is compressed. */
export interface DeviceKey {
  readonly privateKey: string
  readonly publicKey: string
  readonly publicKeyUncompressed: string
}

export const newKey = (): DeviceKey => generateP256KeyPair()

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

export const keyOf = (privateKey: string): DeviceKey => ({
  privateKey,
  publicKey: hex(getPublicKey(privateKey, true)),
  publicKeyUncompressed: hex(getPublicKey(privateKey, false)),
})

/** The value of `Service-Wallet-Signature`. */
export const stamp = async ({ publicKey, privateKey }: DeviceKey, payloadToSign: string): Promise<string> => {
  const stamper = new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey })
  return (await stamper.stamp(payloadToSign)).stampHeaderValue
}

/** The `encryptedOtpBundle`. The client checks the signature of the target bundle first. */
export const sealCode = (otpEncryptionTargetBundle: string, code: string, publicKey: string): Promise<string> =>
  encryptOtpCodeToBundle(
    code,
    otpEncryptionTargetBundle,
    publicKey,
    JSON.parse(otpEncryptionTargetBundle).enclaveQuorumPublic,
  )

/** A bundle that decrypts to this text, whatever it is. */
export const sealPlain = (otpEncryptionTargetBundle: string, plain: string): string => {
  const { data } = JSON.parse(otpEncryptionTargetBundle)
  const { targetPublic } = JSON.parse(Buffer.from(data, 'hex').toString('utf8'))
  const targetKeyBuf = Buffer.from(targetPublic, 'hex')
  return formatHpkeBuf(hpkeEncrypt({ plainTextBuf: new TextEncoder().encode(plain), targetKeyBuf }))
}

/** The session key inside an `encryptedSessionSigningKey`. */
export const openSessionKey = (encryptedSessionSigningKey: string, { privateKey }: DeviceKey): DeviceKey =>
  keyOf(decryptCredentialBundle(encryptedSessionSigningKey, privateKey))

/** The mnemonic inside `encryptedWalletCredentials`. They are unsigned in sandbox, where the client's own HPKE decrypts them. */
export const openMnemonic = async (
  encryptedWalletCredentials: string,
  { privateKey }: DeviceKey,
  accountId: string,
): Promise<string> => {
  const { data, enclaveQuorumPublic } = JSON.parse(encryptedWalletCredentials)
  const organizationId = accountId.slice(accountId.indexOf(':') + 1)
  if (enclaveQuorumPublic !== '') {
    return decryptExportBundle({
      exportBundle: encryptedWalletCredentials,
      organizationId,
      embeddedKey: privateKey,
      dangerouslyOverrideSignerPublicKey: enclaveQuorumPublic,
      returnMnemonic: true,
    })
  }
  const inner = JSON.parse(Buffer.from(data, 'hex').toString('utf8'))
  if (inner.organizationId !== organizationId) throw new Error(`for ${inner.organizationId}, not for ${organizationId}`)
  const plain = hpkeDecrypt({
    ciphertextBuf: Buffer.from(inner.ciphertext, 'hex'),
    encappedKeyBuf: Buffer.from(inner.encappedPublic, 'hex'),
    receiverPriv: privateKey,
  })
  return Buffer.from(plain).toString('utf8')
}

/** The `nonce` that binds an identity token to a client key, over the text of the key. */
export const nonceOf = (clientPublicKey: string): string => createHash('sha256').update(clientPublicKey).digest('hex')
