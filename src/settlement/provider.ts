// The interface of a settlement provider, which moves money beyond our ledger. It reports results through payment-outcomes.ts.
import type { Tx } from '#database/unit-of-work.ts'
import type { InternalAccount, Transaction } from '#generated/prisma/client.ts'
import type { DepositNetwork } from './deposit-address.ts'
import type { LightningPayment } from './lightning-invoice.ts'

/** Fields of `accountOrWalletInfo` besides its type. */
export type AccountFields = Readonly<Record<string, string | readonly string[]>>

export interface SettlementProvider {
  /**
   * Takes over a payment that has just become `PROCESSING`. `tx` is the database transaction that debits its source: schedule the
   * work as a job in it, and call nobody from here.
   */
  carry(tx: Tx, payment: Transaction): Promise<void>
  /** Continues a payment that has been `PROCESSING` for too long, because its job was lost. May run more than once. */
  resume(payment: Transaction): Promise<void>
  /** Continues a refund that has been `PENDING` for too long. May run more than once. */
  resumeRefund(payment: Transaction): Promise<void>
  /** The bank or mobile money account of this type that receives real-time funding. Undefined where none is offered. */
  fundingAccount(accountType: string): AccountFields | undefined
  /** The address that receives the funds of this quote, and of no other, on this network. */
  depositAddress(network: DepositNetwork, quoteId: string): string
  /** The invoice by which this payment, and no other, is funded over Lightning. */
  lightningInvoice(payment: LightningPayment): string
  /** Ways to pay from a wallet besides the signature of its owner, as `accountOrWalletInfo`. */
  walletAlternatives(wallet: InternalAccount): readonly AccountFields[]
}
