// Addresses and names of the public internet.
import { BlockList, isIP } from 'node:net'

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

/** The IP address in a URL, without the brackets of IPv6. Undefined for a name. */
export const literalOf = ({ hostname }: URL): string | undefined => {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return isIP(address) ? address : undefined
}

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|onion)\.?$/

/** Whether the name may belong to a public host. Local names of all kinds do not. */
const isPublicName = (name: string) => /[^.]\.[^.]/.test(name) && !LOCAL_NAMES.test(name)

/** Whether the host of the URL is an address of the public internet, or a name that may have one. */
export const isPublicHost = (url: URL): boolean => {
  const literal = literalOf(url)
  return literal === undefined ? isPublicName(url.hostname) : isPublicAddress(literal)
}
