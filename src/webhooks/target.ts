// Restricts webhooks to public addresses, so that no endpoint reaches our own network.
import { BlockList, isIP } from 'node:net'
import type { Environment } from '#core/caller.ts'
import { config } from '#core/config.ts'

/** IPv4 addresses that are not global unicast (IANA's registries of special and multicast addresses). */
const NOT_PUBLIC_IPV4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/4 240.0.0.0/4`

/** Global unicast of IPv6. Every form that embeds an IPv4 address lies outside of it, or among the exceptions. */
const GLOBAL_IPV6 = '2000::/3'
const NOT_PUBLIC_IPV6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20 2620:4f:8000::/48'

const listOf = (ranges: string, family: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  for (const range of ranges.split(/\s+/)) {
    const [net = '', prefix] = range.split('/')
    list.addSubnet(net, Number(prefix), family)
  }
  return list
}
const notPublicIpv4 = listOf(NOT_PUBLIC_IPV4, 'ipv4')
const globalIpv6 = listOf(GLOBAL_IPV6, 'ipv6')
const notPublicIpv6 = listOf(NOT_PUBLIC_IPV6, 'ipv6')

/** Whether the text is an IP address of the public internet. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !notPublicIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !notPublicIpv6.check(address, 'ipv6')
    default:
      return false
  }
}

/** Whether the endpoint may have a private address: with `WEBHOOK_ALLOW_PRIVATE`, and never for a production platform. */
export const mayBePrivate = (environment: Environment): boolean =>
  config.webhookAllowPrivate && environment === 'SANDBOX'

/** The IP address in a URL, without the brackets of IPv6. Undefined for a name. */
export const literalOf = ({ hostname }: URL): string | undefined => {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(address) ? address : undefined
}

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)\.?$/

const isPublicName = (name: string) => /[^.]\.[^.]/.test(name) && !LOCAL_NAMES.test(name)

const usualPort = (protocol: string) => (protocol === 'https:' ? 443 : 80)

/**
 * The problem with the address of an endpoint, as the end of a sentence, or undefined. Names are resolved when a request is sent.
 * The URL parser has turned every spelling of an IPv4 address, such as `0x7f.1`, into its plain form.
 */
export const problemOf = (text: string, environment: Environment): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSandbox = environment === 'SANDBOX'
  if (!url || !(url.protocol === 'https:' || (isSandbox && url.protocol === 'http:')))
    return isSandbox ? 'must be an https:// or http:// address' : 'must be an https:// address'
  if (url.username || url.password) return 'must not contain credentials'
  if (url.hash) return 'must not contain a fragment'
  const port = url.port === '' ? usualPort(url.protocol) : Number(url.port)
  if (port < 1024 && port !== usualPort(url.protocol))
    return `must have the port ${usualPort(url.protocol)}, or one from 1024 on`
  if (mayBePrivate(environment)) return undefined
  const literal = literalOf(url)
  const isPublic = literal === undefined ? isPublicName(url.hostname) : isPublicAddress(literal)
  return isPublic ? undefined : 'must be reachable from the internet'
}
