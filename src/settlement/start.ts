// Starts a payment: one database transaction debits its source and hands the payment to the settlement provider.
import { type LedgerEntry, lockingMovement, postingMovement, requireRoom } from '#accounts/ledger.ts'
import type { Caller } from '#core/caller.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import type { Sql } from '#database/db.ts'
import { type Send, sendIn, sending } from '#database/round-trips.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { requireMoved } from '#transactions/transition.ts'
import { carrying } from './carry.ts'
import { feeAccount } from './fee-account.ts'
import { movingPayment, type Payment } from './payment-status.ts'
import { automaticRail, expectedSettlement, settlementSeconds } from './rails.ts'
import { findPartiesNow, type PartiesNow, requireReadyParties } from './ready.ts'

/**
 * Debits the source, and sets the transaction and its quote to `PROCESSING`. Call it for real-time funding once the money has arrived. 400
 * `INVALID_AMOUNT` when the balance is short, 403 `USER_NOT_READY` when an account or the customer is no longer active.
 */
export const startPayment = async (
  tx: Tx,
  { platformId, environment }: Pick<Caller, 'platformId' | 'environment'>,
  payment: Payment,
  known?: PartiesNow,
): Promise<void> => {
  const parties = known ?? (await findPartiesNow(tx, { platformId }, payment))
  await sendIn(tx, ...(await startingPayment(sending(tx), { platformId, environment }, payment, parties)))
}

/** Starts the payment except for the last statements, which it returns so that a caller can send more statements with them. */
export const startingPayment = async (
  send: Send,
  { platformId, environment }: Pick<Caller, 'platformId' | 'environment'>,
  payment: Payment,
  parties: PartiesNow,
): Promise<readonly Sql[]> => {
  requireReadyParties(parties)
  const entries = await debitsOf(send, platformId, payment)
  const movement = { kind: 'PAYMENT', transactionId: payment.id, entries } as const
  const [, moved, accounts] = await send(
    ...movingPayment(platformId, payment, 'PROCESSING', routeOf(payment, parties)),
    // Last, because all payments of the platform share its fee account, which this locks.
    lockingMovement(platformId, movement),
  )
  requireMoved(moved, 'PROCESSING')
  requireRoom(accounts, movement)
  return [postingMovement(platformId, newUuid(), movement), ...(await carrying(send, environment, payment, parties))]
}

/** The rail and the expected settlement. Nothing for internal accounts and external wallets, which use no rail. */
const routeOf = (payment: Payment, { accountInfo }: PartiesNow) => {
  if (accountInfo === null) return {}
  const rail = payment.paymentRail ?? automaticRail({ accountInfo })
  if (rail === undefined) return {}
  const expectedSettlementAt = expectedSettlement(rail, new Date(payment.createdAt))
  return {
    paymentRail: rail,
    destinationPaymentRail: rail,
    railSelectionMode: payment.railSelectionMode ?? ('AUTO' as const),
    settlementTimelineSeconds: settlementSeconds(rail),
    expectedSettlementAt,
    settledAt: expectedSettlementAt,
  }
}

/** Debits the source, or takes the money that was pushed: the fees go to the service and the platform, the rest to the exchange. */
const debitsOf = async (send: Send, platformId: PlatformId, payment: Payment): Promise<LedgerEntry[]> => {
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
  return [...entries, { accountId: await feeAccount(send, platformId, currency), currency, amount: platformFees }]
}
