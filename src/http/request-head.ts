// The head of a request: its request line and headers.
import type { IncomingMessage } from 'node:http'
import { schemeOf } from './client-address.ts'
import type { Header } from './exchange.ts'

export interface RequestHead {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly header: Header
  /** The number of `Host` headers. */
  readonly hosts: number
  /** The scheme that the client used. */
  readonly scheme: 'http' | 'https'
  /** Whether a body follows, which may turn out to be empty if it is sent in chunks. */
  readonly hasBody: boolean
}

export const headOf = ({ url = '/', method = 'GET', headers, rawHeaders, socket }: IncomingMessage): RequestHead => {
  const header = (name: string) => headers[name]?.toString()
  return {
    method,
    // Clients may send the target in absolute form (RFC 9112 §3.2.2).
    target: url.replace(/^https?:\/\/[^/?#]*(?=\/)/i, ''),
    header,
    // `headers` keeps only the first one, so count them in `rawHeaders`.
    hosts: rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length,
    scheme: schemeOf(socket.remoteAddress ?? null, header),
    hasBody: Number(header('content-length') ?? 0) > 0 || Boolean(header('transfer-encoding')),
  }
}

export const headOfFetch = ({ url, method, headers, body }: Request, peerAddress: string | null): RequestHead => {
  const { pathname, search } = new URL(url)
  const header = (name: string) => headers.get(name)
  const scheme = schemeOf(peerAddress, header)
  return { method, target: pathname + search, header, hosts: 1, scheme, hasBody: body !== null }
}

export const pathOf = (target: string): string => target.split(/[?#]/, 1)[0] ?? ''
