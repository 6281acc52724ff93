// A caller without the permission gets 403 whatever it sends: on every route, nothing of the request is read before the permission is checked.
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { type Authorization, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { PUBLIC, restRoutes } from '#test/setup/places/rest-places.ts'
import { ROUTES } from '#test/setup/places/rest-routes.ts'
import { createCustomer, createPlatform } from '#test/setup/world.ts'

const READS: Readonly<Record<string, string>> = {
  'an unknown parameter': '?unknown=1',
  'a parameter without a value': '?limit',
  'a parameter twice': '?limit=1&limit=1',
  'an invalid limit': '?limit=0',
  'an invalid cursor': '?cursor=x',
  'an invalid id': '?customerId=x&accountId=x',
  'bytes that are no UTF-8': '?accountId=%ff',
}

const WRITES: Readonly<Record<string, RequestInit>> = {
  'no body': {},
  'broken JSON': { body: '{' },
  'an array': { body: '[{}]' },
  'an empty object': { body: '{}' },
  'bytes that are no UTF-8': { body: new Uint8Array([0xff]) },
  'a long Idempotency-Key': { body: '{}', headers: { 'idempotency-key': 'x'.repeat(256) } },
  'an empty Idempotency-Key': { headers: { 'idempotency-key': '' } },
  'meaningless headers of a signed retry': { headers: { 'request-id': 'x', 'service-wallet-signature': 'x' } },
}

const isWrite = (route: string) => !route.startsWith('GET ')

/** What callers may send to a route: the end of its URL, and the rest of the request. */
const attemptsAt = (route: string): readonly { name: string; query: string; init: RequestInit }[] => [
  ...Object.entries(READS).map(([name, query]) => ({ name, query, init: {} })),
  ...(isWrite(route) ? Object.entries(WRITES).map(([name, init]) => ({ name, query: '', init })) : []),
]

/** The requests that are not answered 403. */
const admitted = async (routes: readonly string[], authorization: Authorization) => {
  const found: string[] = []
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    const url = `http://test/2025-10-13${path.replaceAll(/:\w+/g, 'x')}`
    // Admission answers another content type with 415 before it looks at the caller.
    const type = ROUTES[route]?.isForm ? 'multipart/form-data; boundary=x' : 'application/json'
    for (const { name, query, init } of attemptsAt(route)) {
      const headers = { ...init.headers, 'content-type': type, authorization: authorization ?? '' }
      const response = await app.fetch(new Request(url + query, { ...init, method, headers }))
      const { code } = (await response.json()) as { code?: string }
      if (code !== 'FORBIDDEN') found.push(`${route} with ${name}: ${response.status} ${code}`)
    }
  }
  console.log(`${routes.length} routes, admitted ${found.length}`)
  return found
}

const isOfAgents = (route: string) => route.includes(' /agents/me')
const ofAgents = restRoutes().filter(isOfAgents)

describe('whatever it sends, a caller gets 403', () => {
  let platform: Awaited<ReturnType<typeof createPlatform>>
  let customerId: string

  beforeAll(async () => {
    platform = await createPlatform()
    customerId = (await createCustomer(platform)).id
  })

  const ofPlatforms = restRoutes().filter((route) => !isOfAgents(route) && !PUBLIC.test(route))
  const needsView = (route: string) => !isWrite(route) || route === 'POST /crypto/estimate-withdrawal-fee'

  it('on every read, if it is a token without VIEW', { timeout: 60_000 }, async () => {
    const blind = await createPlatform(['TRANSACT', 'MANAGE'])
    const reads = [...ofPlatforms.filter(needsView), 'GET /webhooks/events/stream']
    expect(await admitted(reads, basic(blind))).toEqual([])
  })

  it('on every write, if it is a token with VIEW alone', { timeout: 60_000 }, async () => {
    const viewer = await createPlatform(['VIEW'])
    const writes = ofPlatforms.filter((route) => !needsView(route))
    expect(await admitted(writes, basic(viewer))).toEqual([])
  })

  it('on every write, if it is an agent without permissions', async () => {
    const { authorization } = await createConnectedAgent(platform, { customerId, permissions: [] })
    expect(await admitted(ofAgents.filter(isWrite), authorization)).toEqual([])
  })

  it('on every write, if it is a paused agent', async () => {
    const { authorization } = await createConnectedAgent(platform, { customerId, isPaused: true })
    expect(await admitted(ofAgents.filter(isWrite), authorization)).toEqual([])
  })

  it('on every read but those of itself, if it is an agent without VIEW_TRANSACTIONS', async () => {
    const { authorization } = await createConnectedAgent(platform, { customerId, permissions: ['CREATE_QUOTES'] })
    const own = ['GET /agents/me', 'GET /agents/me/actions', 'GET /agents/me/actions/:id', 'GET /agents/me/quotes/:id']
    const reads = ofAgents.filter((route) => !isWrite(route) && !own.includes(route))
    expect(await admitted(reads, authorization)).toEqual([])
  })
})
