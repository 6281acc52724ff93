// An agent's usage of its limits. Days and months start at 00:00 UTC.

import type { LockedAgent } from '#agents/lock.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Usage } from './policy.ts'

interface Counted extends Usage {
  /** The day of the counters: `YYYY-MM-DD`, or a date as Prisma reads it. */
  readonly usageDay: string | Date
}

const dayOf = (time: string | Date) => (typeof time === 'string' ? time : time.toISOString()).slice(0, 10)
const monthOf = (time: string | Date) => dayOf(time).slice(0, 7)

/**
 * The usage in the current day and month. Counters of an earlier day or month read as zero. Counters of a later one are kept, because a
 * clock may lag.
 */
export const usageOf = (counted: Counted, now = new Date()): Usage => {
  const isOfToday = dayOf(counted.usageDay) >= dayOf(now)
  const isOfThisMonth = monthOf(counted.usageDay) >= monthOf(now)
  return {
    dailyTransactionCount: isOfToday ? counted.dailyTransactionCount : 0,
    dailySpend: isOfToday ? counted.dailySpend : 0n,
    monthlySpend: isOfThisMonth ? counted.monthlySpend : 0n,
  }
}

/** `YYYY-MM-DD`. */
export const nextDay = (now = new Date()): string =>
  dayOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)))

/** `YYYY-MM`. */
export const nextMonth = (now = new Date()): string =>
  monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)))

/** A spend never exceeds the largest amount. No limit is above that, so every limit is then used up, as it would be without the cap. */
export const cappedSpend = (spend: bigint): bigint => (spend > MAX_AMOUNT ? MAX_AMOUNT : spend)

/** Adds one transaction to the usage. `spend` is in the currency of the limits. */
export const chargeUsage = async (tx: Tx, agent: LockedAgent, spend: bigint): Promise<void> => {
  const usage = usageOf(agent, agent.lockedAt)
  const day = dayOf(agent.usageDay) > dayOf(agent.lockedAt) ? agent.usageDay : agent.lockedAt
  await tx.agent.update({
    where: { platformId_id: { platformId: agent.platformId, id: agent.id } },
    data: {
      usageDay: new Date(dayOf(day)),
      dailyTransactionCount: usage.dailyTransactionCount + 1,
      dailySpend: cappedSpend(usage.dailySpend + spend),
      monthlySpend: cappedSpend(usage.monthlySpend + spend),
    },
    select: { id: true },
  })
}
