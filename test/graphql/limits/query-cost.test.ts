// The cost of an operation is known before it runs, and limits what one caller may request in a minute.
import {
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql/type/definition.js'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { NODES_OF_READ } from '#graphql/limits/cost.ts'
import type { FieldCost } from '#graphql/limits/field-cost.ts'
import { schema } from '#schema.ts'
import { basic } from '#test/setup/faces.ts'
import { useGraphQLLimits } from '#test/setup/settings.ts'
import { createPlatform, createToken, type Platform } from '#test/setup/world.ts'
import { TRANSACTION_LIFECYCLE_STATUSES } from '#transactions/transaction.ts'

useGraphQLLimits({ nodesPerMinute: 6_000 })

// The budget refills with real time.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => vi.useRealTimers())

let platform: Platform

beforeAll(async () => {
  platform = await createPlatform()
})

interface Cost {
  readonly nodes: number
  readonly maxNodes: number
  readonly remainingNodes: number
  readonly nodesPerMinute: number
}

interface Body {
  readonly data?: { readonly queryCost?: Cost; readonly list?: readonly object[] }
  readonly extensions?: { readonly cost: Cost }
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[]
}

/** The number of objects in a value, at any depth. */
const objectsIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const inside = Object.values(value).reduce((sum: number, each) => sum + objectsIn(each), 0)
  return Array.isArray(value) ? inside : 1 + inside
}

const send = async (caller: Platform | null, body: object, headers: Record<string, string> = {}) => {
  const response = await app.fetch(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(caller && { authorization: basic(caller) }), ...headers },
      body: JSON.stringify(body),
    }),
  )
  return { http: response.status, headers: response.headers, body: (await response.json()) as Body }
}

const DRY_RUN = `query ($document: String!, $operationName: String, $variables: JSON) {
  queryCost(document: $document, operationName: $operationName, variables: $variables) {
    nodes maxNodes remainingNodes nodesPerMinute
  }
}`
const dryRun = (variables: object, caller = platform) => send(caller, { query: DRY_RUN, variables })

const ID = '00000000-0000-7000-8000-000000000000'
const FRAGMENTS = `fragment Full on IncomingTransaction { customer { id } agent { id } }
  fragment Short on CardTransaction { card { id } }`
const YEAR = 'startDate: "2025-01-01", endDate: "2025-12-31", interval: DAY'
const { length: STATUSES } = TRANSACTION_LIFECYCLE_STATUSES

const FIGURES: readonly [reads: number, rows: number, document: string, variables?: object][] = [
  [0, 1, '{ apiInfo { version } viewer { subject } }'],
  [0, 1, '{ __typename }'],
  [0, 1, '{ __schema { queryType { name } } }'],
  [1, 2, `{ __type(name: "Query") { name } customer(by: { id: "Customer:${ID}" }) { name } }`],
  [2, 2, `{ node(id: "Card:${ID}") { ... on Card { customer { name } } ... on Customer { id } } }`],
  [1, 3, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [1, 2, 3] }],
  [2, 4, `{ nodes(ids: ["Card:${ID}", "Card:${ID}"]) { ... on Card { account { id } } } }`],
  [1, 11, '{ transactions(first: 10) { nodes { __typename } } }'],
  [1, 11, '{ transactions(last: 10) { pageInfo { endCursor } } }'],
  [2, 12, '{ transactions(first: 10) { totalCount nodes { __typename } edges { node { __typename } } } }'],
  [1, 21, '{ transactions { nodes { __typename } } }'],
  [1, 21, 'query ($n: Int) { transactions(first: $n) { nodes { __typename } } }', { n: null }],
  [1, 8, 'query ($n: Int = 7) { transactions(first: $n) { nodes { __typename } } }'],
  [1, 4, 'query ($n: Int = 7) { transactions(first: $n) { nodes { __typename } } }', { n: 3 }],
  // Every object inherits members of these names.
  [1, 21, 'query ($constructor: Int) { transactions(first: $constructor) { nodes { __typename } } }'],
  [1, 21, 'query ($__proto__: Int) { transactions(first: $__proto__) { nodes { __typename } } }'],
  [1, 4, 'query ($toString: Int = 3) { transactions(first: $toString) { nodes { __typename } } }'],
  [1, 2, '{ transactions(first: 1) { edges { node { __typename } } } }'],
  // An object has one type: the most expensive one counts.
  [3, 31, `{ transactions(first: 10) { nodes { ...Full ...Short } } } ${FRAGMENTS}`],
  [3, 31, `{ transactions(first: 10) { edges { node { ...Full ...Short } } } } ${FRAGMENTS}`],
  [
    3,
    1 + 2 + 2 * 21 + 2 * 5,
    '{ customers(first: 2) { nodes { cards { nodes { id } } transactions(first: 4) { nodes { __typename } } } } }',
  ],
  [2, 1 + 2 + 2 * 10, '{ transactions(first: 2) { nodes { ... on TransactionNode { timeline { at } } } } }'],
  [0, 1, 'query ($all: Boolean!) { transactions @include(if: $all) { totalCount } }', { all: false }],
  [2, 22, 'query ($all: Boolean!) { transactions @skip(if: $all) { totalCount } }', { all: false }],
  // A refused operation reads nothing.
  [0, 1, '{ transactions(first: 101) { totalCount } }'],
  [0, 1, '{ transactions(first: 1, last: 1) { totalCount } }'],
  [0, 1, 'query ($n: Int) { transactions(first: $n) { totalCount } }', { n: 'ten' }],
  // One for ten days of counters, and one for each group on each day and in the totals.
  [1, 37 + STATUSES * 366, `{ transactionStatistics(${YEAR}, groupBy: [STATUS]) { totals { count } } }`],
  // A single value stands for a list of one.
  [1, 37 + STATUSES * 366, `{ transactionStatistics(${YEAR}, groupBy: STATUS) { totals { count } } }`],
  [
    1,
    37 + 366,
    `query ($f: TransactionStatisticsFilter) { transactionStatistics(${YEAR}, groupBy: [TYPE], filter: $f) { totals { count } } }`,
    { f: { types: 'INCOMING' } },
  ],
  [1, 0, '{ inputConstraints(mutation: "nothing") { field } }'],
  [1, 10, `mutation { deleteAgent(input: { id: "Agent:${ID}" }) { __typename } }`],
  [1, 30, '{ queryCost(document: "") { nodes } }'],
  [1, 31, '{ queryCost(document: "{ __typename }") { nodes } }'],
  [1, 130, 'query ($document: String!) { queryCost(document: $document) { nodes } }', { document: 'x'.repeat(10_000) }],
]

