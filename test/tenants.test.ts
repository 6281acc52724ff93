// A platform sees nothing of another: neither its rows, nor that they exist, nor how many they are.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { db } from '#core/db.ts'
import { publicId } from '#core/ids.ts'
import { basic } from './setup/faces.ts'
import {
  GROUPS,
  type Name,
  type Names,
  NODES,
  nameOf,
  populate,
  UNKNOWN,
  umaAddressOf,
  unknownId,
} from './setup/mirrored-platforms.ts'
import { createPlatform, type Platform } from './setup/world.ts'

// They ask for more at once than a caller may.
vi.hoisted(() => {
  process.env['GRAPHQL_LIMITS'] = 'maxDepth=1000,maxNodes=1000000000,nodesPerMinute=1000000000'
})

let ours: Platform
let theirs: Platform
let before: readonly string[]
let foreign: Names
let theirIds: readonly string[]

beforeAll(async () => {
  ours = await createPlatform()
  const ourIds = new Map<string, string>()
  await populate(ours, 'shared', ourIds)
  before = await everythingOurs()
  // Nothing keeps another platform from having rows with the very same uuids.
  await populate(await createPlatform(), 'twin', ourIds)
  theirs = await createPlatform()
  // The same names, addresses, references and times as ours, and some that only they have.
  const mirrored = await populate(theirs, 'shared')
  foreign = await populate(theirs, 'only-theirs')
  foreign.cursor = await cursorsOf(theirs)
  theirIds = [mirrored, foreign].flatMap((names) => NODES.flatMap((kind) => names[kind].map(uuidOf)))
})

it('every type of node is tried', async () => {
  const introspection = '{ __type(name: "Node") { possibleTypes { name } } }'
  const { data } = await bodyOf<{ data: { __type: { possibleTypes: { name: string }[] } } }>(
    ours,
    overGraphQL(introspection, {}),
  )
  const kinds = NODES.flatMap((kind) =>
    kind === 'Transaction' ? ['IncomingTransaction', 'OutgoingTransaction'] : [kind],
  )
  expect(kinds.toSorted()).toEqual(data.__type.possibleTypes.map(({ name }) => name).toSorted())
})

it('the same name means to each platform its own customer', async () => {
  for (const platform of [ours, theirs]) {
    const by = { platformCustomerId: nameOf('shared', 3) }
    const { data } = await bodyOf<{ data: { customer: { id: string } } }>(platform, overGraphQL(CUSTOMER, { by }))
    const id = uuidOf(data.customer.id)
    expect(await db.customer.count({ where: { platformId: platform.id, id } })).toBe(1)
  }
})

it('our pages, totals and cursors are the same bytes with and without the rows of another platform', async () => {
  const after = await everythingOurs()
  const differing = after.filter((answer, index) => answer !== before[index])
  console.log(`queries ${after.length}, differing ${differing.length}`)
  expect(after.filter((answer) => answer.includes('"errors"'))).toEqual([])
  expect(differing).toEqual([])
})

describe('an id of another platform is answered like an unknown one, to the byte', () => {
  const total = { tried: 0, leaked: 0, distinguishable: 0 }

  it.each(TRIES)('$place', async ({ names, ask, atMost }) => {
    for (const name of names) {
      for (const value of foreign[name].slice(0, atMost)) {
        const answer = await send(ours, ask(value))
        const leaked = theirIds.filter((id) => id !== uuidOf(value) && answer.includes(id))
        const toUnknown = await send(ours, ask(UNKNOWN[name]()))
        total.tried += 1
        total.leaked += leaked.length > 0 ? 1 : 0
        total.distinguishable += answer === toUnknown ? 0 : 1
        expect({ value, leaked, answer }).toEqual({ value, leaked: [], answer: toUnknown })
        // The question is a real one: to the owner its answer is another.
        expect(await send(theirs, ask(value))).not.toBe(toUnknown)
      }
    }
  })

  it('and that was tried often', () => {
    const { tried, leaked, distinguishable } = total
    console.log(`foreign ids tried ${tried}, leaked ${leaked}, distinguishable ${distinguishable}`)
    expect(tried).toBeGreaterThanOrEqual(1000)
  })
})

interface Question {
  readonly path: string
  readonly body?: object
}

const overGraphQL = (query: string, variables: object): Question => ({ path: '/graphql', body: { query, variables } })
const overRest = (path: string): Question => ({ path: `/2025-10-13${path}` })
const listOverRest = (parameters: Record<string, string>) =>
  overRest(`/transactions?${new URLSearchParams(parameters)}`)

