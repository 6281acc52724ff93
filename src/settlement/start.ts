// The moment a payment leaves: one database transaction debits its source and hands the payment to the settlement provider.
import { type LedgerEntry, postMovement } from '#accounts/ledger.ts'
import type { Caller } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { carry } from './carry.ts'
import { feeAccount } from './fee-account.ts'
import { requireReady } from './parties.ts'
import { movePayment } from './payment-status.ts'
import { automaticRail, isInstant, settlementSeconds } from './rails.ts'

/**
 * Debits the source, and sets the transaction and its quote to `PROCESSING`. Call it for real-time funding once the money has arrived. 400 `INVALID_AMOUNT` when the balance is short, 403
 * `USER_NOT_READY` when an account or the customer is no longer active.
 */
export const startPayment = async (
  tx: Tx,
  { platformId, environment }: Pick<Caller, 'platformId' | 'environment'>,
  payment: Transaction,
): Promise<void> => {
  await requireReady(tx, { platformId }, payment)
  await movePayment(tx, platformId, payment, 'PROCESSING', await routeOf(tx, platformId, payment))
  // Last, because all payments of the platform share its fee account, which this locks.
  await postMovement(tx, platformId, {
    kind: 'PAYMENT',
    transactionId: payment.id,
    entries: await debitsOf(tx, platformId, payment),
  })
  await carry(tx, environment, payment)
}

/** The rail and the expected settlement. Nothing for internal accounts and external wallets, which use no rail. */
const routeOf = async (tx: Tx, platformId: PlatformId, payment: Transaction) => {
  const id = payment.destinationExternalAccountId
  if (id === null) return {}
  const account = await tx.externalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const rail = payment.paymentRail ?? automaticRail(account)
  if (rail === undefined) return {}
  const seconds = settlementSeconds(rail)
  const expectedSettlementAt = isInstant(rail) ? null : new Date(payment.createdAt.getTime() + 1_000 * seconds)
  return {
    paymentRail: rail,
    destinationPaymentRail: rail,
    railSelectionMode: payment.railSelectionMode ?? ('AUTO' as const),
    settlementTimelineSeconds: seconds,
    expectedSettlementAt,
    settledAt: expectedSettlementAt,
  }
}

/** Debits the source, or takes the money that was pushed: the fees go to the service and the platform, the rest to the exchange. */
const debitsOf = async (tx: Tx, platformId: PlatformId, payment: Transaction): Promise<LedgerEntry[]> => {
  const { sourceInternalAccountId: accountId, sourceType, sentAmount, sentCurrency: currency } = payment
  if ((accountId === null && sourceType !== 'REALTIME_FUNDING') || sentAmount === null || currency === null) {
    throw new Error('Only a payment from an internal account, or one that was funded, can start')
  }
  const fees = payment.fees ?? 0n
  const platformFees = payment.platformFees ?? 0n
  const source = accountId === null ? { book: 'OUTSIDE' as const } : { accountId }
  const entries: LedgerEntry[] = [
    { ...source, currency, amount: -sentAmount },
    { book: 'FEES', currency, amount: fees - platformFees },
    { book: 'EXCHANGE', currency, amount: sentAmount - fees },
  ]
  if (platformFees === 0n) return entries
  return [...entries, { accountId: await feeAccount(tx, platformId, currency), currency, amount: platformFees }]
}
