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
  }
}

export const headOfFetch = ({ url, method, headers }: Request, peerAddress: string | null): RequestHead => {
  const { pathname, search } = new URL(url)
  const header = (name: string) => headers.get(name)
  return { method, target: pathname + search, header, hosts: 1, scheme: schemeOf(peerAddress, header) }
}

export const pathOf = (target: string): string => target.split(/[?#]/, 1)[0] ?? ''