const PAGE = `totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { __typename } }`
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }'
const NODES_OF = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }'
const TRANSACTION = 'query ($id: ID!) { transaction(id: $id) { __typename } }'
const CUSTOMER = 'query ($by: CustomerLookup!) { customer(by: $by) { id name internalAccounts { id } } }'
const CUSTOMERS = `query ($filter: CustomerFilter) { customers(filter: $filter) { ${PAGE} } }`
const APPROVALS = `query ($filter: AgentApprovalFilter) { agentApprovals(filter: $filter) { ${PAGE} } }`
const LIST = `query ($filter: TransactionFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder! = DESC) {
  transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ${PAGE} }
}`
const NESTED = `query ($filter: TransactionFilter) {
  customers(first: 100) {
    nodes {
      transactions(filter: $filter) { ${PAGE} }
      internalAccounts { transactions(filter: $filter) { ${PAGE} } }
      externalAccounts { transactions(filter: $filter) { ${PAGE} } }
      agents { transactions(filter: $filter) { ${PAGE} } }
    }
  }
}`

const LINKS = `{
  transactions(first: 100) {
    nodes {
      ... on TransactionNode { id customer { name } timeline { to reason } }
      ... on PaymentTransaction {
        agent { name }
        quote { totalSendingAmount transactionId transaction { description } scaChallenge { expiresAt } }
        source { ... on AccountSource { account { ...OfAccount } } }
        destination { ... on AccountDestination { account { ...OfAccount } } }
      }
      ... on CardTransaction { card { last4 } account { ...OfAccount } }
    }
  }
  customers(first: 100) {
    nodes { name internalAccounts { ...OfAccount } externalAccounts { ...OfAccount } cards { last4 } agents { name } }
  }
}
fragment OfAccount on Account {
  customer { name }
  ... on InternalAccount { balance { amount } cards { last4 } }
  ... on ExternalAccount { accountInfo { ... on UsdAccountInfo { bankName } } }
}`

const TRANSACTIONS = ['Transaction', 'CardTransaction'] as const
const PLATFORM = ['PlatformConfig'] as const
const ACCOUNTS = ['InternalAccount', 'ExternalAccount', 'umaAddress'] as const

/** Each filter with what it takes. */
const FILTERS: Record<string, readonly Name[]> = {
  customerId: ['Customer'],
  platformCustomerId: ['platformCustomerId'],
  accountIdentifier: ACCOUNTS,
  senderAccountIdentifier: ACCOUNTS,
  receiverAccountIdentifier: ACCOUNTS,
  reference: ['reference'],
}

interface Try {
  readonly place: string
  readonly names: readonly Name[]
  readonly ask: (value: string) => Question
  readonly atMost?: number
}

/** Every place where a name can be put. */
const TRIES: readonly Try[] = [
  { place: 'node', names: NODES, ask: (id) => overGraphQL(NODE, { id }) },
  { place: 'nodes', names: NODES, ask: (id) => overGraphQL(NODES_OF, { ids: [id, unknownId('Card')(), id] }) },
  { place: 'transaction', names: TRANSACTIONS, ask: (id) => overGraphQL(TRANSACTION, { id }) },
  { place: 'transaction over REST', names: TRANSACTIONS, ask: (id) => overRest(`/transactions/${id}`) },
  { place: 'customer by id', names: ['Customer'], ask: (id) => overGraphQL(CUSTOMER, { by: { id } }) },
  {
    place: 'customer by platformCustomerId',
    names: ['platformCustomerId'],
    ask: (platformCustomerId) => overGraphQL(CUSTOMER, { by: { platformCustomerId } }),
  },
  {
    place: 'search of customers',
    names: ['platformCustomerId'],
    ask: (search) => overGraphQL(CUSTOMERS, { filter: { search } }),
  },
  {
    place: 'umaAddress of customers',
    names: ['umaAddress'],
    ask: (umaAddress) => overGraphQL(CUSTOMERS, { filter: { umaAddress } }),
  },
  ...Object.entries({ ...FILTERS, agentId: ['Agent' as const] }).flatMap(([filter, names]) => [
    { place: filter, names, ask: (value: string) => overGraphQL(LIST, { filter: { [filter]: value } }) },
    {
      place: `${filter} behind customers, accounts and agents`,
      names,
      ask: (value: string) => overGraphQL(NESTED, { filter: { [filter]: value } }),
      atMost: 3,
    },
  ]),
  ...Object.entries(FILTERS).map(([filter, names]) => ({
    place: `${filter} over REST`,
    names,
    ask: (value: string) => listOverRest({ [filter]: value }),
  })),
  // The id that stands for a platform itself.
  ...['customerId', 'platformCustomerId'].flatMap((filter) => [
    {
      place: `${filter} of a platform`,
      names: PLATFORM,
      ask: (id: string) => overGraphQL(LIST, { filter: { [filter]: id } }),
    },
    {
      place: `${filter} of a platform over REST`,
      names: PLATFORM,
      ask: (id: string) => listOverRest({ [filter]: id }),
    },
  ]),
  ...Object.entries({ agentId: ['Agent'], customerId: ['Customer'] } as const).map(([filter, names]) => ({
    place: `${filter} of approvals`,
    names,
    ask: (value: string) => overGraphQL(APPROVALS, { filter: { [filter]: value } }),
  })),
  { place: 'after', names: ['cursor'], ask: (after) => overGraphQL(LIST, { after }) },
  { place: 'before', names: ['cursor'], ask: (before) => overGraphQL(LIST, { before }) },
  { place: 'cursor over REST', names: ['cursor'], ask: (cursor) => listOverRest({ cursor }) },
]

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

