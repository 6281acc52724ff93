// The timeline of a transaction: its status changes and its refund, with their times.
import type { RefundReason, RefundStatus, TransactionLifecycleStatus } from '#generated/prisma/client.ts'
import type { Dice } from './dice.ts'
import { DAY, later, type TransactionRow, type World } from './world.ts'

/** `after` is the number of seconds since the previous step. */
export type Step = { to: TransactionLifecycleStatus; after: number; reason?: string }

export type RefundPlan = {
  status: RefundStatus
  reason: RefundReason | null
  /** A cancelled payment reaches its final status when it is refunded. */
  isCancellation?: boolean
}

export type Life = {
  status: TransactionLifecycleStatus
  createdAt: Date
  updatedAt: Date
  steps: (Step & { at: Date })[]
  refund: Partial<TransactionRow>
}

const REFUND_TAKES = 4 * 3_600

/** An open timeline has just started. A finished one ended within the last 120 days. */
export const live = (
  world: World,
  dice: Dice,
  steps: readonly Step[],
  { openSeconds, plan }: { openSeconds?: number | undefined; plan?: RefundPlan | undefined } = {},
): Life => {
  const takes = steps.reduce((sum, { after }) => sum + after, 0)
  const refundTakes = plan && !plan.isCancellation ? REFUND_TAKES : 0
  const age = openSeconds ? dice.int(5, openSeconds) : finishedAge(dice)
  const createdAt = later(world.ago(age + takes + refundTakes), -dice.int(0, 999) / 1000)
  let at = createdAt
  const dated = steps.map((step) => {
    at = later(at, step.after)
    return { ...step, at }
  })
  const refund = plan ? refundOf(dice, plan, dated) : null
  const moments = [at, refund?.refundInitiatedAt ?? at, refund?.refundSettledAt ?? at]
  return {
    status: dated.at(-1)?.to ?? 'PENDING',
    createdAt,
    updatedAt: new Date(Math.max(...moments.map((date) => date.getTime()))),
    steps: dated,
    refund: refund ?? {},
  }
}

/** A quarter of the transactions are from the last two days. */
const finishedAge = (dice: Dice) => (dice.chance(25) ? dice.int(120, 2 * DAY) : dice.int(DAY / 4, 108 * DAY))

const refundOf = (dice: Dice, plan: RefundPlan, steps: Life['steps']) => {
  const last = steps.at(-1)?.at ?? new Date(0)
  const before = steps.at(-2)?.at ?? last
  const isOver = plan.status !== 'PENDING'
  const initiatedAt =
    plan.isCancellation && isOver ? new Date((before.getTime() + last.getTime()) / 2) : later(last, dice.int(1, 4))
  return {
    refundReference: `RF${dice.base32(10)}`,
    refundInitiatedAt: initiatedAt,
    refundStatus: plan.status,
    refundSettledAt:
      plan.status === 'COMPLETED'
        ? plan.isCancellation
          ? last
          : later(initiatedAt, dice.int(60, REFUND_TAKES - 10))
        : null,
    refundReason: plan.reason,
  } satisfies Partial<TransactionRow>
}

/** The time at which the transaction first reached the status. */
export const momentOf = ({ steps }: Life, status: TransactionLifecycleStatus) =>
  steps.find(({ to }) => to === status)?.at ?? null
