// Adds a transaction with its timeline and its ledger movements.
import { internalAccountId, PLATFORM } from './accounts.ts'
import { addMovement, type Entry, type Side } from './ledger.ts'
import { type Life, momentOf } from './life.ts'
import type { CurrencyCode } from './rates.ts'
import type { TransactionRow, World } from './world.ts'

type Facts = Omit<TransactionRow, 'platformId' | 'status' | 'createdAt' | 'updatedAt'>

export const addTransaction = (world: World, life: Life, facts: Facts) => {
  const { status, createdAt, updatedAt, refund } = life
  const { platformId } = world
  world.rows.transactions.push({ platformId, status, createdAt, updatedAt, ...refund, ...facts })
  life.steps.forEach(({ to, at, reason }, place) => {
    if (place === 0) return
    world.rows.stateChanges.push({
      platformId,
      transactionId: facts.id,
      sequence: place + 1,
      fromStatus: life.steps[place - 1]?.to ?? null,
      toStatus: to,
      at,
      reason: reason ?? null,
    })
  })
  if (facts.type !== 'CARD') addPayment(world, life, facts)
}

/** The money of an outgoing payment leaves at execution, arrives at completion, and returns with a refund. */
const addPayment = (world: World, life: Life, facts: Facts) => {
  const { refundStatus, refundReason, refundSettledAt } = life.refund
  const startedAt = momentOf(life, 'PROCESSING')
  const completedAt = momentOf(life, 'COMPLETED')
  const isOutgoing = facts.type === 'OUTGOING'
  const isCancelled = isOutgoing && refundReason === 'USER_CANCELLATION'
  const transactionId = facts.id
  const moved: Entry[] = []
  if (isOutgoing && startedAt) {
    const entries = departure(world, facts)
    addMovement(world, { kind: 'PAYMENT', at: startedAt, transactionId }, entries)
    moved.push(...entries)
  }
  if (completedAt && !isCancelled) {
    const entries = arrival(facts)
    const kind = isOutgoing || facts.sourceInternalAccountId ? 'PAYMENT' : 'FUNDING'
    addMovement(world, { kind, at: completedAt, transactionId }, entries)
    moved.push(...entries)
  }
  if (refundStatus === 'COMPLETED' && refundSettledAt) {
    const back = moved.map((entry) => ({ ...entry, amount: -entry.amount }))
    addMovement(world, { kind: 'REFUND', at: new Date(refundSettledAt), transactionId }, back)
  }
}

const OUTSIDE: Side = { book: 'OUTSIDE' }
const EXCHANGE: Side = { book: 'EXCHANGE' }
const accountOr = (other: Side, accountId: string | null | undefined): Side => (accountId ? { accountId } : other)

const departure = (world: World, facts: Facts): Entry[] => {
  const currency = facts.sentCurrency ?? ''
  const sent = BigInt(facts.sentAmount ?? 0)
  const fees = BigInt(facts.fees ?? 0)
  const platformFees = BigInt(facts.platformFees ?? 0)
  const platform = { accountId: internalAccountId(world, PLATFORM, currency as CurrencyCode) }
  return [
    { ...accountOr(OUTSIDE, facts.sourceInternalAccountId), currency, amount: -sent },
    { book: 'FEES', currency, amount: fees - platformFees },
    { ...platform, currency, amount: platformFees },
    { ...EXCHANGE, currency, amount: sent - fees },
  ]
}

const arrival = ({ type, receivedAmount, receivedCurrency, ...facts }: Facts): Entry[] => {
  const currency = receivedCurrency ?? ''
  const amount = BigInt(receivedAmount ?? 0)
  const source = type === 'OUTGOING' ? EXCHANGE : accountOr(OUTSIDE, facts.sourceInternalAccountId)
  return [
    { ...source, currency, amount: -amount },
    { ...accountOr(OUTSIDE, facts.destinationInternalAccountId), currency, amount },
  ]
}
