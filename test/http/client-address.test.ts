// Limits by address: which requests share a count, behind proxies and over IPv6.
import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { parseAddress, parseTrustedProxies } from '#core/trusted-proxies.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'

const REDEEM = '/2025-10-13/agents/device-codes/SERVICE-AGENT-AAAA-AAAA/redeem'

/** 404 is an attempt that was counted, 429 one that was refused. */
const redeem = async (gateway: GatewayProcess, forwarded: string) =>
  (await fetch(gateway.url + REDEEM, { method: 'POST', headers: { 'x-forwarded-for': forwarded } })).status

const redeemFrom = async (address: string) => {
  const request = new Request(`http://test${REDEEM}`, { method: 'POST' })
  return (await app.fetch(request, address)).status
}

const twelve = async (work: (index: number) => Promise<number>) => {
  const statuses: number[] = []
  for (let index = 0; index < 12; index += 1) statuses.push(await work(index))
  return statuses
}
const ALL_COUNTED = Array(12).fill(404)
const TOGETHER = [...Array(10).fill(404), 429, 429]

const part = () => randomInt(1, 250)
const hex = () => randomInt(0x1000, 0xffff).toString(16)

describe('behind a proxy trusted by its address', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGateway({ TRUSTED_PROXIES: '127.0.0.0/8, ::1, 10.9.0.0/16', LOG_LEVEL: 'error' })
  })
  afterAll(() => gateway.kill())

  it('each client has its own count', async () => {
    const network = `192.${part()}.${part()}`
    expect(await twelve((index) => redeem(gateway, `${network}.${index}`))).toEqual(ALL_COUNTED)
  })

  it('a client has one count, whichever proxies it uses and whatever it claims', async () => {
    const client = `192.${part()}.${part()}.7`
    const ways = [client, `198.51.100.1, ${client}`, `${client}, 10.9.0.1`, `x,${client}:4711, 10.9.0.2, 10.9.3.4`]
    expect(await twelve((index) => redeem(gateway, ways[index % ways.length] ?? ''))).toEqual(TOGETHER)
  })

  it('a forwarded value that is not an address counts as the proxy', async () => {
    const proxy = `10.9.${part()}.${part()}`
    const unknown = ['unknown', '', '_hidden', '999.1.1.1', '1']
    expect(await twelve((index) => redeem(gateway, `${unknown[index % unknown.length]}, ${proxy}`))).toEqual(TOGETHER)
  })

  it('hosts in one IPv6 /64 network share a count, and another network has its own', async () => {
    const network = `2001:db8:${hex()}`
    expect(await twelve((index) => redeem(gateway, `[${network}:1::${index + 1}]:443`))).toEqual(TOGETHER)
    expect(await redeem(gateway, `${network}:2::1`)).toBe(404)
  })
})

describe('behind two proxies trusted by their number', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGateway({ TRUSTED_PROXIES: '2', LOG_LEVEL: 'error' })
  })
  afterAll(() => gateway.kill())

  it('the client is the second address from the end', async () => {
    const client = `192.${part()}.${part()}.7`
    expect(await twelve((index) => redeem(gateway, `192.0.2.${index}, ${client}, 198.51.100.${index}`))).toEqual(
      TOGETHER,
    )
    expect(await redeem(gateway, `${client}, 198.51.100.77, 198.51.100.78`)).toBe(404)
  })
})

it('without proxies, IPv6 counts by /64 network, and IPv4 by address in any notation', async () => {
  const network = `2001:db8:${hex()}:${hex()}`
  expect(await twelve((index) => redeemFrom(`${network}::${index + 1}`))).toEqual(TOGETHER)
  const address = `192.${part()}.${part()}.9`
  expect(await twelve((index) => redeemFrom(index % 2 ? address : `::ffff:${address}`))).toEqual(TOGETHER)
})

it('TRUSTED_PROXIES is a number, or addresses and ranges', () => {
  const trusts = (text: string, address: string, hop = 0) => {
    const parsed = parseAddress(address)
    return parsed && parseTrustedProxies(text)?.(parsed, hop)
  }
  expect(trusts('', '127.0.0.1')).toBe(false)
  expect(trusts('0', '127.0.0.1')).toBe(false)
  expect([0, 1, 2].map((hop) => trusts('2', '203.0.113.1', hop))).toEqual([true, true, false])
  expect(trusts('10.0.0.0/8', '10.255.0.1')).toBe(true)
  expect(trusts('10.0.0.0/8', '11.0.0.1')).toBe(false)
  expect(trusts('10.0.0.0/8', '::ffff:10.1.1.1')).toBe(true)
  expect(trusts('2001:db8::/32, 10.0.0.1', '2001:db8:1::1')).toBe(true)
  expect(trusts('2001:db8::/32, 10.0.0.1', '10.0.0.2')).toBe(false)
  for (const text of ['100', '-1', '1.5', 'proxy', '10.1', '10.0.0.0/33', '10.0.0.1/x', '::/129', 'x, 10.0.0.1']) {
    expect(parseTrustedProxies(text), text).toBeUndefined()
  }
})
