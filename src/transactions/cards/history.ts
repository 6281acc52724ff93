// The history of a card transaction: what the issuer reported, and the pulls from the funding account. Its status and its three summaries
// are computed from both, and from nothing else (docs/domain/cards.md#card-money).
import { MAX_AMOUNT } from '#core/money.ts'
import type { CARD_TRANSACTION_STATUSES } from '#transactions/transaction.ts'

export type CardTransactionStatus = (typeof CARD_TRANSACTION_STATUSES)[number]

export type CardEventKind = 'AUTHORIZATION' | 'AUTHORIZATION_ADVICE' | 'CLEARING' | 'RETURN' | 'RETURN_REVERSAL'

/** Amounts are in the smallest unit of the card's currency. */
export interface CardEvent {
  readonly kind: CardEventKind
  /** For an advice, the new total. Only a clearing may be zero. */
  readonly amount: bigint
}

export interface CardPull {
  readonly status: 'PENDING' | 'CONFIRMED' | 'FAILED'
  readonly amount: bigint
  /** The part that was not needed. */
  readonly givenBack: bigint
}

export interface History {
  /** A `CREDIT` has no pulls. */
  readonly direction: 'DEBIT' | 'CREDIT'
  /** The steps in order. The first one is the authorization. */
  readonly events: readonly CardEvent[]
  readonly pulls: readonly CardPull[]
}

/** The columns of the transaction. */
export interface Summary {
  readonly status: CardTransactionStatus
  readonly authorizedAmount: bigint
  /** Null before the first clearing. */
  readonly settledAmount: bigint | null
  /** Null before the first return. */
  readonly refundedAmount: bigint | null
  readonly pullCount: number
  readonly pullTotalAmount: bigint
  readonly pullPendingCount: number
  readonly settlementCount: number
  readonly settlementTotalAmount: bigint
  readonly refundCount: number
  readonly refundTotalAmount: bigint
}

export const summaryOf = (history: History): Summary => {
  const { events, pulls } = history
  const clearings = events.filter(({ kind }) => kind === 'CLEARING')
  const live = pulls.filter(({ status }) => status !== 'FAILED')
  const returns = openReturns(events)
  const settled = settledOf(events)
  const refunded = sum(returns)
  return {
    status: statusOf(history),
    authorizedAmount: authorizedOf(events),
    settledAmount: clearings.length > 0 ? settled : null,
    refundedAmount: events.some(({ kind }) => kind === 'RETURN') ? refunded : null,
    pullCount: pulls.length,
    pullTotalAmount: sum(live),
    pullPendingCount: pulls.filter(({ status }) => status === 'PENDING').length,
    settlementCount: clearings.filter(({ amount }) => amount > 0n).length,
    settlementTotalAmount: settled,
    refundCount: returns.length,
    refundTotalAmount: refunded,
  }
}

const statusOf = (history: History): CardTransactionStatus => {
  const { events } = history
  if (openReturns(events).length > 0) return 'REFUNDED'
  const clearings = events.filter(({ kind }) => kind === 'CLEARING')
  if (clearings.length === 0) return 'AUTHORIZED'
  if (owedOf(history) > 0n) return 'EXCEPTION'
  const isOver = clearings.some(({ amount }) => amount === 0n) || settledOf(events) >= authorizedOf(events)
  return isOver ? 'SETTLED' : 'PARTIALLY_SETTLED'
}

/** What the latest authorization or advice allows in total. */
export const authorizedOf = (events: readonly CardEvent[]): bigint =>
  events.filter(({ kind }) => kind === 'AUTHORIZATION' || kind === 'AUTHORIZATION_ADVICE').at(-1)?.amount ?? 0n

const settledOf = (events: readonly CardEvent[]): bigint => sum(events.filter(({ kind }) => kind === 'CLEARING'))

/** The returns that are not reversed. A reversal undoes the latest one. */
export const openReturns = (events: readonly CardEvent[]): readonly CardEvent[] => {
  const open: CardEvent[] = []
  for (const event of events) {
    if (event.kind === 'RETURN') open.push(event)
    if (event.kind === 'RETURN_REVERSAL') open.pop()
  }
  return open
}

/** What the pulls have taken or hold, less what was given back. */
export const coveredOf = (pulls: readonly CardPull[]): bigint =>
  pulls.reduce((total, { status, amount, givenBack }) => (status === 'FAILED' ? total : total + amount - givenBack), 0n)

/** Whether a pull of this amount keeps the total of the pulls within the largest amount. */
export const hasRoomFor = (pulls: readonly CardPull[], amount: bigint): boolean =>
  sum(pulls.filter(({ status }) => status !== 'FAILED')) + amount <= MAX_AMOUNT

/** What was cleared and not pulled. Zero for a credit. */
export const owedOf = ({ direction, events, pulls }: History): bigint => {
  const missing = settledOf(events) - coveredOf(pulls)
  return direction === 'DEBIT' && missing > 0n ? missing : 0n
}

/** What the pulls have taken, or hold, beyond what was cleared. */
export const surplusOf = ({ events, pulls }: History): bigint => {
  const surplus = coveredOf(pulls) - settledOf(events)
  return surplus > 0n ? surplus : 0n
}

const sum = (items: readonly { readonly amount: bigint }[]): bigint =>
  items.reduce((total, { amount }) => total + amount, 0n)
