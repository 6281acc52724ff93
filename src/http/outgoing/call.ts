// One request to an address that a platform or an operator chose. It reaches public addresses only, follows no
// redirects, and is limited in time and size.
import dns, { type LookupAddress } from 'node:dns'
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { withoutSlot } from '#http/platform-queue.ts'
import { keptConnections } from './kept-connections.ts'
import { isPublicAddress, isPublicHost, literalOf } from './public-address.ts'

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
type CallFailure = (typeof CALL_FAILURES)[number]

/** The outcome of one request. */
export interface Reply {
  /** The HTTP status. Null without an answer. */
  readonly status: number | null
  readonly body: string
  /** Null for 2xx. */
  readonly failure: CallFailure | null
  /** The delay that the receiver asks for before the next attempt. */
  readonly retryAfterSeconds: number | null
  readonly milliseconds: number
}

type Answer = Omit<Reply, 'milliseconds'>

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
  /**
   * Whether to use a connection that an earlier call has kept open, and to keep it for the next one. The receiver may then get the request
   * twice, because a request whose connection it has closed meanwhile is sent again.
   */
  readonly keepsConnection?: boolean
}

const CONNECT_WITHIN_MS = 5_000
const WITHIN_MS = 30_000
const MAX_REPLY_BYTES = 64 * 1024
/** The most informational responses (1xx), which come before the reply. */
const MAX_INFORMATIONAL = 10

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
  outgoing.signal?.throwIfAborted()
  const began = performance.now()
  const answer = await withoutSlot(() => exchange(outgoing))
  outgoing.signal?.throwIfAborted()
  return { ...answer, milliseconds: Math.round(performance.now() - began) }
}

const exchange = async (
  outgoing: Outgoing,
  withinMs = outgoing.withinMs ?? WITHIN_MS,
  keepsConnection = outgoing.keepsConnection ?? false,
): Promise<Answer> => {
  const began = performance.now()
  const url = new URL(outgoing.url)
  const stage = literalOf(url) === undefined ? 'DNS' : 'CONNECTION'
  const progress: Progress = { stage, isConnected: false, status: null }
  const failed = (failure: CallFailure) => ({ status: progress.status, body: '', failure, retryAfterSeconds: null })
  // Node does not look up an address, so `lookup` would never see it.
  if (!outgoing.mayBePrivate && !isPublicHost(url)) return failed('ADDRESS_REFUSED')

  const sent = send(url, outgoing, keepsConnection)
  const limits = limitsOf(outgoing.signal, withinMs, progress)
  follow(sent, url, progress)
  try {
    return await Promise.race([answerTo(sent, progress), limits.reached])
  } catch (error) {
    if (error instanceof Ended) return failed(error.failure)
    // The receiver has closed a connection that an earlier call had kept open.
    if (sent.reusedSocket && progress.status === null)
      return exchange(outgoing, withinMs - (performance.now() - began), false)
    return failed(progress.stage)
  } finally {
    limits.clear()
    // Does nothing to a connection that is kept after a whole answer.
    sent.destroy()
  }
}

/** How far a request has come. */
interface Progress {
  /** The kind of failure if the request fails now. */
  stage: CallFailure
  isConnected: boolean
  status: number | null
}

const send = (url: URL, { mayBePrivate, headers, body }: Outgoing, keepsConnection: boolean): ClientRequest => {
  const { request } = url.protocol === 'https:' ? https : http
  const sent = request(url, {
    method: body ? 'POST' : 'GET',
    agent: keepsConnection && keptConnections(url.protocol, mayBePrivate),
    ...(!mayBePrivate && { lookup: publicLookup }),
    headers: {
      ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
      'accept-encoding': 'identity',
      ...headers,
    },
  })
  return sent.end(body)
}

/** `reached` rejects when the time is up, or when the signal ends the request. It does not depend on what the socket does. */
const limitsOf = (signal: AbortSignal | undefined, withinMs: number, progress: Progress) => {
  let clear = () => {}
  const reached = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new Ended('TIMEOUT'))
    const connecting = setTimeout(() => progress.isConnected || end(), CONNECT_WITHIN_MS)
    const whole = setTimeout(end, withinMs)
    signal?.addEventListener('abort', end)
    clear = () => {
      clearTimeout(connecting)
      clearTimeout(whole)
      signal?.removeEventListener('abort', end)
    }
  })
  return { reached, clear }
}

const follow = (sent: ClientRequest, { protocol }: URL, progress: Progress): void => {
  const connected = () => {
    progress.stage = 'CONNECTION'
    progress.isConnected = true
  }
  sent.on('socket', (socket) => {
    if (sent.reusedSocket) return connected()
    socket.on('lookup', (error) => {
      if (!error) progress.stage = 'CONNECTION'
    })
    socket.on('connect', () => {
      if (protocol === 'https:') progress.stage = 'TLS'
      else connected()
    })
    socket.on('secureConnect', connected)
  })
}

const answerTo = async (sent: ClientRequest, progress: Progress): Promise<Answer> => {
  const response = await responseTo(sent, progress)
  const { statusCode: status = 0, headers } = response
  const failure = failureOf(status)
  progress.status = status
  // A new connection may lead to another server of the receiver, which is well.
  if (failure !== null) sent.shouldKeepAlive = false
  const body = await bodyOf(response)
  return { status, body, failure, retryAfterSeconds: secondsOf(headers['retry-after']) }
}

const responseTo = (sent: ClientRequest, progress: Progress) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    let informational = 0
    sent.on('information', () => {
      informational += 1
      if (informational > MAX_INFORMATIONAL) reject(new Ended('TOO_LARGE'))
    })
    // Without this listener Node would close the connection and report neither a response nor an error.
    sent.on('upgrade', ({ statusCode = 0 }, socket) => {
      progress.status = statusCode
      socket.destroy()
      reject(new Ended('STATUS'))
    })
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.on('close', () => reject(new Error('The connection was closed without a response')))
  })

const bodyOf = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += chunk.length
    if (length > MAX_REPLY_BYTES) throw new Ended('TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const failureOf = (status: number): CallFailure | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'REDIRECT' : 'STATUS'
}

/** RFC 9110 §10.2.3: seconds, or a date. */
const secondsOf = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return seconds > 0 ? seconds : null
}

const NAME_SERVER_WITHIN_MS = 1_000
const NAME_SERVER_TRIES = 2

/**
 * The addresses of a name in the DNS. The system's own look-up would also read its hosts file, but holds one of the few threads of the process
 * until the name servers of a stranger answer.
 */
const resolve = async (name: string): Promise<LookupAddress[]> => {
  const resolver = new dns.promises.Resolver({ timeout: NAME_SERVER_WITHIN_MS, tries: NAME_SERVER_TRIES })
  const none = (): string[] => []
  const [ipv4, ipv6] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)])
  return [...ipv4.map((address) => ({ address, family: 4 })), ...ipv6.map((address) => ({ address, family: 6 }))]
}

/** Checks the addresses during the look-up, because the socket connects to exactly these. */
const publicLookup: LookupFunction = (hostname, { all }, callback) => {
  void resolve(hostname).then((addresses) => {
    const [first] = addresses
    if (!first) return callback(new Ended('DNS'), '', 0)
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new Ended('ADDRESS_REFUSED'), '', 0)
    return all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}
