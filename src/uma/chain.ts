// Checks a certificate chain of a counterparty (docs/domain/uma.md#keys).
import { X509Certificate } from 'node:crypto'
import { ApiError } from '#core/errors.ts'

const LONGEST_CHAIN = 5
/** An uncompressed point of secp256k1. */
const POINT_BYTES = 65

/**
 * `chain` holds certificates as DER in hexadecimal, the leaf first and the root last. Returns the leaf. Throws 400 `CERT_CHAIN_INVALID`
 * unless every certificate is signed by the next one and the root is the trusted one, and 400 `CERT_CHAIN_EXPIRED` outside of its dates.
 * Trust is checked first, so that no one learns the dates of other chains.
 */
export const checkChain = (chain: readonly string[], trustedRoot: string, now = new Date()): X509Certificate => {
  if (chain.length === 0 || chain.length > LONGEST_CHAIN) throw invalid('The chain has no certificate, or too many')
  const certificates = chain.map(certificateOf)
  const [leaf] = certificates
  const root = certificates.at(-1)
  if (!leaf || !root) throw invalid('The chain has no certificate')
  requireKey(leaf)
  certificates.forEach((certificate, index) => {
    const issuer = certificates[index + 1] ?? certificate
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) throw invalid('A link is missing')
    if (index > 0 && !certificate.ca) throw invalid('An issuer is not a certificate authority')
  })
  if (fingerprintOf(root) !== trustedRoot) throw invalid('The root is not trusted')
  for (const { validFrom, validTo } of certificates) {
    if (Date.parse(validFrom) > now.getTime()) throw invalid('A certificate is not valid yet')
    if (Date.parse(validTo) < now.getTime()) {
      throw new ApiError('CERT_CHAIN_EXPIRED', 'A certificate of the counterparty has expired')
    }
  }
  return leaf
}

/** SHA-256 of a certificate, in hexadecimal. */
export const fingerprintOf = ({ fingerprint256 }: X509Certificate): string =>
  fingerprint256.replaceAll(':', '').toLowerCase()

const certificateOf = (hex: string) => {
  try {
    return new X509Certificate(Buffer.from(hex, 'hex'))
  } catch {
    throw invalid('A certificate cannot be read')
  }
}

/** The protocol's library reads the last 65 bytes of the key, so a compressed point would give another key. */
const requireKey = ({ publicKey }: X509Certificate) => {
  const { asymmetricKeyType, asymmetricKeyDetails } = publicKey
  if (asymmetricKeyType !== 'ec' || asymmetricKeyDetails?.namedCurve !== 'secp256k1') {
    throw invalid('The key is not on the curve secp256k1')
  }
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-POINT_BYTES)
  if (point[0] !== 4) throw invalid('The key is compressed')
}

const invalid = (message: string) => new ApiError('CERT_CHAIN_INVALID', `The certificate chain is invalid: ${message}`)
