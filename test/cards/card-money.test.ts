// The twelve worked rows of card money (docs/domain/cards.md#card-money), over both APIs, and what the ledger has after each.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { type CardFace, cardFaces, type Simulation } from '#test/setup/cards/card-faces.ts'
import {
  authorized,
  createShopper,
  eventsOf,
  LATER,
  owedTo,
  readTransaction,
  type Shopper,
  simulated,
  summariesOf,
} from '#test/setup/cards/shoppers.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { fundsOf, movementsOf } from '#test/setup/payments/payers.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import { cardUse, createTransactions } from '#test/setup/world.ts'

type Step = readonly [step: Simulation, amount?: number]

interface Row {
  readonly name: string
  readonly authorized: number
  readonly suffix?: string
  readonly balance?: bigint
  readonly steps: readonly Step[]
  readonly status: string
  readonly summaries: string
  /** Null where the field is absent. */
  readonly settled: number | null
  readonly refunded: number | null
  /** How much the spendable and the total balance have fallen. */
  readonly gone: readonly [number, number]
  readonly owed?: number
}

const ROWS: readonly Row[] = [
  {
    name: '1: authorized',
    authorized: 12550,
    steps: [],
    status: 'AUTHORIZED',
    summaries: 'pull 1 12550 1, settled 0 0, refunded 0 0',
    ...{ settled: null, refunded: null, gone: [12550, 0] },
  },
  {
    name: '2: cleared',
    authorized: 12550,
    steps: [['clearing', 12550]],
    status: 'SETTLED',
    summaries: 'pull 1 12550 0, settled 1 12550, refunded 0 0',
    ...{ settled: 12550, refunded: null, gone: [12550, 12550] },
  },
  {
    name: '3: returned',
    authorized: 12550,
    steps: [
      ['clearing', 12550],
      ['return', 12550],
    ],
    status: 'REFUNDED',
    summaries: 'pull 1 12550 0, settled 1 12550, refunded 1 12550',
    ...{ settled: 12550, refunded: 12550, gone: [0, 0] },
  },
  {
    name: '4: cleared with a tip',
    authorized: 1250,
    steps: [['clearing', 1500]],
    status: 'SETTLED',
    summaries: 'pull 2 1500 0, settled 1 1500, refunded 0 0',
    ...{ settled: 1500, refunded: null, gone: [1500, 1500] },
  },
  {
    name: '5: its pull fails',
    authorized: 4200,
    suffix: '006',
    steps: [['clearing', 4200]],
    status: 'EXCEPTION',
    summaries: 'pull 1 0 0, settled 1 4200, refunded 0 0',
    ...{ settled: 4200, refunded: null, gone: [0, 0], owed: 4200 },
  },
  {
    name: '6: the second pull is short',
    authorized: 1250,
    balance: 1300n,
    steps: [['clearing', 1500]],
    status: 'EXCEPTION',
    summaries: 'pull 2 1250 0, settled 1 1500, refunded 0 0',
    ...{ settled: 1500, refunded: null, gone: [1250, 1250], owed: 250 },
  },
  {
    name: '7: cleared in part',
    authorized: 10000,
    steps: [['clearing', 4000]],
    status: 'PARTIALLY_SETTLED',
    summaries: 'pull 1 10000 0, settled 1 4000, refunded 0 0',
    ...{ settled: 4000, refunded: null, gone: [10000, 10000] },
  },
  {
    name: '8: the rest is cleared',
    authorized: 10000,
    steps: [
      ['clearing', 4000],
      ['clearing', 6000],
    ],
    status: 'SETTLED',
    summaries: 'pull 1 10000 0, settled 2 10000, refunded 0 0',
    ...{ settled: 10000, refunded: null, gone: [10000, 10000] },
  },
  {
    name: '9: the rest expires',
    authorized: 10000,
    steps: [
      ['clearing', 4000],
      ['clearing', 0],
    ],
    status: 'SETTLED',
    summaries: 'pull 1 10000 0, settled 1 4000, refunded 0 0',
    ...{ settled: 4000, refunded: null, gone: [4000, 4000] },
  },
  {
    name: '10: all of it expires',
    authorized: 5000,
    steps: [['clearing', 0]],
    status: 'SETTLED',
    summaries: 'pull 1 5000 0, settled 0 0, refunded 0 0',
    ...{ settled: 0, refunded: null, gone: [0, 0] },
  },
  {
    name: '11: a part of 4 is returned',
    authorized: 1250,
    steps: [
      ['clearing', 1500],
      ['return', 500],
    ],
    status: 'REFUNDED',
    summaries: 'pull 2 1500 0, settled 1 1500, refunded 1 500',
    ...{ settled: 1500, refunded: 500, gone: [1000, 1000] },
  },
  {
    name: '12: and the return is reversed',
    authorized: 1250,
    steps: [['clearing', 1500], ['return', 500], ['return_reversal']],
    status: 'SETTLED',
    summaries: 'pull 2 1500 0, settled 1 1500, refunded 0 0',
    ...{ settled: 1500, refunded: 0, gone: [1500, 1500] },
  },
]