/** Status, headers and body as one text, without what is of this request alone. */
const send = async (caller: Platform, { path, body }: Question): Promise<string> => {
  const request = new Request(`http://test${path}`, {
    headers: { authorization: basic(caller), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  const response = await app.fetch(request)
  const lines = [...response.headers].map(([name, value]) => `${name}: ${name === 'x-request-id' ? '' : value}`)
  const text = await response.text()
  return [response.status, ...lines, text.replaceAll(/"traceId":"[^"]+"/g, '"traceId":""')].join('\n')
}

const bodyOf = async <T>(caller: Platform, question: Question) =>
  JSON.parse((await send(caller, question)).split('\n').at(-1) ?? '') as T

interface ListAnswer {
  readonly data: { transactions: { pageInfo: { endCursor: string | null }; edges: { cursor: string }[] } }
}

const cursorsOf = async (platform: Platform) => {
  const { data } = await bodyOf<ListAnswer>(platform, overGraphQL(LIST, { first: GROUPS }))
  return data.transactions.edges.map(({ cursor }) => cursor)
}

/** The answers to everything that we can ask: pages in both directions, every filter, every link, on both faces. */
const everythingOurs = async (): Promise<string[]> => {
  const answers: string[] = []
  const ask = async (question: Question) => answers.push(await send(ours, question))
  for (const sortOrder of ['ASC', 'DESC']) {
    for (let after: string | null = null, pages = 0; pages < 12; pages += 1) {
      const page: Question = overGraphQL(LIST, { first: 7, after, sortOrder })
      await ask(page)
      after = (await bodyOf<ListAnswer>(ours, page)).data.transactions.pageInfo.endCursor
    }
    await ask(overGraphQL(LIST, { last: 7, sortOrder }))
    await ask(listOverRest({ limit: '9', sortOrder: sortOrder.toLowerCase() }))
  }
  const filters: Record<string, string>[] = [
    {},
    { customerId: publicId('PlatformConfig', ours.id) },
    { status: 'COMPLETED' },
    { type: 'OUTGOING' },
    { startDate: '2026-01-01T00:00:03Z', endDate: '2026-01-01T00:00:09Z' },
    ...[0, 3, GROUPS - 1]
      .map((index) => nameOf('shared', index))
      .flatMap((name) => [
        { platformCustomerId: name },
        { reference: name },
        { accountIdentifier: umaAddressOf(name) },
        { senderAccountIdentifier: umaAddressOf(name) },
        { receiverAccountIdentifier: umaAddressOf(name) },
      ]),
  ]
  for (const filter of filters) {
    await ask(overGraphQL(LIST, { filter }))
    await ask(overGraphQL(NESTED, { filter }))
    await ask(listOverRest(filter))
  }
  for (const search of ['s', 'shared', nameOf('shared', 3)]) await ask(overGraphQL(CUSTOMERS, { filter: { search } }))
  await ask(overGraphQL(CUSTOMERS, {}))
  await ask(overGraphQL(LINKS, {}))
  await ask(overGraphQL(CUSTOMER, { by: { platformCustomerId: nameOf('shared', 3) } }))
  return answers
}
