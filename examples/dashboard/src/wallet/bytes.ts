// Bytes as text: hex, base64url and base58check.
export type Bytes = Uint8Array<ArrayBuffer>

export const toHex = (bytes: Bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const fromHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

export const utf8 = (text: string): Bytes => Uint8Array.from(new TextEncoder().encode(text))

export const toBase64Url = (bytes: Bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

export const concat = (...parts: readonly Bytes[]): Bytes => Uint8Array.from(parts.flatMap((part) => [...part]))

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const CHECKSUM_BYTES = 4

/** Throws if the checksum is wrong. */
export const fromBase58Check = async (text: string): Promise<Bytes> => {
  let number = 0n
  for (const letter of text) number = number * 58n + BigInt(ALPHABET.indexOf(letter))
  const digits = number.toString(16)
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const bytes = concat(new Uint8Array(zeros), fromHex(digits.length % 2 ? `0${digits}` : digits))
  const body = bytes.slice(0, -CHECKSUM_BYTES)
  const checksum = (await sha256(await sha256(body))).slice(0, CHECKSUM_BYTES)
  if (toHex(checksum) !== toHex(bytes.slice(-CHECKSUM_BYTES))) throw new Error('The key of the session is damaged.')
  return body
}
