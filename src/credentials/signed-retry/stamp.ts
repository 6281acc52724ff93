// The value of `Service-Wallet-Signature`, in the format of @turnkey/api-key-stamper.
import { decodeBase64url } from '#core/base64url.ts'
import { ApiError } from '#core/errors.ts'
import { isJsonObject, parseStrictJsonBytes } from '#core/json/strict-json.ts'
import { parseCompressedKey, verifySignature } from '#credentials/crypto/p256.ts'

export interface Stamp {
  /** 33 bytes compressed, as stored with sessions. */
  readonly publicKey: Uint8Array
  /** ECDSA as DER. */
  readonly signature: Uint8Array
}

const MAX_LENGTH = 4096
const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256'
const MEMBERS = 'publicKey,scheme,signature'
// From the shortest to the longest DER of two integers below the order of the curve.
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

  if (scheme !== SCHEME) throw malformed('STAMP_SCHEME', `has a scheme other than ${SCHEME}`)

  const publicKey = parseCompressedKey(key)
  if (publicKey === undefined)
    throw malformed('STAMP_PUBLIC_KEY', 'has a publicKey that is not a point on P-256 as hex')

  if (!SIGNATURE.test(signature)) throw malformed('STAMP_SIGNATURE', 'has a signature that is not DER as hex')

  return { publicKey, signature: Buffer.from(signature, 'hex') }
}

/** The signature must be over the exact UTF-8 bytes of `payloadToSign`. */
export const isSignedBy = (stamp: Stamp, payload: string): boolean =>
  verifySignature(stamp.publicKey, payload, stamp.signature)

/** 401 `WALLET_SIGNATURE_INVALID`. */
export const signatureMismatch = () =>
  new ApiError('WALLET_SIGNATURE_INVALID', 'The signature over payloadToSign does not verify with this key', {
    reason: 'SIGNATURE_MISMATCH',
  })

/** 401 `WALLET_SIGNATURE_INVALID`. `signer` names the keys that may sign. */
export const signerNotAllowed = (signer: string) =>
  new ApiError('WALLET_SIGNATURE_INVALID', `This key may not sign. Required: ${signer}`, {
    reason: 'SIGNER_NOT_ALLOWED',
  })

const malformed = (reason: string, problem: string) =>
  new ApiError('WALLET_SIGNATURE_MALFORMED', `The wallet signature ${problem}`, { reason })
