import { z } from 'zod'
import { inBase64url } from './input.ts'

/** The decoded bytes, or undefined unless the text is canonical base64url without padding (RFC 4648 §3.5). */
export const decodeBase64url = (text: string): Buffer<ArrayBuffer> | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  // Buffer ignores characters that are not base64url, so compare with the canonical encoding.
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** A base64url field of 1 to `maxBytes` bytes. It is validated, not decoded. */
export const base64urlOf = (maxBytes: number) =>
  inBase64url(
    z
      .string({ error: 'must be a string' })
      .min(1, 'must not be empty')
      .max(Math.ceil((maxBytes * 4) / 3), { error: `must be at most ${maxBytes} bytes`, abort: true })
      .refine((text) => decodeBase64url(text) !== undefined, 'must be base64url without padding')
      .meta({ format: 'base64url', description: 'Bytes in base64url, without padding.' }),
  )
