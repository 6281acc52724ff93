// Signatures of webhooks (docs/domain/events.md#webhook-signatures).
import { createHmac, createPublicKey, randomBytes } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { openSecret, sealSecret } from '#core/keys.ts'

const keyOwner = (platformId: string) => `webhook key of ${platformId}`
const secretOwner = (platformId: string) => `webhook secret of ${platformId}`

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A key pair and a secret. Callers see the public key, and the secret once. */
export interface NewKeys {
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
  const key = p256.utils.randomSecretKey()
  const point = Buffer.from(p256.getPublicKey(key, false))
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sealedKey: sealSecret(key, keyOwner(platformId)),
    ...newSecret(platformId),
  }
}

/** The stored keys, with the next ones while a rotation is open. */
export interface SealedKeys {
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
  const keys = opened([sealed.sealedKey, sealed.sealedNextKey], keyOwner(platformId))
  const secrets = opened([sealed.sealedSecret, sealed.sealedNextSecret], secretOwner(platformId))
  return (id: string, body: Buffer, at: Date): Readonly<Record<string, string>> => {
    const [s, n] = keys.map((key) => Buffer.from(p256.sign(body, key, { format: 'der' })).toString('base64'))
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
