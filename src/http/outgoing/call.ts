// One request to an address that a platform or an operator chose. It reaches public addresses only, follows no
// redirects, and is limited in time and size.
import dns, { type LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { isPublicAddress, literalOf } from './public-address.ts'

export const CALL_FAILURES = [
  'TIMEOUT',
  'CONNECTION',
  'TLS',
  'DNS',
  'ADDRESS_REFUSED',
  'REDIRECT',
  'STATUS',
  'TOO_LARGE',
] as const
export type CallFailure = (typeof CALL_FAILURES)[number]

/** The outcome of one request. */
export interface Reply {
  /** The HTTP status. Null without an answer. */
  readonly status: number | null
  readonly body: string
  /** Null for 2xx, and for 409: the receiver knows the event already. */
  readonly failure: CallFailure | null
  /** The delay that the receiver asks for before the next attempt. */
  readonly retryAfterSeconds: number | null
  readonly milliseconds: number
}

export interface Outgoing {
  readonly url: string
  readonly mayBePrivate: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Sent with POST. Without it the request is a GET. */
  readonly body?: Buffer
  /** Ends the request without a reply. */
  readonly signal?: AbortSignal
  /** The limit for the whole request. */
  readonly withinMs?: number
}

const CONNECT_WITHIN_MS = 5_000
const WITHIN_MS = 30_000
const MAX_REPLY_BYTES = 64 * 1024

/** Why the gateway ended a request. */
class Ended extends Error {
  readonly failure: CallFailure
  constructor(failure: CallFailure) {
    super(failure)
    this.failure = failure
  }
}

/** Throws only when `signal` ends it. */
export const call = async (outgoing: Outgoing): Promise<Reply> => {
  const began = performance.now()
  const answer = await exchange(outgoing)
  outgoing.signal?.throwIfAborted()
  return { ...answer, milliseconds: Math.round(performance.now() - began) }
}

const exchange = (outgoing: Outgoing): Promise<Omit<Reply, 'milliseconds'>> => {
  const { mayBePrivate, body, withinMs = WITHIN_MS } = outgoing
  const url = new URL(outgoing.url)
  const literal = literalOf(url)
  let status: number | null = null
  const failed = (failure: CallFailure) => ({ status, body: '', failure, retryAfterSeconds: null })
  // Node does not look up an address, so `lookup` would never see it.
  if (literal !== undefined && !mayBePrivate && !isPublicAddress(literal))
    return Promise.resolve(failed('ADDRESS_REFUSED'))

  return new Promise((resolve) => {
    const { request } = url.protocol === 'https:' ? https : http
    const sent = request(url, {
      method: body ? 'POST' : 'GET',
      // A socket that is used again would not look the name up again.
      agent: false,
      lookup: publicLookup(mayBePrivate),
      headers: {
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        'accept-encoding': 'identity',
        ...outgoing.headers,
      },
      ...(outgoing.signal && { signal: outgoing.signal }),
    })
    const endWith = (failure: CallFailure) => sent.destroy(new Ended(failure))
    const connecting = setTimeout(() => endWith('TIMEOUT'), Math.min(CONNECT_WITHIN_MS, withinMs))
    const whole = setTimeout(() => endWith('TIMEOUT'), withinMs)

    // The current stage, which decides the kind of failure.
    let stage: CallFailure = literal === undefined ? 'DNS' : 'CONNECTION'
    sent.on('socket', (socket) => {
      socket.on('lookup', (error) => {
        if (!error) stage = 'CONNECTION'
      })
      socket.on('connect', () => {
        if (url.protocol === 'https:') stage = 'TLS'
        else clearTimeout(connecting)
      })
      socket.on('secureConnect', () => {
        stage = 'CONNECTION'
        clearTimeout(connecting)
      })
    })
    const finish = (reply: Omit<Reply, 'milliseconds'>) => {
      clearTimeout(connecting)
      clearTimeout(whole)
      resolve(reply)
    }
    const fail = (error: unknown) => finish(failed(error instanceof Ended ? error.failure : stage))
    sent.on('error', fail)
    sent.on('response', (response) => {
      const { statusCode = 0, headers } = response
      status = statusCode
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MAX_REPLY_BYTES) response.destroy(new Ended('TOO_LARGE'))
        else chunks.push(chunk)
      })
      response.on('error', fail)
      response.on('end', () =>
        finish({
          status: statusCode,
          body: Buffer.concat(chunks).toString('utf8'),
          failure: failureOf(statusCode),
          retryAfterSeconds: secondsOf(headers['retry-after']),
        }),
      )
    })
    sent.end(body)
  })
}

const failureOf = (status: number): CallFailure | null => {
  if ((status >= 200 && status < 300) || status === 409) return null
  return status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS'
}

/** RFC 9110 §10.2.3: seconds, or a date. */
const secondsOf = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? seconds : null
}

/** Checks the addresses during the look-up, because the socket connects to exactly these. */
const publicLookup =
  (mayBePrivate: boolean): LookupFunction =>
  (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses: LookupAddress[] = error ? [] : found
      const [first] = addresses
      if (error || !first) return callback(error ?? new Ended('DNS'), '', 0)
      if (!mayBePrivate && !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new Ended('ADDRESS_REFUSED'), '', 0)
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
