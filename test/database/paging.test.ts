// The paging contract: what a client may rely on in every list.
import { beforeAll, describe, expect, it } from 'vitest'
import { graphql } from '#test/gql/index.ts'
import {
  type Answer,
  type Given,
  inOrder,
  type Page,
  type PagedList,
  pagedLists,
  pageOf,
  type SortOrder,
  type Window,
  walk,
} from '#test/setup/connection.ts'
import { query } from '#test/setup/faces.ts'
import { createCustomers, createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

const IS_FULL = process.env['PAGING'] === 'full'

const ORDERS: readonly SortOrder[] = ['ASC', 'DESC']
/** Page sizes, and a number of items above the largest page. In CI, one list of each face has that many items. */
const ALL = { count: 103, sizes: [20, 100] }
const SOME = { count: 27, sizes: [10, 25] }

/** Creation times: half of them equal, the others shared by four rows each. */
const timesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const minute = index < count / 2 ? 0 : Math.floor(index / 4)
    return new Date(Date.UTC(2025, 9, 13, 23, minute))
  })
const TIMES = timesOf(ALL.count)

/** From the oldest to the newest. */
const FEW_TIMES = TIMES.filter((_, index) => index % 5 === 0)

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Alters each character in two ways, once to a neighbour in the alphabet. The last one has spare bits and is altered in all ways. */
const alterationsOf = (cursor: string) =>
  [...cursor].flatMap((character, position) => {
    const index = BASE64URL.indexOf(character)
    const others = position === cursor.length - 1 ? [...BASE64URL] : [BASE64URL[index ^ 1], BASE64URL[index ^ 32]]
    return others
      .filter((other) => other !== character)
      .map((other) => cursor.slice(0, position) + other + cursor.slice(position + 1))
  })

const malformedFrom = (cursor: string) => [
  '',
  ...Array.from({ length: cursor.length - 1 }, (_, index) => cursor.slice(0, index + 1)),
  ...['A', '=', '==', ' ', '\n', cursor].map((more) => cursor + more),
  ...[' ', 'A', '='].map((more) => more + cursor),
  ...['cursor', 'null', '0', '$', '🦊', '\0', 'A'.repeat(54), 'A'.repeat(5000)],
  JSON.stringify({ createdAt: '2025-10-13T12:00:00.000Z', id: '00000000-0000-0000-0000-000000000000' }),
  Buffer.from('2025-10-13T12:00:00.000Z 00000000-0000-0000-0000-000000000000').toString('base64url'),
]

const chunksOf = <T>(items: readonly T[], size: number) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Walks all pages and checks them against the expected items. */
const expectedPages = (ids: readonly string[], size: number, backward: boolean) => {
  const pages = backward ? chunksOf(ids.toReversed(), size).map((page) => page.toReversed()) : chunksOf(ids, size)
  return pages.map((page, index) => {
    const isFirst = index === 0
    const isLast = index === pages.length - 1
    return { ids: page, hasNextPage: backward ? !isFirst : !isLast, hasPreviousPage: backward ? !isLast : !isFirst }
  })
}

const expectPages = (
  pages: Awaited<ReturnType<typeof walk>>,
  expected: readonly Pick<Page, 'ids'>[],
  totalCount: number,
) => {
  const told = pages.map(({ ids, totalCount }) => ({ ids, totalCount }))
  expect(told, pages[0]?.request).toEqual(expected.map(({ ids }) => ({ ids, totalCount })))
}