const take = async (shopper: Shopper, id: string, steps: readonly Step[], face: CardFace) => {
  for (const [step, amount] of steps) {
    await simulated(shopper, step, { cardTransactionId: id, ...(amount !== undefined && { amount }) }, face)
  }
}

const BALANCE = 20_000n

describe.each(cardFaces)('over $name', (face) => {
  // A pull may or may not have ended before the first clearing. Both lead to the same result.
  it.each([
    ...ROWS.map((row) => ({ ...row, waits: false })),
    ...ROWS.filter(({ steps }) => steps.length > 0).map((row) => ({ ...row, waits: true })),
  ])('row $name, pulls end first: $waits', async (row) => {
    const { balance = BALANCE } = row
    const shopper = await createShopper({ balance })
    const id = await authorized(shopper, row.authorized, row.suffix, face)
    if (row.waits) await passTime(shopper.platform.id, LATER)
    await take(shopper, id, row.steps, face)
    const found = await readTransaction(shopper, id)
    const funds = await fundsOf(shopper.platform, shopper.accountId)
    expect({
      status: found.status,
      summaries: summariesOf(found),
      settled: found.settledAmount?.amount ?? null,
      refunded: found.refundedAmount?.amount ?? null,
      gone: funds.map((left) => Number(balance) - left),
      owed: await owedTo(shopper),
    }).toEqual({
      status: row.status,
      summaries: row.summaries,
      settled: row.settled,
      refunded: row.refunded,
      gone: row.gone,
      owed: row.owed ?? 0,
    })
    expect(found.authorizedAmount).toMatchObject({ amount: row.authorized, currency: { code: 'USD' } })
    expect(found.lastEventAt !== undefined).toBe(row.steps.length > 0)
    expect(found.merchant).toEqual({ descriptor: `COFFEE ${row.suffix ?? 'BAR'}`, mcc: '5814', country: 'US' })
    expect(await eventsOf(shopper, id)).toHaveLength(row.steps.length + 1)
    // A job that runs later finds nothing to do.
    await passTime(shopper.platform.id, LATER)
    if (row.steps.length > 0) expect(await readTransaction(shopper, id)).toEqual(found)
  })

  it('a return to an account that was closed stays in suspense, until it is reversed', async () => {
    const shopper = await createShopper({ balance: 1500n })
    const { platform, accountId, customerId } = shopper
    const id = await authorized(shopper, 1500, undefined, face)
    await take(shopper, id, [['clearing', 1500]], face)
    expect((await callRest(platform, 'DELETE', `/customers/${customerId}`)).status).toBe(200)
    await take(shopper, id, [['return', 500], ['return_reversal']], face)
    expect(await movementsOf(platform, id)).toEqual([
      'PAYMENT: account -1500 USD, OUTSIDE 1500 USD',
      'REFUND: SUSPENSE 500 USD, OUTSIDE -500 USD',
      'PAYMENT: SUSPENSE -500 USD, OUTSIDE 500 USD',
    ])
    expect(await fundsOf(platform, accountId)).toEqual([0, 0])
    expect(await owedTo(shopper)).toBe(0)
  })
})

it('an advice is declined, and a clearing pulls nothing, where the pulls would add up to more than the largest amount', async () => {
  const most = 8e15
  const shopper = await createShopper({ balance: BigInt(most) })
  const id = await authorized(shopper, most, '005')
  const step = (simulation: Simulation, amount: number) =>
    simulated(shopper, simulation, { cardTransactionId: id, amount })
  await step('authorization_advice', 1)
  await step('authorization_advice', 2e15)
  expect(summariesOf(await readTransaction(shopper, id))).toBe(`pull 1 ${most} 1, settled 0 0, refunded 0 0`)
  await step('clearing', 2e15)
  const found = await readTransaction(shopper, id)
  expect([found.status, summariesOf(found)]).toEqual(['EXCEPTION', `pull 2 ${most} 0, settled 1 ${2e15}, refunded 0 0`])
  expect(await fundsOf(shopper.platform, shopper.accountId)).toEqual([most - 1, most - 1])
})

it('an imported transaction that settled in steps of one unit keeps its summaries when it is returned', async () => {
  const shopper = await createShopper()
  const { platform, cardId } = shopper
  const { platformCustomerId } = await db.customer.findFirstOrThrow({ where: { platformId: platform.id } })
  const imported = cardUse({
    cardId: uuidOf(cardId),
    customerId: uuidOf(shopper.customerId),
    platformCustomerId,
    sourceInternalAccountId: uuidOf(shopper.accountId),
    status: 'SETTLED',
    authorizedAmount: 2n,
    settledAmount: 2n,
    settlementCount: 2,
    settlementTotalAmount: 2n,
    pullCount: 2,
    pullTotalAmount: 2n,
    pullPendingCount: 0,
    issuerTransactionToken: 'imported',
  })
  const [row] = await createTransactions(platform, [imported])
  const cardTransactionId = publicId('CardTransaction', `${row?.id}`)
  await simulated(shopper, 'return', { amount: 1, cardTransactionId })
  const found = await readTransaction(shopper, cardTransactionId)
  expect(summariesOf(found)).toBe('pull 2 2 0, settled 2 2, refunded 1 1')
})
