// Verifies webhooks in JavaScript, with nothing but Node.js (18 or newer).
import { createHmac, timingSafeEqual, verify } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Whether `X-Service-Signature` is the service's own, over the body as it was received, byte for byte. While a key rotation is open it
 * holds two signatures, by the current and by the next key: yours is either of them.
 */
export const isSigned = (rawBody, header, publicKeyPem) => {
  const { v, s, n } = parsed(header)
  return (
    v === '1' &&
    [s, n].some(
      (signature) =>
        typeof signature === 'string' &&
        verify('sha256', rawBody, publicKeyPem, Buffer.from(signature, 'base64')),
    )
  )
}

/** Anyone can send anything. */
const parsed = (header) => {
  try {
    return Object(JSON.parse(header))
  } catch {
    return {}
  }
}

/** Whether the headers of Standard Webhooks are valid and at most five minutes old. `secret` is `whsec_…`. */
export const isFresh = (rawBody, headers, secret, now = Date.now()) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest()
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** `node verify.mjs key.pem whsec_… < requests`: each line is `{ "headers": {…}, "body": "base64" }`, and the answer to each is true or false. */
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { createInterface } = await import('node:readline')
  const [publicKeyPem, secret] = [readFileSync(process.argv[2]), process.argv[3]]
  for await (const line of createInterface({ input: process.stdin })) {
    const { headers, body } = JSON.parse(line)
    const rawBody = Buffer.from(body, 'base64')
    console.log(isSigned(rawBody, headers['x-service-signature'], publicKeyPem) && isFresh(rawBody, headers, secret))
  }
}
