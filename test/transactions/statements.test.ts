// A request costs a fixed number of SQL statements, whatever the number of rows.
import { beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { graphql } from '#test/gql/index.ts'
import { pagedLists } from '#test/setup/connection.ts'
import { query, rest } from '#test/setup/faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import {
  cardUse,
  createAgent,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createQuote,
  createScaChallenge,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

const ROWS = 100
const SIZES = [5, 50, ROWS]

/** Every edge of a transaction, and one more level of edges behind each. */
const EveryEdge = graphql(/* GraphQL */ `
  query EveryEdge($first: Int!) {
    transactions(first: $first) {
      totalCount
      nodes {
        ... on TransactionNode {
          customer { name }
          timeline { to }
        }
        ... on PaymentTransaction {
          source { ... on AccountSource { account { __typename customer { name } } } }
          destination { ... on AccountDestination { account { __typename customer { name } } } }
          agent { name customer { name } }
          scaChallenge { purpose }
          quote {
            scaChallenge { purpose }
            transaction { id }
            source { ... on AccountSource { account { customer { name } } } }
            destination { ... on AccountDestination { account { customer { name } } } }
          }
        }
        ... on CardTransaction {
          account { customer { name } }
          card { last4 customer { name } account { customer { name } } }
        }
      }
    }
  }
`)

const EveryCustomer = graphql(/* GraphQL */ `
  query EveryCustomer($first: Int!) {
    customers(first: $first) {
      totalCount
      nodes {
        internalAccounts(first: 5) { nodes { id } }
        externalAccounts(first: 5) { nodes { id } }
        cards(first: 5) { nodes { id } }
        agents(first: 5) { nodes { id } }
        transactions(first: 3) { totalCount nodes { __typename } }
      }
    }
  }
`)

const Page = graphql(/* GraphQL */ `query Page { transactions { nodes { __typename } } }`)
const CountedPage = graphql(/* GraphQL */ `query CountedPage { transactions { totalCount nodes { __typename } } }`)
const CustomerPage = graphql(/* GraphQL */ `query CustomerPage { customers { nodes { id } } }`)
const WithCustomer = graphql(/* GraphQL */ `
  query WithCustomer($filter: TransactionFilter) {
    transactions(filter: $filter) { nodes { ... on TransactionNode { customer { name } } } }
  }
`)
const WithIdsOnly = graphql(/* GraphQL */ `
  query WithIdsOnly {
    transactions {
      nodes {
        ... on TransactionNode { customerId }
        ... on PaymentTransaction { agentId quoteId source { ... on AccountSource { accountId } } }
        ... on CardTransaction { cardId accountId }
      }
    }
  }
`)
const WithCards = graphql(/* GraphQL */ `
  query WithCards { transactions { nodes { ... on CardTransaction { card { last4 } } } } }
`)
const Myself = graphql(/* GraphQL */ `query Myself { viewer { subject } apiInfo { version } }`)
const OneCustomer = graphql(/* GraphQL */ `
  query OneCustomer($platformCustomerId: String!) {
    customer(by: { platformCustomerId: $platformCustomerId }) { transactions { totalCount } }
  }
`)
const ListsOfOne = graphql(/* GraphQL */ `
  query ListsOfOne($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Account { transactions { totalCount nodes { __typename } } }
      ... on InternalAccount { cards { nodes { last4 } } }
      ... on Agent { transactions { totalCount nodes { __typename } } }
      ... on Card { transactions { totalCount nodes { id } } }
    }
  }
`)
const Things = graphql(/* GraphQL */ `query Things($ids: [ID!]!) { nodes(ids: $ids) { __typename } }`)

let platform: Platform

const everyEdge = (first: number) => query(platform, EveryEdge, { first })
const everyCustomer = (first: number) => query(platform, EveryCustomer, { first })

beforeAll(async () => {
  platform = await createPlatform()
  for (let index = 0; index < ROWS; index += 4) {
    await Promise.all([0, 1, 2, 3].map((more) => createRow(index + more)))
  }
})

describe('a list with every edge costs the same number of statements for any number of rows', () => {
  it.each([
    // Token, page, count, timelines; two types of accounts, cards, agents, quotes, challenges and payments, some of them
    // again behind a quote or a card (11); the customers behind each of these (8).
    ['transactions', everyEdge, 23],
    // Token, page, count; four lists; the pages of transactions, and their counts.
    ['customers', everyCustomer, 9],
  ] as const)('%s', async (name, ask, expected) => {
    const runs: string[][] = []
    for (const first of SIZES) runs.push(await statementsOf(() => ask(first)))
    const counts = runs.map((statements) => statements.length)
    console.log(`${name}: ${counts.join(', ')} statements for ${SIZES.join(', ')} rows`)
    // A page that pauses has fewer, because what two levels load then becomes one batch.
    expect(Math.max(...counts)).toBeLessThanOrEqual(expected)
    const textsOf = (statements: readonly string[]) => [...new Set(statements)].toSorted()
    for (const statements of runs) expect(textsOf(statements)).toEqual(textsOf(runs[0] ?? []))
  })
})

it.each(pagedLists)(
  'a page of $name costs the same statements for any number of items, each for one platform',
  async (list) => {
    const owner = await createPlatform()
    const timesFrom = (year: number, count: number) =>
      Array.from({ length: count }, (_, hour) => new Date(Date.UTC(year, 0, 1, hour)))
    const few = await list.create(owner, timesFrom(2025, 2))
    const many = await list.create(owner, timesFrom(2026, 9))
    const read = (parent: string, size: number) => () => list.read(owner, [parent], { size, filter: list.filters.one })
    const [first, second] = [await statementsOf(read(few.parent, 2)), await statementsOf(read(many.parent, 9))]
    expect(first.toSorted()).toEqual(second.toSorted())
    const ofTenants = second.filter((text) => !text.includes('from api_tokens token'))
    expect(ofTenants.filter((text) => !/platform_id = \$\d+::uuid/.test(text))).toEqual([])
    expect(ofTenants.filter((text) => /\boffset\b/i.test(text))).toEqual([])
  },
)

describe('what is not selected costs no statement', () => {
  it.each([
    ['a page is one, beside the token', () => query(platform, Page), 2],
    ['totalCount is one more', () => query(platform, CountedPage), 3],
    ['customers without totalCount are one', () => query(platform, CustomerPage), 2],
    ['objects linked from the whole list are read with its page', () => query(platform, WithCustomer), 2],
    [
      'with a filter, linked objects are one more',
      () => query(platform, WithCustomer, { filter: { currency: 'USD' } }),
      3,
    ],
    ['the ids of linked objects are free', () => query(platform, WithIdsOnly), 2],
    ['so is an edge of one type of three', () => query(platform, WithCards), 2],
    ['what the token tells is free', () => query(platform, Myself), 1],
  ] as const)('%s', async (_name, ask, expected) => {
    expect(await statementsOf(ask)).toHaveLength(expected)
  })

  it('agents and cards that no transaction on the page has are not queried', async () => {
    const bare = await createPlatform()
    await createTransactions(bare, [incoming(), outgoing()])
    expect(await statementsOf(() => query(bare, EveryEdge, { first: 5 }))).toHaveLength(4)
  })

  it('over REST a list costs its page and its count, and a transaction one statement', async () => {
    expect(await statementsOf(() => rest(platform, '/transactions'))).toHaveLength(3)
    const [id] = await idsOf('Transaction', 1)
    expect(await statementsOf(() => rest(platform, `/transactions/${id}`))).toHaveLength(2)
  })
})

describe('nodes', () => {
  it('of one kind cost one statement, even for 100 ids', async () => {
    const ids = await idsOf('Customer', 100)
    expect(ids).toHaveLength(100)
    expect(await statementsOf(() => query(platform, Things, { ids }))).toHaveLength(2)
  })

  it('of several kinds cost one statement together', async () => {
    const ids = (await Promise.all(KINDS.map((kind) => idsOf(kind, 10)))).flat()
    expect(ids).toHaveLength(10 * KINDS.length)
    expect(await statementsOf(() => query(platform, Things, { ids }))).toHaveLength(2)
  })
})

it('every statement names the platform for each table it reads, and none uses OFFSET', async () => {
  const ids = (await Promise.all(KINDS.map((kind) => idsOf(kind, 2)))).flat()
  const [customerId = ''] = await idsOf('Customer', 1)
  const customer = await db.customer.findFirstOrThrow({ where: { platformId: platform.id } })
  const [account] = await idsOf('InternalAccount', 1)
  const filters = [
    `customerId=${customerId}`,
    `customerId=PlatformConfig:${platform.id}`,
    `platformCustomerId=${customer.platformCustomerId}`,
    `accountIdentifier=${account}`,
    'senderAccountIdentifier=$payer@bank.example',
    'reference=R',
    'type=INCOMING&status=COMPLETED&startDate=2025-12-31T12:00:00Z&endDate=2026-01-02T12:00:00Z&sortOrder=asc',
  ]
  const statements = await statementsOf(async () => {
    await everyEdge(5)
    await everyCustomer(5)
    for (const filter of filters) await rest(platform, `/transactions?${filter}`)
    await query(platform, Things, { ids })
    await query(platform, OneCustomer, { platformCustomerId: customer.platformCustomerId })
    await query(platform, ListsOfOne, { ids })
  })
  // The look-up of the token finds the platform, and what a caller has spent is inserted under its platform.
  const ofTenants = statements.filter((text) => !/from api_tokens token/.test(text))
  expect(statements.length).toBeGreaterThan(ofTenants.length)
  console.log(`${ofTenants.length} statements on tables of a platform, ${new Set(ofTenants).size} different`)
  const unscoped = ofTenants.filter(
    (text) => count(text, /platform_id = \$\d+::uuid/g) < Math.max(1, count(text, OWNED_TABLE)),
  )
  expect(unscoped).toEqual([])
  expect(statements.filter((text) => /\boffset\b/i.test(text))).toEqual([])
})

it('a page filtered by platformCustomerId looks the customer up once for its rows and its count', async () => {
  const customer = await db.customer.findFirstOrThrow({ where: { platformId: platform.id } })
  const path = `/transactions?platformCustomerId=${customer.platformCustomerId}`
  const statements = await statementsOf(() => rest(platform, path))
  expect(statements.filter((text) => /select id from customers/.test(text))).toHaveLength(1)
})

const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length

/** The places where a statement reads a table with platform data. */
const OWNED_TABLE =
  /\b(?:from|join) (?:customers|internal_accounts|external_accounts|cards|quotes|sca_challenges|agents|transactions|transaction_\w+|\w+_transaction_(?:counts|days))\b/g

const KINDS = [
  'Transaction',
  'CardTransaction',
  'Customer',
  'InternalAccount',
  'ExternalAccount',
  'Card',
  'Quote',
  'ScaChallenge',
  'Agent',
] as const

const idsOf = async (kind: (typeof KINDS)[number], take: number) => {
  const where = { platformId: platform.id }
  const find = {
    Transaction: () => db.transaction.findMany({ where: { ...where, type: { not: 'CARD' } }, take }),
    CardTransaction: () => db.transaction.findMany({ where: { ...where, type: 'CARD' }, take }),
    Customer: () => db.customer.findMany({ where, take }),
    InternalAccount: () => db.internalAccount.findMany({ where, take }),
    ExternalAccount: () => db.externalAccount.findMany({ where, take }),
    Card: () => db.card.findMany({ where, take }),
    Quote: () => db.quote.findMany({ where, take }),
    ScaChallenge: () => db.scaChallenge.findMany({ where, take }),
    Agent: () => db.agent.findMany({ where, take }),
  }[kind]
  return (await find()).map(({ id }) => publicId(kind, id))
}

/** A transaction whose related rows are not shared with any other, so that no cache can hide a statement. */
const createRow = async (index: number) => {
  const owner = await createCustomer(platform)
  const row = {
    customerId: owner.id,
    platformCustomerId: owner.platformCustomerId,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)),
  }
  await createTransactions(platform, [(await [cardRow, outgoingRow, incomingRow][index % 3]?.(row)) ?? row])
}

