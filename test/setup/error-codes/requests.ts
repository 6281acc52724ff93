// Codes that any request can get, whatever it is about.
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { app } from '#app.ts'
import { db } from '#database/db.ts'
import { exchange } from '#http/exchange.ts'
import { callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic, rest } from '#test/setup/faces.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { changePlatform, createPlatform, createWallet, type Platform } from '#test/setup/world.ts'
import type { Answer, Scenario, Unreachable } from './scenario.ts'

const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  send(await createPlatform(), method, path, body, headers)

/** A request to GraphQL that need not have a document. */
const graphql = async (platform: Platform, body: object): Promise<Answer> => {
  const response = await app.fetch(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: basic(platform) },
      body: JSON.stringify(body),
    }),
  )
  return { status: response.status, body: await response.json() }
}

/** An owner whose sealed number was damaged in the database. */
const createDamagedOwner = async (platform: Platform): Promise<string> => {
  const person = { firstName: 'Nora', lastName: 'Berg', birthDate: '1980-04-12', nationality: 'US' }
  const { body } = await send(platform, 'POST', '/customers', {
    customerType: 'BUSINESS',
    businessInfo: { legalName: 'Engines Ltd', incorporatedOn: '2015-06-01', taxId: '12-3456789' },
    beneficialOwners: [
      {
        roles: ['UBO'],
        ownershipPercentage: 60,
        personalInfo: {
          ...person,
          address: { line1: '12 Mill Lane', postalCode: '78701', country: 'US' },
          idType: 'SSN',
          identifier: '123-45-6789',
        },
      },
    ],
  })
  await db.$executeRaw`update beneficial_owners set identifier_sealed = '\\x00' where platform_id = ${platform.id}::uuid`
  return body.beneficialOwners[0].id
}

export const requests = {
  INVALID_INPUT: () => call('GET', '/transactions?limit=0'),
  INVALID_REQUEST_FORMAT: () => call('POST', '/quotes', '{'),
  QUERY_TOO_COMPLEX: async () => {
    const fields = Array.from({ length: 5_000 }, (_, index) => `a${index}: __typename`)
    return callGraphQL(basic(await createPlatform()), `{ ${fields.join(' ')} }`, {})
  },
  PERSISTED_QUERY_NOT_FOUND: async () => graphql(await createPlatform(), { documentId: '0'.repeat(64) }),
  PERSISTED_QUERY_NOT_SUPPORTED: async () =>
    graphql(await createPlatform(), { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }),
  UNAUTHORIZED: () => rest(null, '/transactions'),
  FORBIDDEN: async () => send(await createPlatform(['VIEW']), 'POST', '/customers', {}),
  METHOD_NOT_ALLOWED: () => call('PUT', '/transactions'),
  PAYLOAD_TOO_LARGE: () => call('POST', '/quotes', { description: 'x'.repeat(2 ** 18) }),
  UNSUPPORTED_MEDIA_TYPE: () => call('POST', '/quotes', 'amount=1', { 'content-type': 'text/plain' }),
  REFERENCE_NOT_FOUND: () => call('GET', `/cards/Card:${randomUUID()}`),
  TOKEN_NOT_FOUND: () => call('GET', `/tokens/Token:${randomUUID()}`),
  NOT_IMPLEMENTED: () => call('GET', '/customers/end-user-terms'),
  RATE_LIMITED: async () => {
    const redeem = () =>
      callRest(null, 'POST', '/agents/device-codes/SERVICE-AGENT-AAAA-AAAA/redeem', undefined, '192.0.2.77')
    for (let tries = 0; tries < 10; tries += 1) await redeem()
    return redeem()
  },
  SERVICE_UNAVAILABLE: async () => {
    const platform = await createPlatform()
    const { credentialId } = await createWallet(platform)
    // In production the code would be sent, and this gateway has no mail server.
    await changePlatform(platform, { environment: 'PRODUCTION' })
    return send(platform, 'POST', `/auth/credentials/${credentialId}/challenge`)
  },
  INTERNAL_ERROR: async () => {
    const platform = await createPlatform()
    const ownerId = await createDamagedOwner(platform)
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      return await send(platform, 'PATCH', `/beneficial-owners/${ownerId}`, { personalInfo: { firstName: 'Ida' } })
    } finally {
      log.mockRestore()
    }
  },
  GATEWAY_TIMEOUT: async () => {
    // The front door of the gateway, before a handler that never answers.
    const server = createServer((request, response) =>
      exchange('rest', { traceId: randomUUID() }, request, response, () => {}),
    ).listen(0)
    try {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      return { status: response.status, body: await response.json() }
    } finally {
      server.close()
    }
  },
  SERVICE_SWITCH_ERROR: {
    reason: 'The gateway executes every operation itself. There is no switch behind it that could fail.',
  },
} as const satisfies Readonly<Record<string, Scenario | Unreachable>>
