// What becomes of a payment that has left, in the sandbox (docs/domain/sandbox.md#simulated-payments): one event after the other, each a job
// of its own.
import { type LedgerBook, type LedgerEntry, postMovement } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { addJob, type Task } from '#database/jobs.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Prisma, Transaction } from '#generated/prisma/client.ts'
import { type Event, fateOf } from '#settlement/sandbox/scenario.ts'
import { newReference } from './instructions.ts'
import { movePayment } from './payment-status.ts'

interface Step extends Record<string, string | number> {
  readonly platformId: string
  readonly transactionId: string
  /** Which event of its fate is next. */
  readonly event: number
}

export const advancePayment: Task<Step> = {
  name: 'advancePayment',
  run: async (step) => {
    try {
      await inTransaction((tx) => advance(tx, step))
    } catch (error) {
      // A job may run twice. The second time its payment is further on, and there is nothing left to do.
      if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
    }
  },
}

const advance = async (tx: Tx, step: Step) => {
  const platformId = step.platformId as PlatformId
  const where = { platformId_id: { platformId, id: step.transactionId } }
  const payment = await tx.transaction.findUniqueOrThrow({ where })
  const fate = await fateOf(tx, payment)
  const event = fate[step.event]
  if (!event) return
  await EFFECTS[event.effect](tx, platformId, payment, { reason: event.reason, now: await timeOf(tx) })
  await scheduleEvent(tx, platformId, payment.id, fate, step.event + 1)
}

/** Of what failed or was cancelled. 409 `CONFLICT` when its refund does not wait any more. */
export const completeRefund = (platformId: PlatformId, id: string): Promise<void> =>
  inTransaction(async (tx) => {
    const payment = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
    await refund(tx, platformId, payment, { reason: 'QUOTE_EXECUTION_FAILED', now: await timeOf(tx) })
  })

/** The event that follows, if one does. */
export const scheduleEvent = async (
  tx: Tx,
  platformId: PlatformId,
  transactionId: string,
  fate: readonly Event[],
  event: number,
): Promise<void> => {
  const next = fate[event]
  if (next) await addJob(tx, advancePayment, { platformId, transactionId, event }, { inSeconds: next.afterSeconds })
}

interface Occasion {
  readonly reason: Event['reason']
  /** By the clock of the database. */
  readonly now: Date
}

type Effect = (tx: Tx, platformId: PlatformId, payment: Transaction, occasion: Occasion) => Promise<void>

const complete: Effect = async (tx, platformId, payment, occasion) => {
  if (!(await canArrive(tx, platformId, payment))) {
    await fail(tx, platformId, payment, occasion)
    return payment.type === 'OUTGOING' ? refund(tx, platformId, { ...payment, status: 'FAILED' }, occasion) : undefined
  }
  await movePayment(tx, platformId, payment, 'COMPLETED', { settledAt: occasion.now })
  await arrive(tx, platformId, payment)
}

const fail: Effect = (tx, platformId, payment, { reason: failureReason, now }) =>
  movePayment(tx, platformId, payment, 'FAILED', {
    failureReason,
    // What was only expected will not be.
    ...(payment.status === 'PROCESSING' && { settledAt: null }),
    ...(payment.type === 'OUTGOING' && refundOf('TRANSACTION_FAILED', now)),
  })

const cancel: Effect = (tx, platformId, payment, { now }) =>
  changeRefund(tx, platformId, payment, null, refundOf('USER_CANCELLATION', now))

const refund: Effect = async (tx, platformId, payment, { now }) => {
  await lockAccounts(tx, { platformId }, accountsOf(payment))
  // What was cancelled is under way until now.
  if (payment.status === 'PROCESSING') {
    await movePayment(tx, platformId, payment, 'COMPLETED', { settledAt: now })
  }
  await changeRefund(tx, platformId, payment, 'PENDING', { refundStatus: 'COMPLETED', refundSettledAt: now })
  await moveBack(tx, platformId, payment)
}

const failRefund: Effect = (tx, platformId, payment) =>
  changeRefund(tx, platformId, payment, 'PENDING', { refundStatus: 'FAILED' })

const EFFECTS: Readonly<Record<Event['effect'], Effect>> = { complete, fail, cancel, refund, failRefund }

const refundOf = (refundReason: 'TRANSACTION_FAILED' | 'USER_CANCELLATION', refundInitiatedAt: Date) => ({
  refundReference: newReference(),
  refundInitiatedAt,
  refundStatus: 'PENDING' as const,
  refundReason,
})

/** 409 `CONFLICT` unless the refund is in the state that the change starts from. */
const changeRefund = async (
  tx: Tx,
  platformId: PlatformId,
  { id }: Transaction,
  refundStatus: 'PENDING' | null,
  data: Prisma.TransactionUncheckedUpdateManyInput,
) => {
  const { count } = await tx.transaction.updateMany({ where: { platformId, id, refundStatus }, data })
  if (count !== 1) throw new ApiError('CONFLICT', 'The refund has gone on')
}

/** Those at its ends that are of the service. */
const accountsOf = ({ sourceInternalAccountId: from, destinationInternalAccountId: to }: Transaction): string[] =>
  [from, to].filter((id) => id !== null)

/** Whether the account of the receiver, if it is one of the service, still takes money, and has room for it. Else it goes back at once. */
const canArrive = async (tx: Tx, platformId: PlatformId, payment: Transaction): Promise<boolean> => {
  const id = payment.destinationInternalAccountId
  if (id === null) return true
  await lockAccounts(tx, { platformId }, accountsOf(payment))
  const account = await tx.internalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  return account.status === 'ACTIVE' && account.totalBalance + (payment.receivedAmount ?? 0n) <= MAX_AMOUNT
}

/** What was exchanged, or pulled from outside, reaches the account of the receiver, or the world outside. */
const arrive = (tx: Tx, platformId: PlatformId, payment: Transaction) => {
  const { id: transactionId, type, receivedAmount, receivedCurrency, destinationInternalAccountId: accountId } = payment
  if (receivedAmount === null || receivedCurrency === null) throw new Error('A payment without an amount was started')
  const currency = receivedCurrency
  const arrival = accountId === null ? { book: 'OUTSIDE' as const } : { accountId }
  const isOutgoing = type === 'OUTGOING'
  // From another account of the service, or from outside.
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

/** All that the transaction has moved so far, back where it came from. What the platform has spent of its fee by then, it owes. */
export const moveBack = async (tx: Tx, platformId: PlatformId, { id: transactionId }: Pick<Transaction, 'id'>) => {
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
      const owed = account?.is_platforms && amount > account.balance ? amount - account.balance : 0n
      return [
        { accountId, currency, amount: owed - amount },
        { book: 'RECEIVABLE', currency, amount: -owed },
      ]
    }),
  })
}
