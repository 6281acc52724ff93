// Counts and sums of transactions by time, type, direction, status and currency (docs/domain/transactions.md#statistics).
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { NODES_OF_READ } from '#graphql/limits/cost.ts'
import type { StatisticsQueryVariables } from '#test/gql/graphql.ts'
import { graphql } from '#test/gql/index.ts'
import { type Authorization, callGraphQL, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { basic, query } from '#test/setup/faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import {
  cardUse,
  createCustomer,
  createInternalAccount,
  createPlatform,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'
import { moveTransaction } from '#transactions/transition.ts'

const Statistics = graphql(/* GraphQL */ `
  query Statistics($startDate: Date!, $endDate: Date!, $interval: StatisticsInterval, $groupBy: [StatisticsDimension!]! = [], $filter: TransactionStatisticsFilter) {
    transactionStatistics(startDate: $startDate, endDate: $endDate, interval: $interval, groupBy: $groupBy, filter: $filter) {
      buckets { start type direction status currency { code } count amount { decimal } }
      totals { start type direction status currency { code } count amount { decimal } }
    }
  }
`)

/** The buckets and the totals, each as one line of what is not null. */
const statisticsOf = async (platform: Platform, variables: Partial<StatisticsQueryVariables>) => {
  const { transactionStatistics } = await query(platform, Statistics, {
    startDate: '2025-10-01',
    endDate: '2025-11-30',
    ...variables,
  })
  if (!transactionStatistics) throw new Error('No statistics')
  const lines = (buckets: typeof transactionStatistics.totals) =>
    buckets.map(({ start, type, direction, status, currency, count, amount }) =>
      [start, type, direction, status, currency?.code, count, amount?.decimal]
        .filter((value) => value != null)
        .join(' '),
    )
  return { buckets: lines(transactionStatistics.buckets), totals: lines(transactionStatistics.totals) }
}

const at = (time: string) => ({ createdAt: new Date(time) })

describe('the statistics of a platform', () => {
  let platform: Platform

  beforeAll(async () => {
    platform = await createPlatform()
    const { id: account } = await createInternalAccount(platform)
    await createTransactions(platform, [
      // The last moment of a Sunday in UTC, and the first of a Monday.
      incoming({ ...at('2025-10-12T23:59:59.999Z'), receivedAmount: 100n, sentAmount: 7n, sentCurrency: 'EUR' }),
      incoming({ ...at('2025-10-13T00:00:00.000Z'), receivedAmount: 250n }),
      outgoing({
        ...at('2025-10-13T12:00:00Z'),
        sentAmount: 4_000n,
        sentCurrency: 'JPY',
        receivedAmount: 9n,
        receivedCurrency: 'USD',
      }),
      outgoing({ ...at('2025-10-13T13:00:00Z'), sentAmount: 60n, status: 'PENDING' }),
      cardUse({ ...at('2025-11-30T23:59:59Z'), sourceInternalAccountId: account, authorizedAmount: 450n }),
      outgoing({ ...at('2025-12-01T00:00:00Z'), sentAmount: 1n }),
    ])
    // Transactions of other platforms are never counted.
    await createTransactions(await createPlatform(), [incoming(at('2025-10-13T00:00:00Z'))])
  })

  describe.each(['before', 'after'])('%s the counters are folded', (when) => {
    beforeAll(async () => {
      if (when === 'after') await db.$queryRaw`select fold_transaction_counts()`
    })

    it('count the transactions of each UTC day, including the first and the last day', async () => {
      const { buckets, totals } = await statisticsOf(platform, { interval: 'DAY' })
      expect(buckets).toEqual(['2025-10-12 1', '2025-10-13 3', '2025-11-30 1'])
      expect(totals).toEqual(['5'])
      expect((await statisticsOf(platform, { startDate: '2025-10-13', endDate: '2025-10-13' })).totals).toEqual(['3'])
    })

    it('begin weeks on Monday and months on the first, even if the range begins later', async () => {
      const weeks = await statisticsOf(platform, { interval: 'WEEK', startDate: '2025-10-08' })
      expect(weeks.buckets).toEqual(['2025-10-06 1', '2025-10-13 3', '2025-11-24 1'])
      const months = await statisticsOf(platform, { interval: 'MONTH', startDate: '2025-10-13', endDate: '2025-12-31' })
      expect(months.buckets).toEqual(['2025-10-01 3', '2025-11-01 1', '2025-12-01 1'])
    })

    it('add up what was received, sent or authorized, in each currency', async () => {
      const { buckets, totals } = await statisticsOf(platform, { interval: 'MONTH', groupBy: ['CURRENCY'] })
      expect(buckets).toEqual(['2025-10-01 JPY 1 4000', '2025-10-01 USD 3 4.10', '2025-11-01 USD 1 4.50'])
      expect(totals).toEqual(['JPY 1 4000', 'USD 4 8.60'])
    })

    it('distinguish types, directions and statuses', async () => {
      const { totals, buckets } = await statisticsOf(platform, { groupBy: ['STATUS', 'DIRECTION', 'TYPE', 'TYPE'] })
      expect(totals).toEqual([
        'INCOMING CREDIT COMPLETED 2',
        'OUTGOING DEBIT PENDING 1',
        'OUTGOING DEBIT COMPLETED 1',
        'CARD DEBIT AUTHORIZED 1',
      ])
      expect(buckets).toEqual(totals)
    })

    it('count only what passes the filter', async () => {
      const totalsOf = async (filter: StatisticsQueryVariables['filter']) =>
        (await statisticsOf(platform, { filter })).totals
      expect(await totalsOf({ types: ['INCOMING', 'CARD'] })).toEqual(['3'])
      expect(await totalsOf({ direction: 'DEBIT' })).toEqual(['3'])
      expect(await totalsOf({ statuses: ['PENDING'], types: [] })).toEqual(['1'])
      expect(await totalsOf({ currencies: ['JPY', 'EUR'] })).toEqual(['1'])
      expect(await totalsOf({ currencies: ['jpy'] })).toEqual([])
    })
  })

  it('follow a transaction from one status to the next, and its amount', async () => {
    const [row] = await createTransactions(platform, [
      incoming({ ...at('2025-10-20T00:00:00Z'), receivedAmount: 500n, status: 'CREATED' }),
    ])
    const id = row?.id ?? ''
    const ofDay = async () =>
      (
        await statisticsOf(platform, {
          startDate: '2025-10-20',
          endDate: '2025-10-20',
          groupBy: ['STATUS', 'CURRENCY'],
        })
      ).totals
    expect(await ofDay()).toEqual(['CREATED USD 1 5.00'])
    const key = { platformId_id: { platformId: platform.id, id } }
    await db.transaction.update({ where: key, data: { receivedAmount: 450n, receivedCurrency: 'EUR' } })
    expect(await ofDay()).toEqual(['CREATED EUR 1 4.50'])
    await inTransaction((tx) => moveTransaction(tx, platform.id, id, 'PENDING'))
    expect(await ofDay()).toEqual(['PENDING EUR 1 4.50'])
    await db.transaction.update({ where: key, data: { description: 'another text' } })
    expect(await ofDay()).toEqual(['PENDING EUR 1 4.50'])
    await db.transactionStateChange.deleteMany({ where: { platformId: platform.id, transactionId: id } })
    await db.transaction.delete({ where: key })
    expect(await ofDay()).toEqual([])
  })

  it('are exact beyond the range of an Int64', async () => {
    const rich = await createPlatform()
    const most = 9_000_000_000_000_000n
    await createTransactions(
      rich,
      [1, 2, 3].map(() => incoming({ ...at('2025-10-13T00:00:00Z'), receivedAmount: most })),
    )
    expect((await statisticsOf(rich, { groupBy: ['CURRENCY'] })).totals).toEqual(['USD 3 270000000000000.00'])
    const withAmount = `{ transactionStatistics(startDate: "2025-10-13", endDate: "2025-10-13", groupBy: CURRENCY) {
      totals { count amount { amount decimal } } } }`
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { body } = await callGraphQL(basic(rich), withAmount)
    expect(log).not.toHaveBeenCalled()
    log.mockRestore()
    expect(body.data).toEqual({ transactionStatistics: { totals: [{ count: 3, amount: null }] } })
    expect(body.errors).toMatchObject([{ extensions: { status: 400, code: 'AMOUNT_OUT_OF_RANGE' } }])
  })

  it('cost one statement, whatever the number of rows and groups', async () => {
    const ask = () => statisticsOf(platform, { interval: 'DAY', groupBy: ['TYPE', 'DIRECTION'] })
    const few = await statementsOf(ask)
    const rows = Array.from({ length: 300 }, (_, n) => incoming({ createdAt: new Date(Date.UTC(2025, 9, 1, 5 * n)) }))
    await createTransactions(platform, rows)
    const many = await statementsOf(ask)
    expect(many).toEqual(few)
    expect(many.filter((statement) => statement.includes('platform_transaction_days'))).toHaveLength(1)
  })
})

describe('statistics', () => {
  const TEXT = `query ($startDate: Date!, $endDate: Date!, $interval: StatisticsInterval, $groupBy: [StatisticsDimension!]! = [], $filter: TransactionStatisticsFilter) {
    transactionStatistics(startDate: $startDate, endDate: $endDate, interval: $interval, groupBy: $groupBy, filter: $filter) { totals { count } }
  }`
  const DAY = { startDate: '2025-10-13', endDate: '2025-10-13' }
  const failureOf = async (authorization: Authorization, variables: object) => {
    const { body } = await callGraphQL(authorization, TEXT, { ...DAY, ...variables })
    const { code, details } = body.errors?.[0].extensions ?? {}
    return [code, details?.field ?? details?.reason, body.errors?.[0].message]
  }

  it('need VIEW, and are not for agents', async () => {
    const platform = await createPlatform(['MANAGE', 'TRANSACT'])
    expect(await failureOf(basic(platform), {})).toContain('The API token lacks the permission VIEW')
    const customer = await createCustomer(platform)
    const { authorization } = await createConnectedAgent(platform, { customerId: customer.id })
    expect(await failureOf(authorization, {})).toContain('FORBIDDEN')
  })

  it('refuse a range that is invalid or too long, and say how long it may be', async () => {
    const caller = basic(await createPlatform())
    const tooLong =
      'endDate must be less than 400 days after startDate with interval DAY, and less than 1830 days otherwise'
    const ranges: [object, string, string?][] = [
      [{ endDate: '2025-10-12' }, 'startDate', 'startDate must not be after endDate'],
      [{ endDate: '2026-11-17', interval: 'DAY' }, 'endDate', tooLong],
      [{ endDate: '2030-10-18', interval: 'WEEK' }, 'endDate', tooLong],
      [{ endDate: '2030-10-18' }, 'endDate', tooLong],
      [{ startDate: '2025-02-30' }, 'startDate'],
      [{ startDate: '2025-10-13T00:00:00Z' }, 'startDate'],
      [{ startDate: '0000-12-31', endDate: '0001-01-01' }, 'startDate'],
      [{ filter: { currencies: ['x'.repeat(17)] } }, 'filter.currencies.0'],
    ]
    for (const [range, field, message = expect.any(String)] of ranges)
      expect(await failureOf(caller, range)).toEqual(['INVALID_INPUT', field, message])
    for (const range of [
      { endDate: '2026-11-16', interval: 'DAY' },
      { endDate: '2030-10-16', interval: 'MONTH' },
      { startDate: '0001-01-01', endDate: '0001-01-01', interval: 'WEEK' },
      { startDate: '9999-12-31', endDate: '9999-12-31', interval: 'MONTH' },
    ])
      expect(await failureOf(caller, range)).toEqual([undefined, undefined, undefined])
  })

  it('cost a node for each possible group, so that many need a filter', async () => {
    const caller = basic(await createPlatform())
    const costOf = async (variables: object) => {
      const query = `query ($document: String!, $variables: JSON) { queryCost(document: $document, variables: $variables) { nodes } }`
      const { body } = await callGraphQL(caller, query, { document: TEXT, variables: { ...DAY, ...variables } })
      return body.data.queryCost.nodes
    }
    const month = { startDate: '2025-10-01', endDate: '2025-10-30', interval: 'DAY' }
    expect(await costOf({})).toBe(NODES_OF_READ + 1 + 1)
    expect(await costOf(month)).toBe(NODES_OF_READ + 3 + 31)
    expect(await costOf({ ...month, groupBy: ['STATUS', 'CURRENCY'] })).toBe(NODES_OF_READ + 3 + 31 * 13 * 10)
    const filter = { statuses: ['COMPLETED', 'FAILED'], currencies: ['USD'] }
    expect(await costOf({ ...month, groupBy: ['STATUS', 'CURRENCY'], filter })).toBe(NODES_OF_READ + 3 + 31 * 2)
    const year = { startDate: '2025-01-01', endDate: '2025-12-31', interval: 'DAY', groupBy: ['STATUS', 'CURRENCY'] }
    expect(await failureOf(caller, year)).toEqual(['QUERY_TOO_COMPLEX', 'MAX_NODES', expect.any(String)])
    expect(await failureOf(caller, { ...year, filter })).toEqual([undefined, undefined, undefined])
  })
})
