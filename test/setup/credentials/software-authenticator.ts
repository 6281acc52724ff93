// A software passkey that can also do each step wrong.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export const ORIGIN = 'https://app.example'
export const RP_ID = 'app.example'

/** Bits of the authenticator data's flags (WebAuthn §6.1). */
export const UP = 0x01
export const UV = 0x04
export const BE = 0x08
export const BS = 0x10
export const AT = 0x40

export type Algorithm = 'ES256' | 'RS256' | 'EdDSA'

/** The parts that an authenticator or browser may get wrong. */
export interface Twist {
  readonly type?: string
  readonly origin?: string
  readonly rpId?: string
  readonly flags?: number
  readonly counter?: number
  /** The challenge in the client data. */
  readonly challenge?: string
  readonly crossOrigin?: boolean
  readonly clientData?: object
  readonly credentialId?: string
  /** The credential id inside the attested data. */
  readonly attestedId?: Buffer
  readonly coseKey?: Buffer
  readonly fmt?: string
  readonly signature?: (signature: Buffer) => Buffer
  readonly authData?: (authData: Buffer) => Buffer
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

const authDataOf = (rpId: string, flags: number, counter: number, attested: Buffer = Buffer.alloc(0)): Buffer => {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
}

const attestedData = (credentialId: Buffer, coseKey: Buffer): Buffer => {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credentialId.length)
  return Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey])
}

/** A CBOR byte string or text of up to 65,535 bytes (RFC 8949 §3). */
const cbor = (major: 2 | 3, data: Buffer): Buffer => {
  const type = major << 5
  const { length } = data
  const short = length < 24 ? [type | length] : [type | 24, length]
  return Buffer.concat([Buffer.from(length < 256 ? short : [type | 25, length >> 8, length & 255]), data])
}
const cborText = (text: string) => cbor(3, Buffer.from(text))

/** `{ fmt, attStmt: {}, authData }`. */
export const attestationObjectOf = (fmt: string, authData: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText(fmt),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    cbor(2, authData),
  ])

const KEYS: Record<Algorithm, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

/** The public key as COSE (RFC 9053 §2, §7; RFC 8812 §2). */
const coseOf = (algorithm: Algorithm, key: KeyObject): Buffer => {
  const jwk = key.export({ format: 'jwk' })
  const part = (name: 'x' | 'y' | 'n') => Buffer.from(String(jwk[name]), 'base64url')
  const bytes = (text: string) => Buffer.from(text, 'hex')
  switch (algorithm) {
    case 'ES256':
      return Buffer.concat([bytes('a5010203262001215820'), part('x'), bytes('225820'), part('y')])
    case 'RS256':
      return Buffer.concat([bytes('a401030339010020590100'), part('n'), bytes('2143010001')])
    case 'EdDSA':
      return Buffer.concat([bytes('a4010103272006215820'), part('x')])
  }
}

export const softwareAuthenticator = (
  algorithm: Algorithm = 'ES256',
  home: { origin?: string; rpId?: string } = {},
) => {
  const { publicKey, privateKey } = KEYS[algorithm]()
  const coseKey = coseOf(algorithm, publicKey)
  const id = randomBytes(32)
  const { origin = ORIGIN, rpId = RP_ID } = home
  let counter = 0

  const clientDataOf = (type: string, challenge: string, twist: Twist): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? origin,
        crossOrigin: twist.crossOrigin ?? false,
        ...twist.clientData,
      }),
    )

  return {
    credentialId: base64url(id),
    coseKey,
    /** The `attestation` of a registration, for a challenge of the platform. */
    create: (challenge: string, twist: Twist = {}) => {
      const attested = attestedData(twist.attestedId ?? id, twist.coseKey ?? coseKey)
      const honest = authDataOf(twist.rpId ?? rpId, twist.flags ?? UP | UV | AT, twist.counter ?? counter, attested)
      return {
        credentialId: twist.credentialId ?? base64url(id),
        clientDataJson: base64url(clientDataOf('webauthn.create', challenge, twist)),
        attestationObject: base64url(
          attestationObjectOf(twist.fmt ?? 'none', twist.authData ? twist.authData(honest) : honest),
        ),
        transports: ['internal'],
      }
    },
    /** The `assertion` of a verification, for the challenge as issued. */
    get: (challenge: string, twist: Twist = {}) => {
      counter = twist.counter ?? counter + 1
      const clientData = clientDataOf('webauthn.get', base64url(challenge), twist)
      const honest = authDataOf(twist.rpId ?? rpId, twist.flags ?? UP | UV, counter)
      const authenticatorData = twist.authData ? twist.authData(honest) : honest
      const signed = Buffer.concat([authenticatorData, sha256(clientData)])
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', signed, privateKey)
      return {
        credentialId: twist.credentialId ?? base64url(id),
        clientDataJson: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(twist.signature ? twist.signature(signature) : signature),
      }
    },
  }
}
export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>
