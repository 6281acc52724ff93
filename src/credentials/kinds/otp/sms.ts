import type { Transport } from './transport.ts'

interface SmsGateway {
  readonly url: string
  readonly token: string
}

const TIMEOUT_MS = 5_000

/** POSTs `{ to, body }` with a bearer token. Most SMS providers accept this directly or through a small adapter. */
export const smsTransport =
  ({ url, token }: SmsGateway): Transport =>
  async (to, { text }) => {
    const { ok, status, body } = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to, body: text }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await body?.cancel()
    if (!ok) throw Object.assign(new Error('The SMS gateway refused the message'), { code: `HTTP_${status}` })
  }
