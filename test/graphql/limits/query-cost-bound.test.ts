// The declared cost of a query is never lower than the number of rows it reads.
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { app } from '#app.ts'
import { ITEMS_OF_LIST } from '#graphql/limits/cost.ts'
import { basic } from '#test/setup/faces.ts'
import { randomQuery, type Values } from '#test/setup/fuzz/random-queries.ts'
import { NODES, populate } from '#test/setup/places/mirrored-platforms.ts'
import { rowsReadBy } from '#test/setup/sent-statements.ts'
import { useGraphQLLimits, useSettings } from '#test/setup/settings.ts'
import {
  createAgent,
  createCard,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  type Platform,
} from '#test/setup/world.ts'

// Ten thousand queries in a row exceed the budget of a minute.
useGraphQLLimits({ nodesPerMinute: 1_000_000_000 })
useSettings({ endUserTerms: { version: '1', url: 'https://terms.example' } })

const RUNS = Number(process.env['RANDOM_QUERIES'] ?? 200)

let platform: Platform
let values: Values

beforeAll(async () => {
  platform = await createPlatform()
  const names = await populate(platform, 'x')
  await crowd(names)
  const ids = NODES.flatMap((kind) => names[kind])
  values = {
    'node.id': ids,
    'nodes.ids': [ids.slice(0, 100), ids.slice(100, 150), ids.slice(20, 23), names.Customer, []],
    'transaction.id': [...names.Transaction, ...names.CardTransaction],
    'customer.by': names.Customer.map((id) => ({ id })),
    'agentDeviceCode.code': ['ABCD-EFGH'],
    'queryCost.document': ['{ apiInfo { version } }'],
    'transactionStatistics.startDate': ['2025-09-01', '2025-10-01'],
    'transactionStatistics.endDate': ['2025-10-14', '2025-12-31'],
    'transactionStatistics.interval': ['DAY', 'WEEK', 'MONTH', null],
    'transactionStatistics.groupBy': [[], 'STATUS', ['STATUS'], ['CURRENCY'], ['TYPE', 'DIRECTION', 'CURRENCY']],
    'transactionStatistics.filter': [null, { types: 'OUTGOING', statuses: ['COMPLETED'] }, { currencies: ['USD'] }],
  }
})

/** Unpaged lists have the length that the cost assumes. */
const crowd = async (names: Awaited<ReturnType<typeof populate>>) => {
  for (const group of [0, 1, 2]) {
    const uuidOf = (kind: 'Customer' | 'InternalAccount') => (names[kind][group] ?? '').slice(kind.length + 1)
    const [customerId, accountId] = [uuidOf('Customer'), uuidOf('InternalAccount')]
    for (let more = 1; more < ITEMS_OF_LIST; more += 1) {
      await createCard(platform, { customerId, accountId })
      await createAgent(platform, { customerId })
      await createExternalAccount(platform, { customerId })
      await createInternalAccount(platform, { customerId })
    }
  }
}

interface Body {
  readonly extensions?: { readonly cost: { readonly nodes: number } }
  readonly errors?: readonly {
    readonly message: string
    readonly extensions: { readonly code: string; readonly details?: { readonly reason?: string } }
  }[]
}

const send = async (body: object): Promise<Body> => {
  const headers = { 'content-type': 'application/json', authorization: basic(platform), 'x-query-cost': 'true' }
  const request = new Request('http://test/graphql', { method: 'POST', headers, body: JSON.stringify(body) })
  return (await (await app.fetch(request)).json()) as Body
}

it(`${RUNS} random queries read no more rows than they declare`, { timeout: 1_800_000 }, async () => {
  const totals = { answered: 0, refused: 0, rows: 0, nodes: 0, closest: 0 }
  await fc.assert(
    fc.asyncProperty(fc.gen(), async (choose) => {
      const asked = randomQuery((possibilities) => choose(fc.nat, { max: possibilities - 1 }), values)
      const { rows, result } = await rowsReadBy(() => send(asked))
      const codes = result.errors?.map(({ extensions }) => extensions.details?.reason ?? extensions.code) ?? []
      // The row of the caller's token is not part of the query.
      const read = rows - 1
      if (codes.some((code) => code.startsWith('MAX_'))) {
        expect({ asked, codes, isOne: codes.length === 1, read: Math.max(0, read) }).toEqual({
          asked,
          codes,
          isOne: true,
          read: 0,
        })
        totals.refused += 1
        return
      }
      const nodes = result.extensions?.cost.nodes ?? 0
      expect({ asked, errors: result.errors, nodes, read, isBound: read <= nodes }).toEqual({
        asked,
        errors: undefined,
        nodes,
        read,
        isBound: true,
      })
      totals.answered += 1
      totals.rows += read
      totals.nodes += nodes
      totals.closest = Math.max(totals.closest, read / nodes)
    }),
    { numRuns: RUNS, seed: 20_251_121, endOnFailure: true },
  )
  console.log(
    `${RUNS} queries: ${totals.answered} answered, ${totals.refused} refused; ${totals.rows} rows read of ${totals.nodes} declared, at the closest ${totals.closest.toFixed(2)}, violations 0`,
  )
  expect(totals.answered).toBeGreaterThan(RUNS / 2)
})
