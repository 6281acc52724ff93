// Invalid input: 400, the field, and nothing about the internals.
import { randomBytes, randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

let platform: Platform

beforeAll(async () => {
  platform = await createPlatform()
  await createTransactions(platform, [incoming()])
})

const uuid = randomUUID()
const TRANSFER = `sourceAccountId: "ExternalAccount:${uuid}", destinationAccountId: "InternalAccount:${uuid}"`

/** Each filter with values that it rejects. */
const FILTERS: Record<string, readonly string[]> = {
  customerId: [
    uuid,
    `Customer:${uuid.toUpperCase()}`,
    `customer:${uuid}`,
    `Agent:${uuid}`,
    `Nothing:${uuid}`,
    `:${uuid}`,
    'Customer:',
    `Customer: ${uuid}`,
    ` Customer:${uuid}`,
    `Customer:${uuid} `,
    `Customer:${uuid}\n`,
    `Customer:${uuid}\0`,
    `Customer:${uuid}${'0'.repeat(10_000)}`,
    `Customer:${uuid}' or '1'='1`,
    '{"not":""}',
  ],
  platformCustomerId: ['x'.repeat(256), 'nul\0inside'],
  accountIdentifier: [uuid, `Customer:${uuid}`, 'alice@bank.example', '$', '$@', '$a b@bank.example', '$a@b:999999'],
  senderAccountIdentifier: [`InternalAccount:${uuid.toUpperCase()}`, `$${'a'.repeat(65)}@bank.example`],
  receiverAccountIdentifier: [`ExternalAccount:${uuid},`, '$alice@bank.example\0'],
  reference: ['x'.repeat(256), '\0'],
  startDate: [
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-06-30T23:59:60Z',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '0000-12-31',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01T00:00:00+00:60',
    '1767225600',
    'now',
    'infinity',
  ],
  endDate: ['2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '0000-12-31', 'yesterday'],
}

/** Values that are not in their enum. GraphQL checks them before execution. */
const LABELS: Record<string, readonly string[]> = {
  status: ['completed', 'Completed', 'COMPLETED ', 'AUTHORIZED', 'SETTLED', 'UNKNOWN', '0', '{"not":"COMPLETED"}'],
  type: ['CARD', 'incoming', 'TRANSFER', 'INCOMING,OUTGOING'],
}

const flat = (table: Record<string, readonly string[]>) =>
  Object.entries(table).flatMap(([field, values]) => values.map((value) => ({ field, value })))

describe('GraphQL refuses with 400 and the path of the field', () => {
  const LIST = `query ($filter: TransactionFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder! = DESC) {
    transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { totalCount }
  }`
  const list = (variables: object) => overGraphQL(JSON.stringify({ query: LIST, variables }))

  it.each([...flat(FILTERS), ...flat(LABELS)])('filter $field $value', async ({ field, value }) => {
    await expectRefusal(list({ filter: { [field]: value } }), `filter.${field}`)
  })

  it.each(Object.keys({ ...FILTERS, ...LABELS }))('filter %s of another type', async (field) => {
    for (const value of [{ not: '' }, { in: [] }, [], {}, true, [['x']], 1.5]) {
      await expectRefusal(list({ filter: { [field]: value } }), expect.stringMatching(new RegExp(`^filter.${field}`)))
    }
  })

  it.each([
    ['filter.agentId', { agentId: `Customer:${uuid}` }],
    ['filter.direction', { direction: 'debit' }],
    ['filter.statuses.1', { statuses: ['COMPLETED', 'X'] }],
    ['filter.itemTypes.0', { itemTypes: ['card'] }],
    ['filter.startDate', { startDate: '2026-01-02T00:00:00Z', endDate: '2026-01-01T00:00:00Z' }],
    ['filter.reference', { reference: '' }],
  ])('%s %j', async (field, filter) => {
    await expectRefusal(list({ filter }), field)
  })

  it.each([
    ['first', { first: 0 }],
    ['first', { first: -1 }],
    ['first', { first: 101 }],
    ['first', { first: 1e9 }],
    ['first', { first: 1e12 }],
    ['first', { first: 1.5 }],
    ['first', { first: 'ten' }],
    ['first', { first: '10' }],
    ['first', { first: true }],
    ['first', { first: {} }],
    ['last', { last: 0 }],
    ['last', { last: 101 }],
    ['first', { first: 1, last: 1 }],
    ['first', { first: 1, before: 'x' }],
    ['after', { after: 'x', before: 'x' }],
    ['after', { last: 1, after: 'x' }],
    ['after', { after: '' }],
    ['after', { after: 'x' }],
    ['after', { after: randomBytes(40).toString('base64url') }],
    ['after', { after: 1 }],
    ['before', { before: 'not a cursor \0' }],
    ['sortOrder', { sortOrder: 'desc' }],
    ['sortOrder', { sortOrder: null }],
  ])('%s %j', async (field, variables) => {
    await expectRefusal(list(variables), field)
  })

  it.each([
    ['id', 'query { node(id: "nothing") { id } }'],
    ['id', `query { node(id: "Customer:${uuid.toUpperCase()}") { id } }`],
    ['id', `query { transaction(id: "Customer:${uuid}") { __typename } }`],
    ['id', 'query { node(id: {}) { id } }'],
    ['ids.1', `query { nodes(ids: ["Customer:${uuid}", "Customer"]) { id } }`],
    ['ids', `query { nodes(ids: [${`"Customer:${uuid}"`.repeat(101)}]) { id } }`],
    ['by.id', 'query { customer(by: { id: "nobody" }) { id } }'],
    ['by.platformCustomerId', 'query { customer(by: { platformCustomerId: "" }) { id } }'],
    ['by', 'query { customer(by: {}) { id } }'],
    ['filter.customerType', 'query { customers(filter: { customerType: person }) { totalCount } }'],
    ['filter.region', 'query { customers(filter: { region: "ZZ" }) { totalCount } }'],
    ['filter.search', `query { customers(filter: { search: "${'x'.repeat(255)}" }) { totalCount } }`],
    ['filter.status', 'query { transactions(filter: { status: completed }) { totalCount } }'],
    ['filter.type', 'query { transactions(filter: { type: CARD }) { totalCount } }'],
    ['filter.startDate', 'query { transactions(filter: { startDate: 2026 }) { totalCount } }'],
    ['filter.reference', 'query { transactions(filter: { reference: { not: "" } }) { totalCount } }'],
    ['first', 'query { transactions(first: "ten") { totalCount } }'],
    ['input.amount', `mutation { transferIn(input: { ${TRANSFER}, amount: "12" }) { __typename } }`],
    ['input.amount', `mutation { transferIn(input: { ${TRANSFER}, amount: 9007199254740993 }) { __typename } }`],
    ['variables', 'query { queryCost(document: "{ __typename }", variables: "{}") { nodes } }'],
    ['first', 'query { transactions(first: 1.5) { totalCount } }'],
    [
      'locale',
      'query { transactions { nodes { ... on TransactionNode { amount { formatted(locale: "no locale") } } } } }',
    ],
  ])('%s in the document: %s', async (field, query) => {
    await expectRefusal(overGraphQL(JSON.stringify({ query })), field)
  })

  it.each([
    ['filter.reference', String.raw`"\u0000"`],
    ['filter.reference', String.raw`"half \ud83d"`],
    ['filter.reference', String.raw`"\udc4b half"`],
    ['filter.platformCustomerId', String.raw`"\ud800\ud800"`],
    ['filter.customerId', String.raw`"Customer:\ud800"`],
    ['filter.accountIdentifier', String.raw`"$\udfff@bank.example"`],
    ['filter.startDate', String.raw`"2026-01-01T00:00:00Z\u0000"`],
  ])('text that Postgres cannot store: %s %s', async (path, json) => {
    const field = path.slice('filter.'.length)
    await expectRefusal(
      overGraphQL(`{"query":${JSON.stringify(LIST)},"variables":{"filter":{"${field}":${json}}}}`),
      path,
    )
  })

  it.each<[string, string | undefined, string]>([
    ['a NUL', 'filter.reference', String.raw`"{ transactions(filter: { reference: \"\\u0000\" }) { totalCount } }"`],
    [
      'half a surrogate pair, escaped',
      undefined,
      String.raw`"{ transactions(filter: { reference: \"\\ud83d\" }) { totalCount } }"`,
    ],
    [
      'half a surrogate pair, raw',
      undefined,
      String.raw`"{ transactions(filter: { reference: \"\ud83d\" }) { totalCount } }"`,
    ],
    [
      'half a surrogate pair in a block string',
      undefined,
      String.raw`"{ transactions(filter: { reference: \"\"\"\ud83d\"\"\" }) { totalCount } }"`,
    ],
    ['half a pair as a cursor', undefined, String.raw`"{ transactions(after: \"\ud83d\") { totalCount } }"`],
  ])('%s in the document', async (_name, field, query) => {
    await expectRefusal(overGraphQL(`{"query":${query}}`), field)
  })

  it.each<[string, string?]>([
    ['nonsense'],
    ['{'],
    ['{ nothing }'],
    ['{ transactions { nothing } }'],
    ['{ transactions(nothing: 1) { totalCount } }', 'nothing'],
    ['{ __typename ...F }'],
    ['mutation { nothing }'],
    ['subscription { nothing }'],
    ['{ __typename @nothing }'],
  ])('an operation that the schema does not have: %s', async (query, field) => {
    await expectRefusal(overGraphQL(JSON.stringify({ query })), field)
  })

  it.each([
    '{}',
    '{"query":1}',
    '{"query":""}',
    '{"query":"{__typename}","variables":[]}',
    '{"query":"{__typename}","then":1}',
  ])('a body that is not a request: %s', async (body) => {
    await expectRefusal(overGraphQL(body, GRAPHQL_RESPONSE), undefined)
  })

  it('with HTTP 400 as well for a client that reads GraphQL responses', async () => {
    await expectRefusal(
      overGraphQL(JSON.stringify({ query: LIST, variables: { first: 'ten' } }), GRAPHQL_RESPONSE),
      'first',
    )
    await expectRefusal(
      overGraphQL(JSON.stringify({ query: '{ transactions(first: 1, first: 2) { totalCount } }' }), GRAPHQL_RESPONSE),
      'first',
    )
  })
})

const GRAPHQL_RESPONSE = 'application/graphql-response+json'

describe('REST refuses with 400 and the parameter', () => {
  it.each([...flat(FILTERS), ...flat(LABELS)])('$field=$value', async ({ field, value }) => {
    await expectRefusal(overRest(`/transactions?${field}=${encodeURIComponent(value)}`), field)
  })

  it.each([
    '0',
    '-1',
    '101',
    '1000000000',
    '1e9',
    '1e1',
    '1.5',
    '1.0',
    'ten',
    '+5',
    '0x10',
    '%205',
    '5%20',
    '5%00',
    'NaN',
    '٥',
  ])('limit=%s', async (limit) => {
    await expectRefusal(overRest(`/transactions?limit=${limit}`), 'limit')
  })

  it.each([
    ['sortOrder', 'sortOrder=DESC'],
    ['sortOrder', 'sortOrder=newest'],
    ['cursor', 'cursor=x'],
    ['cursor', `cursor=${randomBytes(40).toString('base64url')}`],
    ['cursor', 'cursor=%00'],
    ['startDate', 'startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z'],
    ['startDate', 'startDate=2026-01-01T00:00:00+01:00'],
    ['reference', 'reference=%00'],
    ['reference', 'reference=%ED%A0%80'],
    ['reference', 'reference=%ED%B0%80half'],
    ['reference', 'reference=%C0%80'],
    ['reference', 'reference=%FF'],
    ['reference', 'reference=%'],
    ['reference', 'reference=50%'],
    ['reference', 'reference=%zz'],
    ['customerId', 'customerId=%ED%A0%80'],
    ['limit', 'limit=1&limit=2'],
    ['limit', 'limit=1&limit=1'],
    ['status', 'status=COMPLETED&status=FAILED'],
    ['limit', 'limit='],
    ['limit', 'limit'],
    ['cursor', 'cursor='],
    ['status', 'status='],
    ['customerId', 'customerId='],
    ['reference', 'reference='],
    ['startDate', 'startDate='],
    ['sortOrder', 'sortOrder='],
    ['limit', '%6Cimit=1&limit=2'],
  ])('%s: %s', async (field, query) => {
    await expectRefusal(overRest(`/transactions?${query}`), field)
  })

  it.each([
    ['status[not]', 'status[not]=COMPLETED'],
    ['customerId[in][]', 'customerId[in][]=x'],
    ['itemTypes', 'itemTypes=CARD'],
    ['unknown', 'unknown=1'],
  ])('a parameter that it does not know: %s', async (field, query) => {
    await expectRefusal(overRest(`/transactions?${query}`), field)
  })

  it('a filter for a country that does not exist', async () => {
    await expectRefusal(overRest('/uma-providers?countryCode=us'), 'countryCode')
  })

  it('and rejects empty pairs', async () => {
    expect(await overRest('/transactions?&&')).toMatchObject({ http: 200, body: { totalCount: 1 } })
  })
})

describe('a path over REST', () => {
  it.each([
    uuid,
    `Transaction:${uuid.toUpperCase()}`,
    `transaction:${uuid}`,
    `Customer:${uuid}`,
    `Nothing:${uuid}`,
    `Transaction:${uuid}%20`,
    `Transaction:${uuid}%00`,
    `Transaction:${uuid}%0A`,
    'Transaction:',
    '%ED%A0%80',
    '%00',
    '%',
    '%zz',
    '..%2F..%2Fetc',
    `Transaction:${'0'.repeat(5_000)}`,
  ])('with the malformed id %s is 404', async (id) => {
    const { http, body } = await overRest(`/transactions/${id}`)
    expect({ http, body }).toEqual({
      http: 404,
      body: { status: 404, code: 'TRANSACTION_NOT_FOUND', message: expect.any(String) },
    })
  })

  it.each(['/nothing', '/transactions/a/b', '/Transactions', '/%00', ''])('%s is 404', async (path) => {
    const { http, body } = await overRest(path)
    expect({ http, body }).toEqual({
      http: 404,
      body: { status: 404, code: 'REFERENCE_NOT_FOUND', message: expect.any(String) },
    })
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('does not accept %s', async (method) => {
    for (const path of ['/transactions', `/transactions/Transaction:${uuid}`]) {
      const { http, body, headers } = await overRest(path, { method })
      expect({ http, body }).toEqual({
        http: 405,
        body: { status: 405, code: 'METHOD_NOT_ALLOWED', message: expect.any(String) },
      })
      expect(headers.get('allow')).toBe('GET')
    }
  })
})

interface Answer {
  readonly http: number
  readonly headers: Headers
  /** The REST body, or the equivalent part of the GraphQL error. */
  readonly body: unknown
}

const overRest = async (path: string, init: RequestInit = {}): Promise<Answer> => {
  const headers = { authorization: basic(platform) }
  const response = await app.fetch(new Request(`http://test/2025-10-13${path}`, { ...init, headers }))
  return { http: response.status, headers: response.headers, body: await response.json() }
}

interface GraphQLBody {
  readonly errors: readonly { message: string; extensions: Record<string, unknown> }[]
}

const overGraphQL = async (body: string, accept = 'application/json'): Promise<Answer> => {
  const headers = { authorization: basic(platform), 'content-type': 'application/json', accept }
  const response = await app.fetch(new Request('http://test/graphql', { method: 'POST', headers, body }))
  const { errors } = (await response.json()) as GraphQLBody
  expect(errors).toHaveLength(1)
  const { message = '', extensions = {} } = errors[0] ?? {}
  const { traceId, ...rest } = extensions
  expect(traceId).toBe(response.headers.get('x-request-id'))
  return { http: response.status, headers: response.headers, body: { ...rest, message } }
}

/** Exactly the specification's error body, with nothing about the internals. */
const expectRefusal = async (answer: Promise<Answer>, field: unknown) => {
  const { http, headers, body } = await answer
  expect(body).toEqual({
    status: 400,
    code: 'INVALID_INPUT',
    message: expect.not.stringMatching(/prisma|postgres|sql|zod|node_modules|undefined/i),
    ...(field === undefined ? {} : { details: expect.objectContaining({ field }) }),
  })
  // GraphQL over HTTP: for a client that reads plain JSON, errors are a normal response.
  expect(http).toBe(isPlainAnswer(headers) ? 200 : 400)
}

/** Only GraphQL's JSON names its charset. */
const isPlainAnswer = (headers: Headers) => headers.get('content-type') === 'application/json; charset=utf-8'
