// Scenarios of card transactions (docs/domain/transactions.md#card-status-changes).
import type { CardEvent } from './card-ledger.ts'
import { DAY } from './world.ts'

export type CardScenario = {
  weight: number
  /** The events for an authorized amount, each with the seconds since the previous one. */
  events: (amount: bigint) => readonly (readonly [seconds: number, event: CardEvent])[]
  openSeconds?: number
  isCredit?: boolean
  /** Authorized and cleared in one message. */
  isFinancial?: boolean
}

const HOUR = 3_600
const tip = (amount: bigint) => amount + amount / 5n
const clearing = (amount: bigint, isShort = false) => ({ kind: 'clearing', amount, isShort }) as const
const refund = (amount: bigint) => ({ kind: 'return', amount }) as const
const confirmed = [1, { kind: 'confirmed' }] as const

/** The twelve scenarios of the worked table, and some that it does not cover. */
export const CARD_SCENARIOS: readonly CardScenario[] = [
  { weight: 1, openSeconds: 20, events: () => [] },
  { weight: 60, events: (a) => [confirmed, [30 * HOUR, clearing(a)]] },
  { weight: 4, events: (a) => [confirmed, [26 * HOUR, clearing(a)], [5 * DAY, refund(a)]] },
  { weight: 8, events: (a) => [confirmed, [20 * HOUR, clearing(tip(a))]] },
  {
    weight: 1,
    events: (a) => [
      [2, { kind: 'pull-failed' }],
      [30 * HOUR, clearing(a)],
    ],
  },
  { weight: 1, events: (a) => [confirmed, [20 * HOUR, clearing(tip(a), true)]] },
  {
    weight: 3,
    openSeconds: 3 * DAY,
    events: (a) => [confirmed, [22 * HOUR, clearing((a * 2n) / 5n)]],
  },
  {
    weight: 4,
    events: (a) => [confirmed, [22 * HOUR, clearing((a * 2n) / 5n)], [2 * DAY, clearing(a - (a * 2n) / 5n)]],
  },
  {
    weight: 1,
    events: (a) => [confirmed, [22 * HOUR, clearing((a * 2n) / 5n)], [7 * DAY, clearing(0n)]],
  },
  { weight: 2, events: () => [confirmed, [7 * DAY, clearing(0n)]] },
  {
    weight: 2,
    events: (a) => [confirmed, [20 * HOUR, clearing(tip(a))], [4 * DAY, refund(a / 3n)]],
  },
  {
    weight: 1,
    events: (a) => [confirmed, [20 * HOUR, clearing(tip(a))], [4 * DAY, refund(a / 3n)], [DAY, { kind: 'reversal' }]],
  },
  { weight: 5, openSeconds: 30 * HOUR, events: () => [confirmed] },
  { weight: 1, openSeconds: 20 * HOUR, events: () => [[2, { kind: 'pull-failed' }]] },
  { weight: 3, isFinancial: true, events: (a) => [[0, clearing(a)]] },
  { weight: 3, isCredit: true, events: (a) => [[24 * HOUR, clearing(a)]] },
  {
    weight: 1,
    events: (a) => [confirmed, [25 * HOUR, clearing(a)], [3 * DAY, refund(a / 4n)], [2 * DAY, refund(a / 4n)]],
  },
]
