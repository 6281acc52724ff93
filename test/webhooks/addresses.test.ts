// No endpoint reaches our own network: neither by its address nor by its name (docs/domain/events.md#webhook-endpoint).
import dns from 'node:dns'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isPublicAddress } from '#http/outgoing/public-address.ts'
import { startNameServer } from '#test/setup/name-server.ts'
import { post } from '#webhooks/sending/post.ts'

/** Listens on every address of this machine, and counts the connections. */
let sink: Server
let reached = 0
let port = 0
let names: Awaited<ReturnType<typeof startNameServer>>
beforeAll(async () => {
  sink = createServer((socket) => {
    reached += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  }).listen(0, '::')
  await once(sink, 'listening')
  const address = sink.address()
  port = typeof address === 'object' && address ? address.port : 0
  names = await startNameServer()
})
afterAll(() => {
  sink.close()
  names.close()
})

const BAD =
  `0.0.0.0 0.0.0.1 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254 169.254.0.1
  172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.255 192.175.48.1 198.18.0.1
  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:7f00:1::
  2002:a9fe:a9fe:: 3fff::1 2620:4f:8000::1 fc00::1 fd12:3456::1 fe80::1 fec0::1 ff02::1 5f00::1`.split(/\s+/)
const GOOD =
  `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.167.255.255 198.17.255.255
  198.20.0.0 223.255.255.255 2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450::1 2003::1`.split(/\s+/)

it('distinguishes public addresses from all others', () => {
  expect(BAD.filter(isPublicAddress)).toEqual([])
  expect(GOOD.filter((address) => !isPublicAddress(address))).toEqual([])
  expect(['', 'localhost', '127.1', '1.1.1.1/8', '[::1]'].filter(isPublicAddress)).toEqual([])
})

const send = (host: string, mayBePrivate = false, withinMs = 30_000) =>
  post({ url: `http://${host}:${port}/`, mayBePrivate, headers: {}, body: Buffer.from('{}'), withinMs })

const literal = (address: string) => (address.includes(':') ? `[${address}]` : address)

it('the sink would be reached', async () => {
  expect((await send('127.0.0.1', true)).status).toBe(200)
  expect((await send('[::1]', true)).status).toBe(200)
  expect(reached).toBe(2)
  reached = 0
})

/** Spellings that the parser of URLs turns into addresses of this machine. */
const SPELLINGS =
  `2130706433 0x7f000001 0177.0.0.1 127.1 127.0.1 0x7f.1 017700000001 0 0x0 １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1
  [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] localhost LOCALHOST`.split(/\s+/)

it('reaches none of the corpus, by address, by spelling and by name', async () => {
  const hosts = [...BAD.map(literal), ...SPELLINGS]
  const replies = await Promise.all(hosts.map((host) => send(host)))
  const byName = []
  for (const address of BAD) {
    // A bad address among good ones is enough to refuse the name.
    for (const answer of [[address], ['1.1.1.1', address], [address, '2606:4700::1']]) {
      names.answer(() => answer)
      byName.push(await send('platform.example'))
    }
  }
  const all = [...replies, ...byName]
  console.log(`addresses and names ${all.length}, reached ${reached}`)
  expect(new Set(all.map(({ failure }) => failure))).toEqual(new Set(['ADDRESS_REFUSED']))
  expect(reached).toBe(0)
})

it('a name without an address reaches nothing', async () => {
  names.answer(() => [])
  expect((await send('platform.example')).failure).toBe('DNS')
  expect(reached).toBe(0)
})

it('a name that resolves differently every time reaches nothing inside', async () => {
  const tries = Number(process.env['REBINDINGS'] ?? 40)
  // The first look-up gets a public address, and the next one an internal address.
  const answers = [['2003::1'], ['127.0.0.1'], ['::1'], ['127.0.0.1', '::1']]
  names.answer((_name, nth) => answers[nth % answers.length])
  const replies = []
  for (let index = 0; index < tries; index++) {
    const isPublic = index % answers.length === 0
    replies.push(await send('platform.example', false, isPublic ? 100 : 30_000))
  }
  // The connection uses the address that was checked: the name is looked up only once, for both families.
  expect(names.asked).toHaveLength(2 * tries)
  console.log(`rebindings ${tries}, reached ${reached}`)
  expect(replies.every(({ status }) => status === null)).toBe(true)
  const failures = replies.map(({ failure }) => failure)
  expect(failures.filter((_, nth) => nth % 4 === 0)).not.toContain('DNS')
  expect(new Set(failures.filter((_, nth) => nth % 4 > 0))).toEqual(new Set(['ADDRESS_REFUSED']))
  expect(reached).toBe(0)
})

it('names whose servers are silent keep nothing else of the process waiting', async () => {
  names.answer((name) => (name.startsWith('silent') ? undefined : ['127.0.0.1']))
  const ended: string[] = []
  const silent = Array.from({ length: 12 }, (_, nth) =>
    send(`silent-${nth}.example`, false, 30_000).then(({ failure }) => ended.push(`silent: ${failure}`)),
  )
  await expect.poll(() => new Set(names.asked).size).toBe(12)
  await Promise.all([
    dns.promises.lookup('localhost').then(() => ended.push('look-up')),
    readFile(import.meta.filename).then(() => ended.push('file')),
    send('other.example').then(({ failure }) => ended.push(`other: ${failure}`)),
  ])
  expect(ended.toSorted()).toEqual(['file', 'look-up', 'other: ADDRESS_REFUSED'])
  await Promise.all(silent)
  expect(new Set(ended.slice(3))).toEqual(new Set(['silent: DNS']))
})
