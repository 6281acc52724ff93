// A gateway killed at every write and commit while a card is used: a step has either happened completely or not at all, and the next gateway
// continues.
// Own process: stops transactions in its database at their steps.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { eventually } from '#test/setup/agents/acting-agents.ts'
import { cardFaces } from '#test/setup/cards/card-faces.ts'
import { expectConsistent } from '#test/setup/cards/consistency.ts'
import { createShopper, eventsOf, purchase, type Shopper } from '#test/setup/cards/shoppers.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import { type GatewayProcess, startGateway, through } from '#test/setup/gateway-process.ts'
import { waitingOf } from '#test/setup/payments/due-jobs.ts'
import { type KillPoints, openKillPoints, pointsOf } from '#test/setup/payments/kill-points.ts'
import { fundsOf } from '#test/setup/payments/payers.ts'

/** The number of runs that one gateway takes with it. It runs four jobs at once. */
const AT_ONCE = 3
/** The number of kill points, evenly spread. The full campaign sets CRASHES=all. */
const POINTS = process.env['CRASHES'] === 'all' ? Number.POSITIVE_INFINITY : 2 * AT_ONCE

let killPoints: KillPoints
const gateways: GatewayProcess[] = []
const start = async () => {
  const gateway = await startGateway({ DATABASE_POOL_SIZE: String(AT_ONCE + 8) })
  gateways.push(gateway)
  return gateway
}
beforeAll(async () => {
  killPoints = await openKillPoints()
})
afterAll(async () => {
  await killPoints.close()
  await Promise.all(gateways.map((gateway) => gateway.kill()))
})

const find = ({ platform }: Shopper) => db.transaction.findFirst({ where: { platformId: platform.id, type: 'CARD' } })

const isReporting = async ({ platform }: Shopper) =>
  (await waitingOf(platform.id)).some(({ name }) => name === 'reportCardUse')

/** An authorization, the end of its pull, a clearing with a tip and a return. Continues where an earlier call stopped. Throws once `isDown`. */
const live = async (shopper: Shopper, gateway: GatewayProcess, isDown = () => false): Promise<void> => {
  const { platform, cardId } = shopper
  const reach = async (
    what: string,
    holds: (row: Transaction | null) => boolean,
    ask?: (row: Transaction | null) => Promise<unknown>,
  ) => {
    // A report of a dead gateway is taken over after some seconds. It may be of an earlier step.
    const wasReported = async () =>
      !(await eventually(
        () => isReporting(shopper),
        (is) => !is || isDown(),
      ))
    expect([what, (await wasReported()) || (await wasReported())]).toEqual([what, true])
    const row = await find(shopper)
    if (!holds(row)) await ask?.(row)
    const wasSeen = async () =>
      holds(
        await eventually(
          () => find(shopper),
          (row) => holds(row) || isDown(),
        ),
      )
    expect([what, (await wasSeen()) || (await wasSeen())]).toEqual([what, true])
  }
  const face = cardFaces[1] as (typeof cardFaces)[number]
  const simulate = (simulation: 'authorization' | 'clearing' | 'return', input: object) =>
    through(gateway, () => face.simulate(platform, cardId, simulation, input))
  await reach(
    'authorized',
    (row) => row !== null,
    () => simulate('authorization', purchase(1000)),
  )
  await reach('pulled', (row) => row?.pullPendingCount === 0)
  await reach(
    'cleared',
    (row) => row?.settledAmount === 1500n,
    (row) => simulate('clearing', { cardTransactionId: `CardTransaction:${row?.id}`, amount: 1500 }),
  )
  await reach(
    'returned',
    (row) => row?.refundedAmount === 500n,
    (row) => simulate('return', { cardTransactionId: `CardTransaction:${row?.id}`, amount: 500 }),
  )
}

/** All states that a crash may leave: status, settled amount, pulls, and how much the balances have fallen. */
const STATES = [
  'nothing, gone 0 0',
  'AUTHORIZED null 1/1, gone 1000 0',
  'AUTHORIZED null 1/0, gone 1000 1000',
  'SETTLED 1500 2/0, gone 1500 1500',
  'REFUNDED 1500 2/0, gone 1000 1000',
]

const stateOf = async (shopper: Shopper): Promise<string> => {
  const row = await find(shopper)
  const [free, total] = await fundsOf(shopper.platform, shopper.accountId)
  const what = row ? `${row.status} ${row.settledAmount} ${row.pullCount}/${row.pullPendingCount}` : 'nothing'
  return `${what}, gone ${20_000 - free} ${20_000 - total}`
}

// On one Postgres only: the triggers write to a table that the other nodes do not have.
it.skipIf(isDistributed)(
  'a crash leaves a step completed or not started, and the next gateway continues',
  {
    timeout: 3_600_000,
  },
  async () => {
    let gateway = await start()
    const studied = await createShopper()
    const steps = await killPoints.record(studied.platform.id, () => live(studied, gateway))
    expect(await stateOf(studied)).toBe(STATES.at(-1))
    const points = pointsOf(steps)
    const chosen = [
      ...new Set(
        Array.from(
          { length: Math.min(POINTS, points.length) },
          (_, place) =>
            points[Math.round((place * (points.length - 1)) / Math.max(1, Math.min(POINTS, points.length) - 1))],
        ),
      ),
    ].filter((point) => point !== undefined)
    const left = new Map<string, number>()
    for (let first = 0; first < chosen.length; first += AT_ONCE) {
      const group = await Promise.all(
        chosen
          .slice(first, first + AT_ONCE)
          .map(async (point, number) => ({ point, number, shopper: await createShopper() })),
      )
      const stops = group.map(({ point, number, shopper }) => ({
        number,
        platformId: shopper.platform.id,
        stopAt: point.taken,
      }))
      let isDown = false
      await killPoints.arm(stops)
      const lives = group.map(({ shopper }) => live(shopper, gateway, () => isDown).catch(() => 'cut off'))
      await killPoints.allStopped(stops)
      await gateway.kill()
      isDown = true
      await killPoints.letGo()
      await Promise.all(lives)
      await killPoints.settled(gateway)
      await killPoints.disarm()
      for (const { shopper, point } of group) {
        const state = await stateOf(shopper)
        expect([point, STATES.includes(state), state]).toEqual([point, true, state])
        left.set(state, (left.get(state) ?? 0) + 1)
        await expectConsistent(shopper.platform)
      }
      gateway = await start()
      await Promise.all(group.map(({ shopper }) => live(shopper, gateway)))
      for (const { shopper } of group) {
        expect(await stateOf(shopper)).toBe(STATES.at(-1))
        expect(await eventsOf(shopper, `CardTransaction:${(await find(shopper))?.id}`)).toEqual([
          'AUTHORIZED',
          'SETTLED',
          'REFUNDED',
        ])
        await expectConsistent(shopper.platform)
      }
    }
    console.log(`kill points ${chosen.length} of ${points.length}; left ${JSON.stringify(Object.fromEntries(left))}`)
  },
)