const pagingContract = (list: PagedList) => {
  const isGraphQL = list.face === 'GraphQL'
  const place = pagedLists.indexOf(list)
  // All alterations of a cursor are tried in one list of each face, and some in the others: cursors are read in one place.
  const isThorough = IS_FULL || list === pagedLists.find(({ face }) => face === list.face)
  const someOf = <T>(all: readonly T[], count: number) =>
    isThorough ? all : all.filter((_, index) => index % Math.ceil(all.length / count) === 0)
  const { count, sizes } = isThorough ? ALL : SOME
  const directions = isGraphQL ? ['forward', 'backward'] : ['forward']
  /** In CI the lists take turns. */
  const inTurn = <T>(all: readonly T[]) => (isThorough ? all : [all[place % all.length] as T])
  const cursorField = (backward = false) => (isGraphQL ? (backward ? 'before' : 'after') : 'cursor')
  const { one, others, same } = list.filters
  let platform: Platform
  let foreigner: Platform
  let given: Given
  let foreign: Given

  beforeAll(async () => {
    platform = await createPlatform()
    foreigner = await createPlatform()
    given = await list.create(platform, timesOf(count))
    foreign = await list.create(foreigner, FEW_TIMES)
    // Rows next to ours that no page may show.
    if (list.isNested) await list.create(platform, FEW_TIMES)
  })

  const cursorFrom = async (window: Window, caller = platform, from = given) => {
    const { next, request } = await pageOf(list, caller, from, { size: 5, ...window })
    if (!next) throw new Error(`There is no cursor in the answer to ${request}`)
    return next
  }

  const answerTo = async (window: Window) =>
    (await list.read(platform, [given.parent], { size: 5, ...window }))[0] as Answer

  const expectRefusal = async (answer: Promise<Answer>, field = cursorField()) => {
    const { request, refusal } = await answer
    expect(refusal, request).toEqual({ status: 400, code: 'INVALID_INPUT', field })
  }

  describe.each(directions)('%s', (direction) => {
    const backward = direction === 'backward'
    // The other direction has the other order, and so has the next list.
    const orders = isGraphQL && !isThorough ? [ORDERS[(place + Number(backward)) % 2] as SortOrder] : ORDERS
    describe.each(orders)('sortOrder %s', (sortOrder) => {
      it.each(inTurn(sizes))('pages of %i visit every item once, in order', async (size) => {
        const pages = await walk(list, platform, given, { size, backward, sortOrder })
        const expected = expectedPages(inOrder(given.items, sortOrder), size, backward)
        expectPages(pages, expected, count)
        for (const [index, { connection, request }] of pages.entries()) {
          if (!connection) continue
          const { edges, nodes, pageInfo } = connection
          expect(nodes, request).toEqual(edges.map(({ node }) => node))
          expect(pageInfo, request).toEqual({
            hasNextPage: expected[index]?.hasNextPage,
            hasPreviousPage: expected[index]?.hasPreviousPage,
            startCursor: edges[0]?.cursor,
            endCursor: edges.at(-1)?.cursor,
          })
        }
      })

      it.each([9])('walks in pages of %i over the items that the filter admits, and counts them', async (size) => {
        const admitted = given.items.filter(({ isAdmitted }) => isAdmitted)
        const pages = await walk(list, platform, given, { size, backward, sortOrder, filter: one })
        expectPages(pages, expectedPages(inOrder(admitted, sortOrder), size, backward), admitted.length)
      })

      it.skipIf(list.isStream)('rejects a cursor of the other sortOrder', async () => {
        const cursor = await cursorFrom({ sortOrder: sortOrder === 'ASC' ? 'DESC' : 'ASC', backward })
        await expectRefusal(answerTo({ cursor, sortOrder, backward }), cursorField(backward))
      })
    })
  })

  describe.each(inTurn(directions))('the cursor of a page %s', (direction) => {
    const backward = direction === 'backward'

    it('is accepted with a different page size', async () => {
      const cursor = await cursorFrom({ size: 5, backward })
      const { ids, request } = await pageOf(list, platform, given, { size: 30, backward, cursor })
      const all = inOrder(given.items, 'DESC')
      expect(ids, request).toEqual(backward ? all.slice(-35, -5) : all.slice(5, 35))
    })

    it('is rejected on another platform', async () => {
      const cursor = await cursorFrom({ backward }, foreigner, foreign)
      await expectRefusal(answerTo({ cursor, backward }), cursorField(backward))
    })

    it('is rejected with any character changed', async () => {
      const cursor = await cursorFrom({ backward })
      const altered = alterationsOf(cursor)
      expect(altered).toHaveLength((cursor.length - 1) * 2 + 63)
      for (const other of someOf(altered, 5))
        await expectRefusal(answerTo({ cursor: other, backward }), cursorField(backward))
    })

    it('is rejected when truncated, extended, padded or invented', async () => {
      const malformed = malformedFrom(await cursorFrom({ backward }))
      for (const cursor of someOf(malformed, 8))
        await expectRefusal(answerTo({ cursor, backward }), cursorField(backward))
    })
  })

  it('returns 20 items, newest first, by default', async () => {
    const { ids, request } = await pageOf(list, platform, given, {})
    expect(ids, request).toEqual(inOrder(given.items, 'DESC').slice(0, 20))
  })

  it('returns an empty page when there are no items', async () => {
    const lonely = await createPlatform()
    const nothing = await list.create(lonely, [])
    // A platform always has a token.
    const window = nothing.items.length === 0 ? {} : { filter: list.filters.one }
    const { ids, totalCount, next, connection, request } = await pageOf(list, lonely, nothing, window)
    expect({ ids, totalCount, next }, request).toEqual({ ids: [], totalCount: 0, next: null })
    const pageInfo = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }
    if (isGraphQL) expect(connection, request).toEqual({ totalCount: 0, pageInfo, nodes: [], edges: [] })
  })

  it.each([0, -1, 101, 2 ** 31 - 1])('rejects the page size %i', async (size) => {
    await expectRefusal(answerTo({ size }), isGraphQL ? 'first' : 'limit')
    if (isGraphQL) await expectRefusal(answerTo({ size, backward: true }), 'last')
  })

  if (isGraphQL) {
    it('gives each item a cursor that works in both directions', async () => {
      const all = inOrder(given.items, 'DESC')
      const size = isThorough ? 12 : 5
      const { connection } = await pageOf(list, platform, given, { size })
      for (const [index, { cursor }] of (connection?.edges ?? []).entries()) {
        const after = await pageOf(list, platform, given, { size: 2, cursor })
        expect(after.ids, after.request).toEqual(all.slice(index + 1, index + 3))
        const before = await pageOf(list, platform, given, { size: 2, cursor, backward: true })
        expect(before.ids, before.request).toEqual(all.slice(Math.max(0, index - 2), index))
      }
      expect(connection?.edges).toHaveLength(size)
    })

    it('returns an empty page after the last item', async () => {
      const { connection: all } = await pageOf(list, platform, given, { size: 100, backward: true })
      const cursor = all?.edges.at(-1)?.cursor ?? ''
      const { connection, request } = await pageOf(list, platform, given, { cursor })
      const pageInfo = { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null }
      expect(connection, request).toEqual({ totalCount: count, pageInfo, nodes: [], edges: [] })
    })
  }
  it.skipIf(list.isStream)('refuses a cursor made with other filters', async () => {
    const cursor = await cursorFrom({ filter: one })
    for (const filter of others) {
      await expectRefusal(answerTo({ filter, cursor }))
      const reverse = (await pageOf(list, platform, given, { filter, size: 1 })).next
      if (reverse) await expectRefusal(answerTo({ filter: one, cursor: reverse }))
    }
  })

  it('treats a null condition as an absent one, also in a cursor', async () => {
    const none = Object.fromEntries(Object.keys(one ?? {}).map((name) => [name, null]))
    const alike = [
      [one, ...same],
      [undefined, null, {}, none],
    ]
    for (const filters of alike) {
      const { ids } = await pageOf(list, platform, given, { size: 15, filter: filters[0] as typeof one })
      for (const [index, from] of filters.entries()) {
        const cursor = await cursorFrom(from === undefined ? {} : { filter: from })
        for (const to of isThorough ? filters : [filters[(index + 1) % filters.length]]) {
          const page = await pageOf(list, platform, given, {
            size: 10,
            cursor,
            ...(to !== undefined && { filter: to }),
          })
          expect(page.ids, page.request).toEqual(ids.slice(5))
        }
      }
    }
  })

  if (list.isNested) {
    it('gives each parent its own page', async () => {
      const many = [given]
      for (const count of [0, 1, 3, 4, 60]) many.push(await list.create(platform, TIMES.slice(20, 20 + count)))
      const parents = many.map(({ parent }) => parent)
      const windows: (Window & { size: number })[] = [
        { size: 3 },
        { size: 3, backward: true },
        { size: 100, sortOrder: 'ASC' },
      ]
      for (const window of windows.filter(({ backward }) => isGraphQL || !backward)) {
        const answers = await list.read(platform, parents, window)
        const expected = many.map(({ items }) => {
          const ids = inOrder(items, window.sortOrder ?? 'DESC')
          return {
            ids: window.backward ? ids.slice(-window.size) : ids.slice(0, window.size),
            totalCount: items.length,
          }
        })
        const pages = answers.map(({ page }) => ({ ids: page?.ids, totalCount: page?.totalCount }))
        expect(pages, answers[0]?.request).toEqual(expected)
      }
    })

    it("accepts a parent's cursor in that parent's list, and rejects it in the lists of other parents", async () => {
      const cursor = await cursorFrom({})
      const siblings = [await list.create(platform, FEW_TIMES), await list.create(platform, FEW_TIMES)]
      const [first, own, second] = await list.read(
        platform,
        [siblings[0]?.parent ?? '', given.parent, siblings[1]?.parent ?? ''],
        { size: 5, cursor },
      )
      expect(own?.page?.ids, own?.request).toEqual(inOrder(given.items, 'DESC').slice(5, 10))
      for (const answer of [first, second]) await expectRefusal(Promise.resolve(answer as Answer))
    })
  }
}

