// Time-based one-time passwords (RFC 6238) over HOTP (RFC 4226).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { base32nopad } from '@scure/base'

const STEP_SECONDS = 30
const DIGITS = 6
/** RFC 4226 §4 recommends 160 bits. */
export const SECRET_BYTES = 20

interface HotpOptions {
  readonly digits?: number
  readonly algorithm?: 'sha1' | 'sha256' | 'sha512'
}

/** RFC 4226 §5.3. Authenticator apps agree on SHA-1 and six digits only. */
export const hotp = (
  secret: Uint8Array,
  counter: number,
  { digits = DIGITS, algorithm = 'sha1' }: HotpOptions = {},
): string => {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac(algorithm, secret).update(message).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** The time step of a moment in milliseconds since 1970 (RFC 6238 §4.2). */
export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1_000 / STEP_SECONDS)

/** The step whose code it is: the current one, the one before or the one after. Null for another code (RFC 6238 §5.2). */
export const stepOfCode = (secret: Uint8Array, code: string, now: number): number | null => {
  if (!/^[0-9]{6}$/.test(code)) return null
  const current = stepAt(now)
  const isCodeAt = (step: number) => timingSafeEqual(Buffer.from(hotp(secret, step)), Buffer.from(code))
  return [current, current - 1, current + 1].find(isCodeAt) ?? null
}

export const base32 = (secret: Uint8Array): string => base32nopad.encode(secret)

/** The URI for a QR code. A colon separates issuer and account, so neither may contain one. */
export const totpUri = (secret: Uint8Array, issuer: string, account: string): string => {
  const name = (text: string) => encodeURIComponent(text.replaceAll(':', ' ').toWellFormed())
  const parameters = `secret=${base32(secret)}&issuer=${name(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`
  return `otpauth://totp/${name(issuer)}:${name(account)}?${parameters}`
}
