// Computes the amounts and the ledger of a card authorization and its later events (docs/domain/cards.md#card-money).
import type { TransactionLifecycleStatus } from '#generated/prisma/client.ts'

export type CardEvent =
  | { kind: 'confirmed' | 'pull-failed' | 'reversal' }
  | { kind: 'clearing'; amount: bigint; isShort?: boolean }
  | { kind: 'return'; amount: bigint }

export class CardLedger {
  status: TransactionLifecycleStatus = 'AUTHORIZED'
  settledAmount: bigint | null = null
  refundedAmount: bigint | null = null
  readonly pulls: { count: number; total: bigint; pending: number }
  readonly settlements = { count: 0, total: 0n }
  readonly #authorized: bigint
  readonly #isCredit: boolean
  readonly #returns: bigint[] = []
  #hasFailedPull = false

  /** Empty for a credit, which has no pulls. */
  constructor(authorized: bigint, isCredit = false) {
    this.#authorized = authorized
    this.#isCredit = isCredit
    this.pulls = isCredit ? { count: 0, total: 0n, pending: 0 } : { count: 1, total: authorized, pending: 1 }
  }

  get refunds() {
    return {
      count: this.#returns.length,
      total: this.#returns.reduce((sum, each) => sum + each, 0n),
    }
  }

  /** The net amount taken from the account: confirmed pulls, limited to the cleared amount at the end, minus refunds. */
  get drawn() {
    if (this.#isCredit) return -this.settlements.total
    const pulled = this.pulls.pending > 0 ? 0n : this.pulls.total
    const isOver = this.status === 'SETTLED' || this.status === 'REFUNDED'
    const kept = isOver && this.settlements.total < pulled ? this.settlements.total : pulled
    return kept - this.refunds.total
  }

  /** Applies the event, and returns whether the status and its time change with it. */
  apply(event: CardEvent): boolean {
    switch (event.kind) {
      case 'confirmed':
        this.pulls.pending = 0
        return false
      case 'pull-failed':
        this.pulls.pending = 0
        this.pulls.total = 0n
        this.#hasFailedPull = true
        return false
      case 'clearing':
        this.#clear(event.amount, event.isShort ?? false)
        return true
      case 'return':
        this.#returns.push(event.amount)
        break
      case 'reversal':
        this.#returns.pop()
        break
    }
    this.refundedAmount = this.refunds.total
    this.status = this.#returns.length > 0 ? 'REFUNDED' : 'SETTLED'
    return true
  }

  #clear(amount: bigint, isShort: boolean) {
    this.pulls.pending = 0
    if (amount > 0n) this.settlements.count += 1
    this.settlements.total += amount
    this.settledAmount = this.settlements.total
    const short = this.settlements.total - this.pulls.total
    if (short > 0n && !this.#hasFailedPull && !this.#isCredit) {
      this.pulls.count += 1
      if (isShort) this.#hasFailedPull = true
      else this.pulls.total += short
    }
    if (this.#hasFailedPull) this.status = 'EXCEPTION'
    else if (amount === 0n || this.settlements.total >= this.#authorized) this.status = 'SETTLED'
    else this.status = 'PARTIALLY_SETTLED'
  }
}