describe('the cost of an operation', () => {
  it.each(FIGURES)('%i reads and %i rows: %s %j', async (reads, rows, document, variables) => {
    const { body } = await dryRun({ document, variables }, await createPlatform())
    expect(body.errors).toBeUndefined()
    const nodes = NODES_OF_READ * reads + rows
    const remainingNodes = 6_000 - NODES_OF_READ - 30 - Math.ceil(document.length / 100)
    expect(body.data?.queryCost).toEqual({ nodes, maxNodes: 5_000, remainingNodes, nodesPerMinute: 6_000 })
  })

  it.each([
    'exchangeRates { exchangeRate }',
    'exchangeRates(sourceCurrency: "USD") { exchangeRate }',
    'exchangeRates(destinationCurrencies: "EUR") { exchangeRate }',
    'exchangeRates(sourceCurrency: "USD", destinationCurrencies: ["EUR", "MXN"]) { exchangeRate }',
    'exchangeRates(sourceCurrency: "USD") { sending { amount } receiving { amount } }',
    'accountRequirements { accountType }',
    'accountRequirements { fields { name } rails { rail } beneficiaries { fields { name } addressFields { name } } }',
    'accountRequirements(currency: "EUR") { accountType }',
    'discoveries { bankName }',
    'discoveries(country: "NG") { bankName }',
    'discoveries(currency: "PHP") { bankName }',
    'errorCatalog { code }',
    'sandboxScenarios { effect }',
    'inputConstraints(mutation: "createExternalAccount") { field constraint { pattern } }',
    'inputConstraints(mutation: "deleteAgent") { field }',
  ])('covers every object of a list without pages: %s', async (field) => {
    const { body } = await send(await createPlatform(), { query: `{ list: ${field} }` }, { 'x-query-cost': 'true' })
    const objects = objectsIn(body.data?.list)
    expect(objects).toBeGreaterThan(0)
    expect(body.extensions?.cost.nodes).toBeGreaterThanOrEqual(objects)
    expect(body.extensions?.cost.nodes).toBeLessThan(2 * objects + 3 * NODES_OF_READ + 10)
  })

  it('counts the items of every list at the root', () => {
    const isNode = (type: GraphQLNamedType) =>
      type.name === 'Node' || (isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node'))
    const free = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ type, extensions }) => {
      const item = getNamedType(type)
      if (!isListType(getNullableType(type)) || !isCompositeType(item)) return false
      const { rows, items } = (extensions['cost'] ?? {}) as FieldCost
      return !isNode(item) && !(rows && items)
    })
    expect(free.map(({ name }) => name)).toEqual([])
  })

  it('is that of the operation named in the request', async () => {
    const document =
      'query One { transactions(first: 1) { totalCount } } query Two { transactions(first: 2) { totalCount } }'
    const nodes = async (operationName?: string) =>
      (await dryRun({ document, operationName })).body.data?.queryCost?.nodes
    expect([await nodes('One'), await nodes('Two'), await nodes()]).toEqual([63, 64, undefined])
  })

  it('is returned for refused operations too', async () => {
    const document = '{ customers(first: 100) { nodes { transactions(first: 100) { totalCount } } } }'
    expect((await dryRun({ document })).body.data?.queryCost?.nodes).toBe(3 * NODES_OF_READ + 1 + 100 + 100 * 102)
  })

  it.each([
    ['document', '{', undefined],
    ['document', '{ nothing }', undefined],
    ['operationName', 'query A { __typename }', 'B'],
  ])('is not returned with an invalid %s: %s', async (field, document, operationName) => {
    const { body } = await dryRun({ document, operationName })
    expect(body.errors?.map(({ extensions }) => extensions)).toEqual([
      expect.objectContaining({ status: 400, code: 'INVALID_INPUT', details: expect.objectContaining({ field }) }),
    ])
  })

  it('is not returned for a document that no caller may send', async () => {
    const { body } = await dryRun({ document: '{ ...F } fragment F on Query { ...F }' })
    expect(body.errors?.[0]?.extensions['code']).toBe('QUERY_TOO_COMPLEX')
  })
})

