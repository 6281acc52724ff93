// Which addresses are our own proxies. Only what they say about a client counts.
import ipaddr from 'ipaddr.js'

export type Address = ReturnType<typeof ipaddr.process>

/** `hop` is the distance from this process: 0 is the other end of the socket. */
export type IsTrustedProxy = (address: Address, hop: number) => boolean

const COUNT = /^\d{1,2}$/

/** Addresses and CIDR ranges separated by commas, or the number of proxies in front. Undefined when it is neither. */
export const parseTrustedProxies = (text: string): IsTrustedProxy | undefined => {
  if (COUNT.test(text)) return (_address, hop) => hop < Number(text)
  const ranges = text.split(',').flatMap((part) => part.trim() || [])
  try {
    const parsed = ranges.map(parseRange)
    return (address) => parsed.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
  } catch {
    return undefined
  }
}

const parseRange = (text: string): [range: Address, bits: number] => {
  const [range, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [requireAddress(text), undefined]
  return [range, bits ?? range.toByteArray().length * 8]
}

const requireAddress = (text: string): Address => {
  const address = parseAddress(text)
  if (!address) throw new Error('Not an address')
  return address
}

/** Undefined when it is not an IP address. IPv4 in IPv6 (`::ffff:192.0.2.1`) is IPv4. */
export const parseAddress = (text: string): Address | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined
