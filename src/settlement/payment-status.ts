// A quote and its payment change status together.
import type { PlatformId } from '#core/ids.ts'
import { type db, type Sql, sql } from '#database/db.ts'
import { type RecordOf, record } from '#database/record.ts'
import { sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Quote, Transaction } from '#generated/prisma/client.ts'
import { TransactionRecord } from '#transactions/transaction.ts'
import { type Changes, movingTransaction, requireMoved } from '#transactions/transition.ts'

const { shape } = TransactionRecord
/** What the start of a payment needs of its row. */
const PaymentRecord = record('transactions', {
  platformId: shape.platformId,
  id: shape.id,
  type: shape.type,
  quoteId: shape.quoteId,
  customerId: shape.customerId,
  createdAt: shape.createdAt,
  sourceType: shape.sourceType,
  sourceInternalAccountId: shape.sourceInternalAccountId,
  sourceExternalAccountId: shape.sourceExternalAccountId,
  sourceUmaAddress: shape.sourceUmaAddress,
  destinationInternalAccountId: shape.destinationInternalAccountId,
  destinationExternalAccountId: shape.destinationExternalAccountId,
  destinationUmaAddress: shape.destinationUmaAddress,
  sentAmount: shape.sentAmount,
  sentCurrency: shape.sentCurrency,
  fees: shape.fees,
  platformFees: shape.platformFees,
  paymentRail: shape.paymentRail,
  railSelectionMode: shape.railSelectionMode,
})
/** Prisma reads the time as a date, and a record as text. */
export type Payment = RecordOf<typeof PaymentRecord> | Pick<Transaction, keyof (typeof PaymentRecord)['shape']>

/** The statement whose row `readPayment` reads. */
export const selectingPayment = (platformId: PlatformId, quoteId: string): Sql => sql`
  select ${PaymentRecord.columns} from transactions t
  where t.platform_id = ${platformId}::uuid and t.quote_id = ${quoteId}::uuid`

export const readPayment = (row: Row): Payment => PaymentRecord.read(row)

/** The payment of the quote. It exists as soon as the quote does. */
export const paymentOf = (tx: Tx | typeof db, platformId: PlatformId, quoteId: string): Promise<Transaction> =>
  tx.transaction.findUniqueOrThrow({ where: { platformId_quoteId: { platformId, quoteId } } })

/** Locks the quote, then its payment, in the common lock order. Returns the status of the payment, which no one else can change from now on. */
export const lockPayment = async (
  tx: Tx,
  { platformId, id, quoteId }: Pick<Transaction, 'platformId' | 'id' | 'quoteId'>,
): Promise<Transaction['status'] | undefined> => {
  const [, [locked]] = await sendIn(
    tx,
    sql`select 1 from quotes where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid for no key update`,
    sql`select status from transactions where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`,
  )
  return locked?.[0] as Transaction['status'] | undefined
}

/** The last statuses of a payment that does not arrive. */
const UNPAID: ReadonlySet<string> = new Set(['EXPIRED', 'FAILED', 'REJECTED'])

/**
 * Sets the status of the quote, then of its payment, in the common lock order. Transfers have no quote, and the quote of a rejected
 * payment fails. The open demand of a payment that does not arrive is refused. Throws as `moveTransaction` does; the quote has changed by
 * then, so roll back.
 */
export const movePayment = async (
  tx: Tx,
  platformId: PlatformId,
  payment: Pick<Transaction, 'id' | 'quoteId'>,
  status: Quote['status'] | 'REJECTED',
  changes?: Changes,
): Promise<void> => {
  const [, moved] = await sendIn(
    tx,
    ...movingPayment(platformId, payment, status, changes),
    ...(UNPAID.has(status) ? [refusingDemands(platformId, [payment.id])] : []),
  )
  requireMoved(moved, status)
}

/** The statement that refuses the open demands of payments that do not arrive. */
export const refusingDemands = (platformId: string, paymentIds: readonly string[]): Sql => sql`
  update uma_demands set status = 'REFUSED', refusal = 'QUOTE_EXPIRED'
  where platform_id = ${platformId}::uuid and transaction_id = any(${paymentIds}::uuid[]) and status = 'OPEN'`

/** The statements of `movePayment`. Pass the rows of the second to `requireMoved`. */
export const movingPayment = (
  platformId: PlatformId,
  { id, quoteId }: Pick<Transaction, 'id' | 'quoteId'>,
  status: Quote['status'] | 'REJECTED',
  changes: Changes = {},
): readonly [Sql, Sql] => [
  sql`
    update quotes set status = ${status === 'REJECTED' ? 'FAILED' : status}::quote_status, updated_at = now()
    where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid`,
  movingTransaction(platformId, id, status, changes),
]
