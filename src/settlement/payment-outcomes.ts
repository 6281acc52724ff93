// The outcomes of a payment that has left, as its settlement provider reports them: it completes, fails, is cancelled or is refunded
// (docs/domain/transactions.md#refunds).
import { type LedgerBook, type LedgerEntry, postMovement } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { sql } from '#database/db.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { BlockchainNetwork, Transaction } from '#generated/prisma/client.ts'
import { type Changes, changingTransaction } from '#transactions/transition.ts'
import { lockPayment, movePayment } from './payment-status.ts'
import { accountForRefund, creditPushed, isPushedToken } from './pushed-refund.ts'
import { newReference } from './reference.ts'

/** Completes the refund of a payment that failed or was cancelled. 409 `CONFLICT` unless the refund is pending. */
export const completeRefund = (platformId: PlatformId, id: string): Promise<void> =>
  inTransaction(async (tx) => {
    const payment = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
    await refund(tx, platformId, payment, { reason: 'QUOTE_EXECUTION_FAILED', now: await timeOf(tx) })
  })

/** Why a payment fails after it has left. */
export type FailureReason = 'QUOTE_EXECUTION_FAILED' | 'COUNTERPARTY_POST_TX_FAILED' | 'OFFRAMP_FAILED'

/** A transaction on a blockchain. */
export interface OnChain {
  readonly transactionHash: string
  readonly network: BlockchainNetwork
}

interface Occasion {
  /** Used if the payment fails. */
  readonly reason: FailureReason
  /** Time of the database. */
  readonly now: Date
  /** What paid an external wallet. Used if the payment completes. */
  readonly onChain?: OnChain | undefined
}

/** 409 `CONFLICT` when the payment is not in a state that the outcome follows. */
type ApplyOutcome = (tx: Tx, platformId: PlatformId, payment: Transaction, occasion: Occasion) => Promise<void>

export type Outcome = 'complete' | 'fail' | 'cancel' | 'refund' | 'failRefund'

const complete: ApplyOutcome = async (tx, platformId, payment, occasion) => {
  const arrives = await canArrive(tx, platformId, payment)
  await requireUnmoved(tx, payment)
  if (payment.status !== 'PROCESSING') throw new ApiError('CONFLICT', 'The payment is not under way')
  if (!arrives) return failAndRefund(tx, platformId, payment, occasion)
  const { now: settledAt, onChain } = occasion
  await movePayment(tx, platformId, payment, 'COMPLETED', {
    settledAt,
    ...(onChain && { destinationTransactionHash: onChain.transactionHash, destinationNetwork: onChain.network }),
  })
  await arrive(tx, platformId, payment)
}

const fail: ApplyOutcome = async (tx, platformId, payment, { reason: failureReason, now }) => {
  await requireUnmoved(tx, payment)
  await movePayment(tx, platformId, payment, 'FAILED', {
    failureReason,
    // Until now it was the expected time.
    ...(payment.status === 'PROCESSING' && { settledAt: null }),
    ...(isRefunded(payment) && refundOf('TRANSACTION_FAILED', now)),
  })
}

/**
 * Returns the money in the same transaction. If the account that it came from has no room for it, the refund stays pending, and
 * `resumePayments` completes it later.
 */
export const failAndRefund: ApplyOutcome = async (tx, platformId, payment, occasion) => {
  await lockAccounts(tx, { platformId }, accountsOf(payment))
  await fail(tx, platformId, payment, occasion)
  if (!isRefunded(payment)) return
  await tx.$executeRaw`savepoint unrefunded`
  try {
    await refund(tx, platformId, { ...payment, status: 'FAILED' }, occasion)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'AMOUNT_OUT_OF_RANGE')) throw error
    await tx.$executeRaw`rollback to savepoint unrefunded`
  }
}

/** Whether the money of the payment must be returned to someone if it fails. A bank account that was to be debited keeps it. */
const isRefunded = ({ type, sourceType }: Transaction) => type === 'OUTGOING' || sourceType === 'UMA_ADDRESS'

const cancel: ApplyOutcome = (tx, platformId, payment, { now }) =>
  startRefund(tx, platformId, payment, refundOf('USER_CANCELLATION', now))

/** Writes `refundOf`, together with other columns. 409 `CONFLICT` if the payment has a refund. */
export const startRefund = (
  tx: Tx,
  platformId: PlatformId,
  payment: Pick<Transaction, 'id'>,
  changes: Changes,
): Promise<void> => changeRefund(tx, platformId, payment, null, changes)

/**
 * Locks the payment. 409 `CONFLICT` if it has another status than when it was read, or once it is being refunded, because a cancelled payment
 * stays PROCESSING until then.
 */
const requireUnmoved = async (tx: Tx, payment: Transaction) => {
  const { platformId, id, status } = payment
  if ((await lockPayment(tx, payment)) !== status) {
    throw new ApiError('CONFLICT', 'The status of the payment has changed')
  }
  const [open] = await tx.$queryRaw<object[]>`
    select from transactions where platform_id = ${platformId}::uuid and id = ${id}::uuid and refund_status is null`
  if (!open) throw refundHasMoved()
}

/** The refund fails if the money would return to an account that was closed with its customer: nothing could take it from there. */
const refund: ApplyOutcome = async (tx, platformId, payment, occasion) => {
  const { now } = occasion
  const home = isPushedToken(payment) ? await accountForRefund(tx, payment) : payment.sourceInternalAccountId
  await lockAccounts(tx, { platformId }, [...accountsOf(payment), ...(home ? [home] : [])])
  await lockPayment(tx, payment)
  if (home === undefined || (await isClosed(tx, platformId, home))) {
    return failRefund(tx, platformId, payment, occasion)
  }
  await changeRefund(tx, platformId, payment, 'PENDING', { refundStatus: 'COMPLETED', refundSettledAt: now })
  // A cancelled payment stays PROCESSING until its refund completes.
  if (payment.status === 'PROCESSING') {
    await movePayment(tx, platformId, payment, 'COMPLETED', { settledAt: now })
    await explainCompletion(tx, platformId, payment)
  }
  await reverseEntries(tx, platformId, payment)
  if (home !== null && isPushedToken(payment)) await creditPushed(tx, platformId, payment, home)
}

const isClosed = async (tx: Tx, platformId: PlatformId, accountId: string | null): Promise<boolean> => {
  const closed = await tx.$queryRaw<object[]>`
    select from internal_accounts where platform_id = ${platformId}::uuid and id = ${accountId}::uuid and status = 'CLOSED'`
  return closed.length > 0
}

/** The user's reason for the cancellation is in the timeline. */
const explainCompletion = async (
  tx: Tx,
  platformId: PlatformId,
  { id: transactionId, cancellationReason: reason }: Transaction,
) => {
  if (reason === null) return
  const where = { platformId, transactionId, toStatus: 'COMPLETED' } as const
  await tx.transactionStateChange.updateMany({ where, data: { reason } })
}

const failRefund: ApplyOutcome = (tx, platformId, payment) =>
  changeRefund(tx, platformId, payment, 'PENDING', { refundStatus: 'FAILED' })

export const OUTCOMES: Readonly<Record<Outcome, ApplyOutcome>> = { complete, fail, cancel, refund, failRefund }

/** For jobs. A job may run twice, and the payment may be cancelled or reported: the job then finds that it has moved on, and does nothing. */
export const unlessMovedOn = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
  }
}

export type RefundReason = 'TRANSACTION_FAILED' | 'USER_CANCELLATION' | 'TIMEOUT'

/** The columns of a refund that begins. */
export const refundOf = (refundReason: RefundReason, refundInitiatedAt: Date) => ({
  refundReference: newReference(),
  refundInitiatedAt,
  refundStatus: 'PENDING' as const,
  refundReason,
})

