// Decides which addresses are our own proxies. Forwarding headers are believed only from them.
import ipaddr from 'ipaddr.js'

export type Address = ReturnType<typeof ipaddr.process>

/** `hop` is the distance from this process. The peer of the socket has 0. */
type IsTrustedProxy = (address: Address, hop: number) => boolean

const COUNT = /^\d{1,2}$/

/** Parses addresses and CIDR ranges separated by commas, or the number of proxies. Undefined if the text is neither. */
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

/** How a socket that listens on IPv6 writes an IPv4 peer. */
const MAPPED = /^::ffff:(?=[\d.]+$)/i

/** Parses an IP address; undefined if it is malformed. An IPv4 address in IPv6 (`::ffff:192.0.2.1`) becomes IPv4. */
export const parseAddress = (text: string): Address | undefined => {
  // Parsing IPv6 takes 16 times as long.
  const address = text.replace(MAPPED, '')
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
    ? ipaddr.process(address)
    : undefined
}
