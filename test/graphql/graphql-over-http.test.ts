// GraphQL over HTTP: the audits of the reference implementation run against the whole gateway, with a platform's
// credentials.
import { serverAudits } from 'graphql-http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

let gateway: GatewayProcess
let platform: Platform
beforeAll(async () => {
  gateway = await startGateway()
  platform = await createPlatform()
})
afterAll(() => gateway.kill())

const audits = serverAudits({
  url: () => `${gateway.url}/graphql`,
  fetchFn: (input: string | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', basic(platform))
    return fetch(input, { ...init, headers })
  },
})

it('runs every audit', () => {
  expect(audits).toHaveLength(61)
})

it('a gateway without trusted documents tells clients to stop sending documents by their hash', async () => {
  const headers = {
    authorization: basic(platform),
    accept: 'application/json',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } })
  const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body })
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 200,
    body: {
      errors: [
        {
          message: 'PersistedQueryNotSupported',
          extensions: {
            code: 'PERSISTED_QUERY_NOT_SUPPORTED',
            details: { field: 'extensions.persistedQuery.sha256Hash' },
          },
        },
      ],
    },
  })
})

for (const { id, name, fn } of audits) {
  it(`${id}: ${name}`, async () => {
    const result = await fn()
    expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok')
  })
}
