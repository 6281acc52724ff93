// Finds the client's address and scheme. Only this file reads `X-Forwarded-For` and `X-Forwarded-Proto`.
import { config } from '#core/config.ts'
import { type Address, parseAddress } from '#core/trusted-proxies.ts'
import type { Header } from './exchange.ts'

/**
 * The client's address for limits: the nearest address that is not a trusted proxy. IPv6 addresses are reduced to their /64, because one
 * host can use every address in it. Null for requests in process.
 */
export const clientAddressOf = (socketAddress: string | null, header: Header): string | null => {
  let client = socketAddress === null ? undefined : parseAddress(socketAddress)
  if (!client) return socketAddress
  const forwarded = header('x-forwarded-for')?.split(',').reverse() ?? []
  for (const [hop, text] of forwarded.entries()) {
    if (!config.isTrustedProxy(client, hop)) break
    const before = parseAddress(withoutPort(text.trim()))
    // The proxy did not pass on an address, so the proxy itself counts as the client.
    if (!before) break
    client = before
  }
  return networkOf(client)
}

/** The scheme that the client used. The gateway itself speaks only HTTP; a trusted proxy that terminates TLS reports `https`. */
export const schemeOf = (socketAddress: string | null, header: Header): 'http' | 'https' => {
  const [scheme] = header('x-forwarded-proto')?.split(',') ?? []
  if (scheme?.trim().toLowerCase() !== 'https') return 'http'
  const peer = socketAddress === null ? undefined : parseAddress(socketAddress)
  return peer && config.isTrustedProxy(peer, 0) ? 'https' : 'http'
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
const withoutPort = (text: string) => /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text

const networkOf = (address: Address): string =>
  address.kind() === 'ipv4'
    ? address.toString()
    : `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
