// Signatures of webhooks (docs/domain/events.md#webhook-signatures).
import { createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { openSecret, sealSecret } from '#core/keys.ts'

const keyOwner = (platformId: string) => `webhook key of ${platformId}`
const secretOwner = (platformId: string) => `webhook secret of ${platformId}`

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A key pair and a secret. Callers see the public key, and the secret once. */
interface NewKeys {
  /** SPKI PEM. */
  readonly publicKey: string
  readonly sealedKey: Uint8Array<ArrayBuffer>
  readonly sealedSecret: Uint8Array<ArrayBuffer>
  /** `whsec_` and base64, as libraries for Standard Webhooks take it. */
  readonly secret: string
}

export const newSecret = (platformId: string): Pick<NewKeys, 'secret' | 'sealedSecret'> => {
  const bytes = randomBytes(SECRET_BYTES)
  return {
    sealedSecret: sealSecret(bytes, secretOwner(platformId)),
    secret: `${SECRET_PREFIX}${bytes.toString('base64')}`,
  }
}

export const newKeys = (platformId: string): NewKeys => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const { d = '' } = privateKey.export({ format: 'jwk' })
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealedKey: sealSecret(Buffer.from(d, 'base64url'), keyOwner(platformId)),
    ...newSecret(platformId),
  }
}

/** What precedes and follows the 32 bytes of a private key of P-256 in an `ECPrivateKey` without the public key (RFC 5915). */
const EC_PRIVATE_KEY = ['30310201010420', 'a00a06082a8648ce3d030107'].map((hex) => Buffer.from(hex, 'hex')) as [
  Buffer,
  Buffer,
]

const privateKeyOf = (secret: Buffer): KeyObject => {
  const [before, after] = EC_PRIVATE_KEY
  return createPrivateKey({ key: Buffer.concat([before, secret, after]), format: 'der', type: 'sec1' })
}

/** ECDSA over SHA-256, as DER in base64. Has the lower of the two valid values of `s`, because some libraries refuse the higher one. */
const signatureOf = (body: Buffer, key: KeyObject): string => {
  const signature = p256.Signature.fromBytes(sign('sha256', body, { key, dsaEncoding: 'ieee-p1363' }), 'compact')
  const low = signature.hasHighS() ? new p256.Signature(signature.r, p256.Point.Fn.neg(signature.s)) : signature
  return Buffer.from(low.toBytes('der')).toString('base64')
}

/** The stored keys, with the next ones while a rotation is open. */
interface SealedKeys {
  readonly platformId: string
  readonly sealedKey: Uint8Array
  readonly sealedSecret: Uint8Array
  readonly sealedNextKey: Uint8Array | null
  readonly sealedNextSecret: Uint8Array | null
}

/** Decrypts the keys. Returns a function that signs a body and yields the headers of one attempt. */
export const signerOf = ({ platformId, ...sealed }: SealedKeys) => {
  const opened = (found: readonly (Uint8Array | null)[], owner: string) =>
    found.flatMap((each) => (each === null ? [] : [openSecret(each, owner)]))
  const keys = opened([sealed.sealedKey, sealed.sealedNextKey], keyOwner(platformId)).map(privateKeyOf)
  const secrets = opened([sealed.sealedSecret, sealed.sealedNextSecret], secretOwner(platformId))
  return (id: string, body: Buffer, at: Date): Readonly<Record<string, string>> => {
    const [s, n] = keys.map((key) => signatureOf(body, key))
    const timestamp = String(Math.floor(at.getTime() / 1000))
    const macs = secrets.map((secret) =>
      createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64'),
    )
    return {
      'x-service-signature': JSON.stringify({ v: '1', s, n }),
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': macs.map((mac) => `v1,${mac}`).join(' '),
    }
  }
}
