// Self-signed X.509 certificates for secp256k1 keys (RFC 5280). Node reads certificates, but does not make them.
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  if (length < 0x80) return Buffer.concat([Uint8Array.of(tag, length), body])
  const size = length.toString(16)
  const bytes = Buffer.from(size.length % 2 ? `0${size}` : size, 'hex')
  return Buffer.concat([Uint8Array.of(tag, 0x80 + bytes.length), bytes, body])
}
const sequence = (...parts: readonly Uint8Array[]) => tlv(0x30, ...parts)
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const bitString = (bytes: Uint8Array) => tlv(0x03, Uint8Array.of(0), bytes)
const TRUE = tlv(0x01, Uint8Array.of(0xff))

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const BASIC_CONSTRAINTS = oid('551d13')
const KEY_USAGE = oid('551d0f')
const SUBJECT_ALT_NAME = oid('551d11')

const nameOf = (domain: string) => sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(domain, 'utf8')))))

/** GeneralizedTime, in whole seconds. */
const timeOf = (at: Date) => tlv(0x18, Buffer.from(`${at.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`, 'ascii'))

const extension = (id: Uint8Array, isCritical: boolean, value: Uint8Array) =>
  sequence(id, ...(isCritical ? [TRUE] : []), tlv(0x04, value))

/** The bits of the key usage: digitalSignature and keyAgreement, or keyCertSign too for an authority. */
const usageOf = (isAuthority: boolean) =>
  tlv(0x03, isAuthority ? Uint8Array.of(2, 0b1000_1100) : Uint8Array.of(3, 0b1000_1000))

export interface CertificateTerms {
  readonly domain: string
  readonly subject: KeyObject
  readonly from: Date
  readonly until: Date
  /** The issuer. A certificate without one signs itself. */
  readonly issuer?: { readonly name: string; readonly key: KeyObject } | undefined
  readonly isAuthority?: boolean
}

/** In PEM. */
export const certificateOf = (terms: CertificateTerms): string => {
  const { domain, subject, from, until, issuer, isAuthority = issuer === undefined } = terms
  const name = nameOf(domain)
  const extensions = sequence(
    extension(BASIC_CONSTRAINTS, true, sequence(...(isAuthority ? [TRUE] : []))),
    extension(KEY_USAGE, true, usageOf(isAuthority)),
    extension(SUBJECT_ALT_NAME, false, sequence(tlv(0x82, Buffer.from(domain, 'ascii')))),
  )
  const toSign = sequence(
    tlv(0xa0, tlv(0x02, Uint8Array.of(2))),
    // Positive, and not zero.
    tlv(0x02, Uint8Array.of(0x40), randomBytes(15)),
    ECDSA_WITH_SHA256,
    issuer ? nameOf(issuer.name) : name,
    sequence(timeOf(from), timeOf(until)),
    name,
    createPublicKey(subject).export({ type: 'spki', format: 'der' }),
    tlv(0xa3, extensions),
  )
  const signature = sign('sha256', toSign, issuer?.key ?? subject)
  const text = sequence(toSign, ECDSA_WITH_SHA256, bitString(signature)).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** The private key of these 32 bytes. */
export const privateKeyOf = (bytes: Uint8Array): KeyObject => {
  const point = secp256k1.getPublicKey(bytes, false)
  const part = (from: number) => Buffer.from(point.subarray(from, from + 32)).toString('base64url')
  const d = Buffer.from(bytes).toString('base64url')
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'secp256k1', d, x: part(1), y: part(33) } })
}