type Common = { customerId: string; platformCustomerId: string; createdAt: Date }

const internalAccount = async () => {
  const { id } = await createInternalAccount(platform, { customerId: (await createCustomer(platform)).id })
  return id
}
const externalAccount = async () => {
  const { id } = await createExternalAccount(platform, { customerId: (await createCustomer(platform)).id })
  return id
}

const cardRow = async (row: Common) => {
  const customerId = (await createCustomer(platform)).id
  const card = await createCard(platform, { customerId, accountId: await internalAccount() })
  return cardUse({ ...row, cardId: card.id, sourceInternalAccountId: await internalAccount() })
}

const outgoingRow = async (row: Common) => outgoing({ ...row, ...(await paymentParts()), ...(await sides()) })

const incomingRow = async (row: Common) =>
  incoming({
    ...row,
    ...(await paymentParts()),
    sourceType: 'ACCOUNT',
    sourceUmaAddress: null,
    sourceExternalAccountId: await externalAccount(),
    destinationType: 'ACCOUNT',
    destinationUmaAddress: null,
    destinationInternalAccountId: await internalAccount(),
  })

const sides = async () => ({
  sourceType: 'ACCOUNT' as const,
  sourceInternalAccountId: await internalAccount(),
  destinationType: 'ACCOUNT' as const,
  destinationUmaAddress: null,
  destinationExternalAccountId: await externalAccount(),
})

const paymentParts = async () => {
  const quote = await createQuote(platform, { status: 'PENDING_AUTHORIZATION', ...(await sides()) })
  await createScaChallenge(platform, { quoteId: quote.id })
  const agent = await createAgent(platform, { customerId: (await createCustomer(platform)).id })
  return { status: 'PENDING_AUTHORIZATION' as const, quoteId: quote.id, agentId: agent.id }
}
