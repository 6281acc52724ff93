// The history of a card transaction that was imported with its summaries alone. The total is divided as evenly as possible.
import type { Transaction as TransactionRow } from '#generated/prisma/client.ts'
import type { CardEvent, CardPull, History } from './history.ts'

/** A history that has these summaries. */
export const restoreHistory = (row: TransactionRow): Pick<History, 'events' | 'pulls'> => ({
  events: eventsOf(row),
  pulls: row.direction === 'CREDIT' ? [] : pullsOf(row),
})

const eventsOf = (row: TransactionRow): CardEvent[] => {
  const authorized = row.authorizedAmount ?? 0n
  const settled = row.settledAmount ?? 0n
  const returns = partsOf(row.refundedAmount ?? 0n, row.refundCount ?? 1)
  const isOver = row.status === 'SETTLED' || row.status === 'REFUNDED'
  return [
    { kind: 'AUTHORIZATION', amount: authorized },
    ...partsOf(settled, row.settlementCount ?? 1).map((amount) => ({ kind: 'CLEARING' as const, amount })),
    // The rest was closed by expiry, not cleared.
    ...(isOver && settled < authorized ? [{ kind: 'CLEARING' as const, amount: 0n }] : []),
    ...returns.map((amount) => ({ kind: 'RETURN' as const, amount })),
    ...(returns.length === 0 && row.refundedAmount !== null ? undone(settled) : []),
  ]
}

/** A return that was reversed. Its amount is no longer known. */
const undone = (amount: bigint): CardEvent[] => [
  { kind: 'RETURN', amount },
  { kind: 'RETURN_REVERSAL', amount },
]

const pullsOf = (row: TransactionRow): CardPull[] => {
  const total = row.pullTotalAmount ?? 0n
  const settled = row.settledAmount ?? 0n
  const count = row.pullCount ?? (total > 0n ? 1 : 0)
  const hasFailed = count > 0 && (row.status === 'EXCEPTION' || total === 0n)
  const amounts = partsOf(total, hasFailed ? count - 1 : count)
  const isOver = row.status === 'SETTLED' || row.status === 'REFUNDED'
  let surplus = isOver && total > settled ? total - settled : 0n
  const pulls = amounts.map((amount, index): CardPull => {
    const givenBack = surplus < amount ? surplus : amount
    surplus -= givenBack
    const isPending = index >= amounts.length - (row.pullPendingCount ?? 0)
    return { status: isPending ? 'PENDING' : 'CONFIRMED', amount, givenBack }
  })
  const missing = settled > total ? settled - total : (row.authorizedAmount ?? 1n)
  return hasFailed ? [...pulls, { status: 'FAILED', amount: missing > 0n ? missing : 1n, givenBack: 0n }] : pulls
}

/** The amount in this number of parts, none of them zero. */
const partsOf = (amount: bigint, count: number): bigint[] => {
  if (amount === 0n) return []
  const parts = BigInt(Math.max(1, count)) <= amount ? Math.max(1, count) : 1
  const part = amount / BigInt(parts)
  return Array.from({ length: parts }, (_, index) => (index === 0 ? amount - part * BigInt(parts - 1) : part))
}