describe.each(pagedLists)('$name', pagingContract)

const SAME_LIST: Readonly<Record<string, string>> = {
  'GET /transactions': 'Query.transactions',
  'GET /customers': 'Query.customers',
  'GET /cards': 'Query.cards',
  'GET /agents': 'Query.agents',
  'GET /agents/approvals': 'Query.agentApprovals',
  'GET /uma-providers': 'Query.umaProviders',
  'GET /webhooks/events': 'Query.events',
  'GET /webhooks/deliveries': 'Query.webhookDeliveries',
  'GET /tokens': 'Query.apiTokens',
  'GET /documents': 'Query.documents',
  'GET /verifications': 'Query.verifications',
  'GET /stablecoin-provider-accounts': 'Query.stablecoinProviderAccounts',
  'GET /stablecoins': 'Query.stablecoins',
}

it('a list rejects the cursors of all other lists', async () => {
  const platform = await createPlatform()
  const others = []
  for (const list of pagedLists) {
    const given = await list.create(platform, TIMES.slice(0, 10))
    others.push({ list, given, cursor: (await pageOf(list, platform, given, { size: 5 })).next })
  }
  // The same list over both faces, and of the same rows.
  const subject = ({ name }: PagedList) => SAME_LIST[name] ?? name
  for (const [place, { list, given }] of others.entries()) {
    for (const [index, from] of others.entries()) {
      // In CI those at distances of 0, 1, 2, 4, 8 … in the table.
      const distance = Math.abs(index - place)
      if (!IS_FULL && (distance & (distance - 1)) !== 0 && subject(from.list) !== subject(list)) continue
      const [answer] = await list.read(platform, [given.parent], { size: 5, cursor: from.cursor })
      const isOwn = subject(from.list) === subject(list)
      expect(answer?.refusal?.code, `${answer?.request}\nwith a cursor of ${from.list.name}`).toBe(
        isOwn ? undefined : 'INVALID_INPUT',
      )
    }
  }
})

