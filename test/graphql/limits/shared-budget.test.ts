// The nodes per minute of a caller are one budget at all gateways, which no request waits for.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const NODES_PER_MINUTE = 20_000
/** The cost of the query. */
const NODES = 130
const QUERY = '{ customers(first: 99) { nodes { id } } }'

let gateways: GatewayProcess[]
beforeAll(async () => {
  const settings = { GRAPHQL_LIMITS: `nodesPerMinute=${NODES_PER_MINUTE}` }
  gateways = await Promise.all([startGateway(settings), startGateway(settings)])
  for (const { url } of gateways)
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), 30_000)
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.kill())))

const statusOf = async (platform: Platform, { url }: GatewayProcess) => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: basic(platform) },
    body: JSON.stringify({ query: QUERY }),
  })
  await response.text()
  return response.status
}

/** The number of answers until the first refusal. */
const answersAt = async (platform: Platform, gateway: GatewayProcess) => {
  for (let answers = 0; ; answers += 1) {
    const status = await statusOf(platform, gateway)
    if (status === 429) return answers
    expect(status).toBe(200)
  }
}

describe('two gateways', () => {
  it('let a caller spend one budget, accurate to within a tenth', async () => {
    const platform = await createPlatform()
    const began = performance.now()
    const answers = await Promise.all(gateways.map((gateway) => answersAt(platform, gateway)))
    const allowed = NODES_PER_MINUTE * (1 + (performance.now() - began) / 60_000)
    const spent = NODES * answers.reduce((sum, count) => sum + count)
    console.log(
      `allowed ${Math.round(allowed)} nodes, spent ${spent} at gateways ${answers.join(' and ')} times ${NODES}`,
    )
    expect(spent).toBeGreaterThan(0.9 * allowed)
    expect(spent).toBeLessThan(1.1 * allowed)
  })

  it('continue, each with its own budget, while the database keeps them from sharing it', async () => {
    const platform = await createPlatform()
    const locker = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
    await locker.connect()
    try {
      await locker.query('begin')
      await locker.query('lock table spent_nodes in share mode')
      for (const gateway of gateways)
        for (let request = 0; request < 30; request += 1) expect(await statusOf(platform, gateway)).toBe(200)
    } finally {
      await locker.end()
    }
  })
})
