// The scenarios of the demo as SQL rows. Thousands of transactions share a plan.

import { CardLedger } from '../demo/card-ledger.ts'
import { CARD_SCENARIOS } from '../demo/card-scenarios.ts'
import { INCOMING_SCENARIOS } from '../demo/incoming-scenarios.ts'
import type { RefundPlan, Step } from '../demo/life.ts'
import { OUTGOING_SCENARIOS } from '../demo/outgoing-scenarios.ts'

/** Authorized amounts are multiples of this number, so that all parts of a card plan are integers. */
export const SHARES = 60n

/** A plan applies to customers whose number modulo `divisor` is `residue`. See cast.ts. */
type Audience = { divisor: number; residue: number }
const ANYONE: Audience = { divisor: 1, residue: 0 }
const IN_EEA: Audience = { divisor: 2, residue: 1 }
const WITH_AGENT: Audience = { divisor: 10, residue: 0 }
const WITH_DOLLAR_ACCOUNT: Audience = { divisor: 50, residue: 0 }

const plan = (
  type: 'INCOMING' | 'OUTGOING' | 'CARD',
  route: string,
  weight: number,
  isOpen: boolean,
  steps: readonly Step[],
  audience: Audience,
  travels: readonly number[] = steps.map(() => 0),
) => {
  let seconds = 0
  const after = steps.map((step) => {
    seconds += step.after
    return seconds
  })
  return {
    type,
    route,
    weight,
    is_open: isOpen,
    statuses: steps.map(({ to }) => to),
    reasons: steps.map(({ reason }) => reason ?? null),
    after,
    travels,
    ...audience,
  }
}

const refundOf = (refund: RefundPlan | undefined) => ({
  refund_status: refund?.status ?? null,
  refund_reason: refund?.reason ?? null,
  is_cancellation: refund?.isCancellation ?? false,
})

const VALIDITY = { payout: 300, conversion: 300, uma: 60, funded: 900 }

/** Leaves out scenarios for particular customers of the demo. */
const outgoing = OUTGOING_SCENARIOS.filter(({ owner }) => !owner).flatMap((scenario) => {
  const audience =
    scenario.cancelled || scenario.transfer
      ? WITH_DOLLAR_ACCOUNT
      : scenario.sca
        ? IN_EEA
        : scenario.agent
          ? WITH_AGENT
          : ANYONE
  return [...new Set(scenario.routes)].map((route) => {
    const share = scenario.routes.filter((each) => each === route).length / scenario.routes.length
    const validity = VALIDITY[route]
    const steps = scenario.steps(0, validity)
    let travels = 0
    const travelled = scenario.steps(1, validity).map((step, place) => {
      travels += step.after - (steps[place]?.after ?? 0)
      return travels
    })
    return {
      ...plan(
        'OUTGOING',
        route,
        scenario.weight * share,
        scenario.openSeconds !== undefined,
        steps,
        audience,
        travelled,
      ),
      ...refundOf(scenario.refund),
      validity,
      failure_reason: scenario.failure ?? null,
      is_quoted: route !== 'payout' || scenario.quoted === true || scenario.sca === true,
      is_cancelled: scenario.cancelled ?? false,
      by_agent: scenario.agent ?? false,
    }
  })
})

const incoming = INCOMING_SCENARIOS.filter(({ owner }) => !owner).flatMap((scenario) =>
  [...new Set(scenario.routes)].map((route) => {
    const share = scenario.routes.filter((each) => each === route).length / scenario.routes.length
    const audience = route === 'pull' ? WITH_DOLLAR_ACCOUNT : ANYONE
    const isOpen = scenario.openSeconds !== undefined
    return {
      ...plan('INCOMING', route, scenario.weight * share, isOpen, scenario.steps, audience),
      ...refundOf(scenario.refund),
      failure_reason: scenario.failure ?? null,
      is_lookup: !scenario.steps.some(({ to }) => to === 'PENDING'),
      by_agent: scenario.agent ?? false,
    }
  }),
)

const shareOf = (amount: bigint | null) => (amount === null ? null : Number(amount))

const cards = CARD_SCENARIOS.map((scenario) => {
  const ledger = new CardLedger(SHARES, scenario.isCredit)
  const steps: Step[] = scenario.isFinancial ? [] : [{ to: 'AUTHORIZED', after: 0 }]
  let quiet = 0
  for (const [seconds, event] of scenario.events(SHARES)) {
    quiet += seconds
    if (!ledger.apply(event)) continue
    steps.push({ to: ledger.status, after: quiet })
    quiet = 0
  }
  const isOpen = scenario.openSeconds !== undefined
  const { pulls, settlements, refunds } = ledger
  return {
    ...plan('CARD', scenario.isCredit ? 'credit' : 'debit', scenario.weight, isOpen, steps, ANYONE),
    settled_share: shareOf(ledger.settledAmount),
    refunded_share: shareOf(ledger.refundedAmount),
    pull_count: pulls.count,
    pull_share: Number(pulls.total),
    pull_pending: pulls.pending,
    settlement_count: settlements.count,
    settlement_share: Number(settlements.total),
    refund_count: refunds.count,
    refund_share: Number(refunds.total),
  }
})

export const PLANS = [...outgoing, ...incoming, ...cards].map((each, id) => ({
  id: id + 1,
  ...each,
}))

/** Out of a thousand rows. */
const MIX = { OUTGOING: 440, INCOMING: 260, CARD: 300 }

/** The plan id for each thousandth of the rows, for finished or for open plans. */
export const slotsOf = (isOpen: boolean) =>
  (['OUTGOING', 'INCOMING', 'CARD'] as const).flatMap((type) => {
    const plans = PLANS.filter((each) => each.type === type && each.is_open === isOpen)
    const total = plans.reduce((sum, { weight }) => sum + weight, 0)
    let passed = 0
    const ends = plans.map(({ id, weight }) => {
      passed += weight
      return { id, end: (passed / total) * MIX[type] }
    })
    return Array.from({ length: MIX[type] }, (_, slot) => ends.find(({ end }) => slot < end)?.id ?? 1)
  })
