// A DNS server on this machine, which outgoing calls ask instead of the one of the system.
import { createSocket } from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'

const A = 1
const AAAA = 28

/** The addresses of a name, of both families. Undefined for a server that does not answer. `nth` counts the look-ups, from 0. */
type Answers = (name: string, nth: number) => readonly string[] | undefined

export const startNameServer = async () => {
  const asked: string[] = []
  let answers: Answers = () => []
  let looked = new Map<number, number>()
  const server = createSocket('udp4').bind(0, '127.0.0.1')
  await once(server, 'listening')
  server.on('message', (query, { address, port }) => {
    const { name, type, question } = read(query)
    asked.push(name)
    const nth = looked.get(type) ?? 0
    looked.set(type, nth + 1)
    const found = answers(name, nth)?.filter((one) => type === (one.includes(':') ? AAAA : A))
    if (found) server.send(answerTo(query, question, found), port, address)
  })
  const { Resolver } = dns.promises
  dns.promises.Resolver = class extends Resolver {
    constructor(options?: dns.ResolverOptions) {
      super(options)
      this.setServers([`127.0.0.1:${server.address().port}`])
    }
  }
  return {
    /** The name of every query. A look-up has two: for IPv4 and for IPv6. */
    asked,
    answer: (next: Answers) => {
      answers = next
      asked.length = 0
      looked = new Map()
    },
    close: () => {
      dns.promises.Resolver = Resolver
      server.close()
    },
  }
}

/** RFC 1035 §4.1.2. */
const read = (query: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  }
}

const NO_SUCH_NAME = 3

const answerTo = (query: Buffer, question: Buffer, addresses: readonly string[]) => {
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 + (addresses.length > 0 ? 0 : NO_SUCH_NAME), 2)
  for (const [nth, count] of [1, addresses.length, 0, 0].entries()) head.writeUInt16BE(count, 4 + 2 * nth)
  return Buffer.concat([head, question, ...addresses.map(recordOf)])
}

/** RFC 1035 §4.1.3, with a pointer to the name of the question and no time to live. */
const recordOf = (address: string) => {
  const data = address.includes(':') ? ipv6BytesOf(address) : Buffer.from(address.split('.').map(Number))
  return Buffer.from([0xc0, 12, 0, data.length === 4 ? A : AAAA, 0, 1, 0, 0, 0, 0, 0, data.length, ...data])
}

const ipv6BytesOf = (address: string) => {
  const [before = [], after = []] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  const zeros = Array(8 - before.length - after.length).fill('0')
  const hex = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join('')
  return Buffer.from(hex, 'hex')
}
