// Responses to a platform do not depend on the data of others: neither rows, nor pages, nor totals.
import { beforeAll, expect, it } from 'vitest'
import { app } from '#app.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { basic } from '#test/setup/faces.ts'
import { GROUPS, nameOf, populate, umaAddressOf } from '#test/setup/places/mirrored-platforms.ts'
import { useGraphQLLimits } from '#test/setup/settings.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

// The queries exceed the limits of a caller.
useGraphQLLimits({ maxDepth: 1_000, maxNodes: 1_000_000_000, nodesPerMinute: 1_000_000_000 })

let ours: Platform
let theirs: Platform
let before: readonly string[]

beforeAll(async () => {
  ours = await createPlatform()
  const ourIds = new Map<string, string>()
  await populate(ours, 'shared', ourIds)
  before = await everythingOurs()
  // Another platform may have rows with the same UUIDs.
  await populate(await createPlatform(), 'twin', ourIds)
  theirs = await createPlatform()
  // The same names, addresses, references and times as ours, and some others.
  await populate(theirs, 'shared')
  await populate(theirs, 'only-theirs')
})

it('the same name identifies a different customer on each platform', async () => {
  for (const platform of [ours, theirs]) {
    const by = { platformCustomerId: nameOf('shared', 3) }
    const { data } = await bodyOf<{ data: { customer: { id: string } } }>(platform, overGraphQL(CUSTOMER, { by }))
    const id = uuidOf(data.customer.id)
    expect(await db.customer.count({ where: { platformId: platform.id, id } })).toBe(1)
  }
})

it("our pages, totals and cursors are the same bytes with and without another platform's rows", async () => {
  const after = await everythingOurs()
  const differing = after.flatMap((answer, index) => (answer === before[index] ? [] : [[before[index], answer]]))
  console.log(`queries ${after.length}, differing ${differing.length}`)
  expect(after.filter((answer) => answer.includes('"errors"'))).toEqual([])
  expect(differing).toEqual([])
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
const CUSTOMER = 'query ($by: CustomerLookup!) { customer(by: $by) { id name internalAccounts { nodes { id } } } }'
const CUSTOMERS = `query ($filter: CustomerFilter) { customers(filter: $filter) { ${PAGE} } }`
const LIST = `query ($filter: TransactionFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder! = DESC) {
  transactions(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ${PAGE} }
}`
const NESTED = `query ($filter: TransactionFilter) {
  customers(first: 100) {
    nodes {
      transactions(filter: $filter) { ${PAGE} }
      internalAccounts { nodes { transactions(filter: $filter) { ${PAGE} } } }
      externalAccounts { nodes { transactions(filter: $filter) { ${PAGE} } } }
      agents { nodes { transactions(filter: $filter) { ${PAGE} } } }
    }
  }
}`

const LINKS = `{
  transactions(first: 100) {
    nodes {
      ... on TransactionNode { id customer { name } timeline { to reason } ledgerMovements { kind entries { account { id } book } } }
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
    nodes { name internalAccounts { nodes { ...OfAccount } } externalAccounts { nodes { ...OfAccount } } cards { nodes { last4 } } agents { nodes { name } } }
  }
}
fragment OfAccount on Account {
  customer { name }
  ... on InternalAccount { balance { amount } cards { nodes { last4 } } }
  ... on ExternalAccount { accountInfo { ... on UsdAccountInfo { bankName } } }
}`

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

/** Status, headers and body as one text, without the parts that differ for every request. */
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

/** The responses to every possible read: pages in both directions, every filter, every link, over both APIs. */
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
