// The interface of a settlement provider, which moves money beyond our ledger. It reports results through payment-outcomes.ts.

import type { DepositNetwork } from '#accounts/funding/deposit-address.ts'
import type { FundingNetwork } from '#accounts/funding/networks.ts'
import type { AccountFields } from '#accounts/funding/sandbox-account.ts'
import type { Sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { InternalAccount, Transaction } from '#generated/prisma/client.ts'
import type { LightningPayment } from './lightning-invoice.ts'
import type { Payment } from './payment-status.ts'

export interface SettlementProvider {
  /**
   * The statements that take over a payment that becomes `PROCESSING`, in the database transaction that debits its source: they
   * schedule the work as a job. `accountInfo` is that of the payment's external account.
   */
  carrying(payment: Payment, accountInfo: object | null): readonly Sql[]
  /** Takes over a refund that has just become `PENDING`. `tx` is the database transaction that starts it: make no network calls here. */
  refund(tx: Tx, payment: Transaction): Promise<void>
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
  /**
   * The network's fee for a withdrawal of this amount, in the smallest unit of its currency. `ofCents` converts US cents into
   * that unit, rounded up.
   */
  networkFee(network: FundingNetwork, amount: bigint, ofCents: (cents: bigint) => bigint): bigint
  /** Ways to pay from a wallet besides the signature of its owner, as `accountOrWalletInfo`. */
  walletAlternatives(wallet: Pick<InternalAccount, 'id' | 'currency'>): readonly AccountFields[]
}