const CustomersWithTransactions = graphql(/* GraphQL */ `
  query CustomersWithTransactions {
    customers(first: 3, sortOrder: ASC) {
      nodes { platformCustomerId transactions(first: 2, sortOrder: ASC) { totalCount nodes { ... on TransactionNode { platformCustomerId createdAt } } } }
    }
  }
`)

it('transactions can be paged for each customer on a page of customers', async () => {
  const platform = await createPlatform()
  const names = ['ada', 'grace', 'joan']
  const lastTimes = (index: number) => TIMES.slice(-1 - 2 * index)
  const customers = await createCustomers(
    platform,
    names.map((platformCustomerId, second) => ({ platformCustomerId, createdAt: new Date(second * 1000) })),
  )
  await createTransactions(
    platform,
    customers.flatMap(({ id: customerId, platformCustomerId }, index) =>
      lastTimes(index).map((createdAt) => incoming({ customerId, platformCustomerId, createdAt })),
    ),
  )
  const { customers: page } = await query(platform, CustomersWithTransactions)
  expect(page?.nodes).toEqual(
    names.map((platformCustomerId, index) => ({
      platformCustomerId,
      transactions: {
        totalCount: lastTimes(index).length,
        nodes: lastTimes(index)
          .slice(0, 2)
          .map((createdAt) => ({ platformCustomerId, createdAt: createdAt.toISOString() })),
      },
    })),
  )
})
