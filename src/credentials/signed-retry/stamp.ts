// The value of `Service-Wallet-Signature`, as @turnkey/api-key-stamper makes it.
import { decodeBase64url } from '#core/base64url.ts'
import { ApiError } from '#core/errors.ts'
import { isJsonObject, parseStrictJsonBytes } from '#core/strict-json.ts'
import { compressKey, parsePublicKey, verifySignature } from '#credentials/crypto/p256.ts'

export interface Stamp {
  /** 33 bytes compressed, as sessions keep theirs. */
  readonly publicKey: Uint8Array
  /** ECDSA as DER. */
  readonly signature: Uint8Array
}

const MAX_LENGTH = 4096
const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256'
const MEMBERS = 'publicKey,scheme,signature'
// The shortest and the longest DER of two integers below the order of the curve.
const SIGNATURE = /^(?:[0-9a-fA-F]{2}){8,72}$/

/** 401 `WALLET_SIGNATURE_MALFORMED`, with the failed check as the reason. */
export const parseStamp = (value: string): Stamp => {
  if (value.length > MAX_LENGTH) throw malformed('STAMP_LENGTH', `is longer than ${MAX_LENGTH} characters`)

  const bytes = decodeBase64url(value)
  if (bytes === undefined) throw malformed('STAMP_ENCODING', 'is not base64url without padding')

  const stamp = parseStrictJsonBytes(bytes)
  if (!isJsonObject(stamp)) throw malformed('STAMP_JSON', 'is not a JSON object')

  const { publicKey: key, scheme, signature, ...others } = stamp
  const areStrings = typeof key === 'string' && typeof scheme === 'string' && typeof signature === 'string'
  if (!areStrings || Object.keys(others).length > 0) {
    throw malformed('STAMP_MEMBERS', `does not have exactly the strings ${MEMBERS}`)
  }

  if (scheme !== SCHEME) throw malformed('STAMP_SCHEME', `has another scheme than ${SCHEME}`)

  const publicKey = parsePublicKey(key)
  if (publicKey === undefined)
    throw malformed('STAMP_PUBLIC_KEY', 'has a publicKey that is not a point on P-256 as hex')

  if (!SIGNATURE.test(signature)) throw malformed('STAMP_SIGNATURE', 'has a signature that is not DER as hex')

  return { publicKey: compressKey(publicKey), signature: Buffer.from(signature, 'hex') }
}

/** Over the exact UTF-8 bytes of `payloadToSign`. */
export const isSignedBy = (stamp: Stamp, payload: string): boolean =>
  verifySignature(stamp.publicKey, payload, stamp.signature)

/** 401 `WALLET_SIGNATURE_INVALID`, as `signerNotAllowed`. */
export const signatureMismatch = () =>
  new ApiError('WALLET_SIGNATURE_INVALID', 'The signature is not that of this key over payloadToSign', {
    reason: 'SIGNATURE_MISMATCH',
  })

/** `signer` says which key it takes. */
export const signerNotAllowed = (signer: string) =>
  new ApiError('WALLET_SIGNATURE_INVALID', `This key may not sign: it takes that of ${signer}`, {
    reason: 'SIGNER_NOT_ALLOWED',
  })

const malformed = (reason: string, problem: string) =>
  new ApiError('WALLET_SIGNATURE_MALFORMED', `The wallet signature ${problem}`, { reason })