const page = (first: number) => ({ query: `{ transactions(first: ${first}) { nodes { __typename } } }` })

describe('the response', () => {
  it('has the cost on request', async () => {
    const caller = await createPlatform()
    const { body } = await send(caller, page(10), { 'x-query-cost': 'true' })
    expect(body.extensions?.cost).toEqual({ nodes: 41, maxNodes: 5_000, remainingNodes: 5_959, nodesPerMinute: 6_000 })
    expect((await send(caller, page(10))).body.extensions).toBeUndefined()
  })

  it('has no cost for operations that need no credentials', async () => {
    const { body } = await send(null, { query: '{ apiInfo { version } }' }, { 'x-query-cost': 'true' })
    expect(body).toEqual({ data: { apiInfo: { version: '2025-10-13' } } })
  })
})

describe('the budget of a minute', () => {
  it('limits one token, which then gets 429 until the budget has refilled', async () => {
    const caller = await createPlatform()
    const big = {
      query:
        '{ customers(first: 45) { nodes { ' +
        ['a: cards', 'b: agents', 'c: cards', 'd: agents', 'e: externalAccounts', 'f: internalAccounts']
          .map((list) => `${list}(first: 9) { nodes { id } }`)
          .join(' ') +
        ' } } }',
    }
    // 7 * 30 + 1 + 45 + 45 * 60 = 2,956.
    expect((await send(caller, big)).http).toBe(200)
    expect((await send(caller, big)).http).toBe(200)
    const { http, headers, body } = await send(caller, big)
    expect({ http, retryAfter: headers.get('retry-after'), body }).toEqual({
      http: 429,
      // 2,956 less the remaining 88, at 100 a second.
      retryAfter: '29',
      body: {
        errors: [
          {
            message: 'Too many nodes per minute',
            extensions: {
              status: 429,
              code: 'RATE_LIMITED',
              details: { retryAfterSeconds: 29 },
              traceId: expect.any(String),
            },
          },
        ],
      },
    })
    // A small operation still fits. No other caller has to wait, not even another token of the platform.
    expect((await send(caller, page(1))).http).toBe(200)
    const other = { ...caller, clientId: `${caller.clientId}2` }
    await createToken(caller.id, other, ['VIEW'])
    expect((await send(other, big)).http).toBe(200)
    expect((await send(await createPlatform(), big)).http).toBe(200)
    const again = (await send(caller, big)).headers.get('retry-after')
    expect(again).toBe('29')
    vi.advanceTimersByTime(28_000)
    expect((await send(caller, big)).http).toBe(429)
    vi.advanceTimersByTime(1_100)
    expect((await send(caller, big)).http).toBe(200)
  })

  it('is not spent on refused operations', async () => {
    const caller = await createPlatform()
    const tooMuch = { query: '{ customers(first: 100) { nodes { transactions(first: 100) { totalCount } } } }' }
    for (let time = 0; time < 5; time += 1) expect((await send(caller, tooMuch)).http).toBe(400)
    const { body } = await send(caller, page(1), { 'x-query-cost': 'true' })
    expect(body.extensions?.cost.remainingNodes).toBe(5_968)
  })
})
