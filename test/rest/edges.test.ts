// Refusals at the edges of REST: unknown parameters, unknown paths, unreadable files, and every invalid field.
import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { createActing } from '#test/setup/agents/acting-agents.ts'
import { callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic, rest } from '#test/setup/faces.ts'
import { createPayer, type Payer, quoteInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { type CrawledName, UNKNOWN_NAMES } from '#test/setup/places/crawled-platforms.ts'
import { restPlaces, restRoutes } from '#test/setup/places/rest-places.ts'

let payer: Payer
beforeAll(async () => {
  payer = await createPayer()
})

const LISTS = ['/transactions', '/agents', '/agents/approvals', '/auth/credentials', '/auth/sessions']
const LISTS_OF_AGENTS = ['/actions', '/transactions', '/internal-accounts', '/external-accounts']

describe('an unknown query parameter', () => {
  it.each(LISTS)('is 400 on %s, so that a misspelt filter does not return everything', async (path) => {
    const { status, body } = await rest(payer.platform, `${path}?custmerId=Customer:x`)
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'custmerId', constraint: { enum: expect.any(Array) } } },
    })
  })

  it.each(LISTS_OF_AGENTS)('is 400 on /agents/me%s, where a customer cannot be chosen', async (path) => {
    const { agent } = await createActing({})
    const { status, body } = await callRest(agent, 'GET', `/agents/me${path}?customerId=${payer.customerId}`)
    expect({ status, body }).toMatchObject({ status: 400, body: { details: { field: 'customerId' } } })
  })
})

it.each(['020', '0', '+20', ' 20', '2e1', '101'])('limit=%s is 400', async (limit) => {
  const { status, body } = await rest(payer.platform, `/transactions?limit=${encodeURIComponent(limit)}`)
  expect({ status, body }).toMatchObject({ status: 400, body: { details: { field: 'limit' } } })
})

it.each(['/nothing', '/agents/me/nothing', '/transactions/x/y/z'])('%s is 404 for every caller', async (path) => {
  for (const caller of [null, payer.platform]) {
    expect(await rest(caller, path)).toMatchObject({ status: 404, body: { code: 'REFERENCE_NOT_FOUND' } })
  }
})

it('in a path, a malformed id is 404, and so is an id of another kind', async () => {
  const { agent, owner } = await createActing()
  // Two routes first read the customer in the query string, which these requests lack.
  const needsQuery = /^(DELETE|GET) \/sca\/factors\//
  const places = restPlaces().filter(({ name, isId }) => isId && / :\w+$/.test(name) && !needsQuery.test(name))
  expect(places.length).toBeGreaterThan(80)
  for (const { name, callers, ask } of places) {
    const authorization = callers.includes('agent') ? agent : owner
    const asker = { authorization, own: (kind: CrawledName) => UNKNOWN_NAMES[kind](), address: () => '203.0.113.7' }
    for (const id of ['nonsense', UNKNOWN_NAMES.Request()]) {
      const { status, body } = await ask(asker, id)
      expect({ name, id, status, code: body.code }).toMatchObject({
        status: 404,
        code: expect.stringMatching(/_NOT_FOUND$/),
      })
    }
  }
})

it('a file of the documentation that could not be made is made again for the next request', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const gzip = vi.spyOn(zlib, 'gzip').mockImplementation(() => {
    throw new Error('Out of memory')
  })
  syncBuiltinESMExports()
  const statusOf = async () => (await app.fetch(new Request('http://test/docs/start.js'))).status
  expect(await statusOf()).toBe(500)
  gzip.mockRestore()
  syncBuiltinESMExports()
  written.mockRestore()
  expect(await statusOf()).toBe(200)
})

it('every path without parameters refuses all other methods with 405, and names its own', async () => {
  const { agent, owner } = await createActing()
  const allowed = new Map<string, string[]>()
  for (const [method = '', path = ''] of restRoutes().map((route) => route.split(' ')))
    if (!path.includes(':')) allowed.set(path, [...(allowed.get(path) ?? []), method])
  expect(allowed.size).toBeGreaterThan(40)
  for (const [path, own] of allowed) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !own.includes(each))) {
      const { status, headers } = await callRest(path.startsWith('/agents/me') ? agent : owner, method, path)
      expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, own.join(', ')])
    }
  }
})

it('an existing path needs credentials, whatever the method', async () => {
  for (const method of ['GET', 'DELETE']) {
    expect(await rest(null, '/transactions', { method })).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  }
})

describe('every invalid field is named', () => {
  const input = () => ({
    ...quoteInput(payer.dollars, payer.iban),
    lockedCurrencyAmount: 0,
    remittanceInformation: 'x'.repeat(81),
    description: 7,
  })

  it('over REST', async () => {
    const { status, body } = await send(payer.platform, 'POST', '/quotes', input())
    const amount = { minimum: 1, maximum: 9e15 }
    expect({ status, details: body.details }).toEqual({
      status: 400,
      details: {
        field: 'lockedCurrencyAmount',
        constraint: amount,
        errors: [
          { field: 'lockedCurrencyAmount', message: body.message, constraint: amount },
          { field: 'description', message: expect.stringContaining('description') },
          {
            field: 'remittanceInformation',
            message: expect.stringContaining('remittanceInformation'),
            constraint: { maxLength: 80 },
          },
        ],
      },
    })
  })

  it('over GraphQL, by its path in the input', async () => {
    const { body } = await callGraphQL(
      basic(payer.platform),
      `mutation ($input: CreateQuoteInput!) { createQuote(input: $input) {
        ... on BadRequestError { details { field errors { field message constraint { maxLength } } } }
      } }`,
      {
        input: {
          source: { realtimeFunding: { currency: 'x'.repeat(17) } },
          destination: { accountId: payer.iban },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 1,
          remittanceInformation: 'x'.repeat(81),
        },
      },
    )
    expect(body.data.createQuote.details).toEqual({
      field: 'input.source.realtimeFunding.currency',
      errors: [
        {
          field: 'input.source.realtimeFunding.currency',
          message: expect.any(String),
          constraint: { maxLength: 16 },
        },
        { field: 'input.remittanceInformation', message: expect.any(String), constraint: { maxLength: 80 } },
      ],
    })
  })

  it('with its labels, also if it selects the form of an object', async () => {
    const { body } = await send(payer.platform, 'POST', '/quotes', { ...input(), source: {}, destination: {} })
    expect(body.details.errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ field: 'source.sourceType', constraint: { enum: ['ACCOUNT', 'REALTIME_FUNDING'] } }),
        expect.objectContaining({
          field: 'destination.destinationType',
          constraint: { enum: ['ACCOUNT', 'UMA_ADDRESS'] },
        }),
      ]),
    )
  })

  it('also if there is only one', async () => {
    const { body } = await send(payer.platform, 'POST', '/transfer-out', {
      source: { accountId: payer.dollars },
      destination: { accountId: payer.iban, paymentRail: 'SEPA' },
      amount: 0,
    })
    expect(body.details.errors).toEqual([
      { field: 'amount', message: body.message, constraint: { minimum: 1, maximum: 9e15 } },
    ])
  })

  it('up to twenty of them', async () => {
    const policy = { permissions: Array.from({ length: 30 }, () => 'NONE') }
    const { body } = await send(payer.platform, 'POST', '/agents', { policy })
    expect(body).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(body.details.errors).toHaveLength(20)
  })
})
