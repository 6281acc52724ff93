import { z } from 'zod'

/** Undefined unless it is base64url without padding, written the one way that its bytes have (RFC 4648 §3.5). */
export const decodeBase64url = (text: string): Buffer<ArrayBuffer> | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  // Decoding skips whatever is not base64url.
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** A field of 1 to `maxBytes` bytes. The text stays as it was sent. */
export const base64urlOf = (maxBytes: number) =>
  z
    .string({ error: 'must be a string' })
    .min(1, 'must not be empty')
    .max(Math.ceil((maxBytes * 4) / 3), `must be at most ${maxBytes} bytes`)
    .refine((text) => decodeBase64url(text) !== undefined, 'must be base64url without padding')
    .meta({ format: 'base64url', description: 'Bytes as base64url without padding.' })
