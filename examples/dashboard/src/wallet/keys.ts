// Keys of the device: P-256 pairs of the browser. A stamp proves to the gateway that the owner of the wallet wants a change.
import { type Bytes, concat, fromHex, toBase64Url, toHex, utf8 } from './bytes.ts'

export interface SigningKey {
  /** Compressed, in hex. */
  readonly publicKey: string
  readonly privateKey: CryptoKey
}

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' }

/** Its private key never leaves the browser. */
export const newSigningKey = async (): Promise<SigningKey> => {
  const { publicKey, privateKey } = await crypto.subtle.generateKey(ECDSA, false, ['sign', 'verify'])
  return { publicKey: toHex(compress(await rawOf(publicKey))), privateKey }
}

export const rawOf = async (key: CryptoKey): Promise<Bytes> => new Uint8Array(await crypto.subtle.exportKey('raw', key))

const compress = (raw: Bytes): Bytes => concat(Uint8Array.of(2 + ((raw[64] ?? 0) & 1)), raw.slice(1, 33))

/** A key of which only the private scalar is known: the browser computes the public key. */
export const signingKeyOf = async (scalar: Bytes): Promise<SigningKey> => {
  // RFC 5958: a PKCS #8 key on P-256 without its public key.
  const head = fromHex('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420')
  const key = await crypto.subtle.importKey('pkcs8', concat(head, scalar), ECDSA, true, ['sign'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', key)
  const part = (text: string): Bytes =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  return { publicKey: toHex(compress(concat(Uint8Array.of(4), part(x), part(y)))), privateKey: key }
}

/** An integer of ASN.1: without leading zeros, and with one where it would be negative. */
const integer = (bytes: Bytes): Bytes => {
  const at = bytes.findIndex((byte) => byte !== 0)
  const short = at < 0 ? Uint8Array.of(0) : bytes.slice(at)
  const value = (short[0] ?? 0) & 0x80 ? concat(Uint8Array.of(0), short) : short
  return concat(Uint8Array.of(2, value.length), value)
}

/** The proof for a signed retry: a signature over exactly this text. */
export const stamp = async ({ publicKey, privateKey }: SigningKey, payloadToSign: string): Promise<string> => {
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, utf8(payloadToSign)))
  const numbers = concat(integer(signature.slice(0, 32)), integer(signature.slice(32)))
  const der = concat(Uint8Array.of(0x30, numbers.length), numbers)
  return toBase64Url(utf8(JSON.stringify({ publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature: toHex(der) })))
}

const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

const power = (base: bigint, exponent: bigint) => {
  let result = 1n
  for (let [square, rest] = [base % P, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % P
    square = (square * square) % P
  }
  return result
}

/** The point with both coordinates (SEC 1 §2.3.4). */
export const decompress = (point: Bytes): Bytes => {
  const x = BigInt(`0x${toHex(point.slice(1))}`)
  const root = power((((x * x * x - 3n * x + B) % P) + P) % P, (P + 1n) / 4n)
  const y = (root & 1n) === BigInt((point[0] ?? 0) & 1) ? root : P - root
  return concat(Uint8Array.of(4), point.slice(1), fromHex(y.toString(16).padStart(64, '0')))
}