/** 409 `CONFLICT` unless the refund is in the state that the change starts from. */
const changeRefund = async (
  tx: Tx,
  platformId: PlatformId,
  { id }: Pick<Transaction, 'id'>,
  refundStatus: 'PENDING' | null,
  changes: Changes,
) => {
  const count = await tx.$executeRaw(sql`
    ${changingTransaction(platformId, id, changes)} and refund_status is not distinct from ${refundStatus}::refund_status`)
  if (count !== 1) throw refundHasMoved()
}

const refundHasMoved = () => new ApiError('CONFLICT', 'The state of the refund has changed')

/** The internal accounts among its parties. */
const accountsOf = ({ sourceInternalAccountId: from, destinationInternalAccountId: to }: Transaction): string[] =>
  [from, to].filter((id) => id !== null)

/** Whether an internal account that is to receive the payment is still active and has room for it. Otherwise the payment is returned. */
const canArrive = async (tx: Tx, platformId: PlatformId, payment: Transaction): Promise<boolean> => {
  const id = payment.destinationInternalAccountId
  if (id === null) return true
  await lockAccounts(tx, { platformId }, accountsOf(payment))
  const account = await tx.internalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  return account.status === 'ACTIVE' && account.totalBalance + (payment.receivedAmount ?? 0n) <= MAX_AMOUNT
}

/** Posts the receiving side: the money leaves the exchange or the source, and reaches the receiver's account or the outside. */
const arrive = (tx: Tx, platformId: PlatformId, payment: Transaction) => {
  const { id: transactionId, type, receivedAmount, receivedCurrency, destinationInternalAccountId: accountId } = payment
  if (receivedAmount === null || receivedCurrency === null) throw new Error('A payment without an amount was started')
  const currency = receivedCurrency
  const arrival = accountId === null ? { book: 'OUTSIDE' as const } : { accountId }
  const isOutgoing = type === 'OUTGOING'
  const from = payment.sourceInternalAccountId
  const departure =
    isOutgoing || from === null
      ? { book: isOutgoing ? ('EXCHANGE' as const) : ('OUTSIDE' as const) }
      : { accountId: from }
  return postMovement(tx, platformId, {
    kind: isOutgoing || from !== null ? 'PAYMENT' : 'FUNDING',
    transactionId,
    entries: [
      { ...departure, currency, amount: -receivedAmount },
      { ...arrival, currency, amount: receivedAmount },
    ],
  })
}

interface Moved {
  account_id: string | null
  book: LedgerBook | null
  currency: string
  amount: bigint
}

/**
 * Posts the opposite of everything the transaction has posted. If the platform has spent its fee in the meantime, it owes the shortfall
 * (`RECEIVABLE`).
 */
const reverseEntries = async (tx: Tx, platformId: PlatformId, { id: transactionId }: Pick<Transaction, 'id'>) => {
  const moved = await tx.$queryRaw<Moved[]>`
    select account_id, book::text, entry.currency, sum(amount)::bigint as amount
    from ledger_entries entry
    join ledger_movements movement on movement.platform_id = entry.platform_id and movement.id = entry.movement_id
    where movement.platform_id = ${platformId}::uuid and movement.transaction_id = ${transactionId}::uuid
    group by 1, 2, 3 having sum(amount) <> 0`
  if (moved.length === 0) return
  const ids = moved.flatMap(({ account_id: id }) => id ?? [])
  const accounts = new Map((await lockAccounts(tx, { platformId }, ids)).map((account) => [account.id, account]))
  await postMovement(tx, platformId, {
    kind: 'REFUND',
    transactionId,
    entries: moved.flatMap(({ account_id: accountId, book, currency, amount }): LedgerEntry[] => {
      if (accountId === null) return [{ book: book ?? 'OUTSIDE', currency, amount: -amount }]
      const account = accounts.get(accountId)
      const owed = account?.isPlatforms && amount > account.balance ? amount - account.balance : 0n
      return [
        { accountId, currency, amount: owed - amount },
        { book: 'RECEIVABLE', currency, amount: -owed },
      ]
    }),
  })
}
