// The platform confirms that its customer received the receipt of a payment.
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { requireUuid } from '#core/ids.ts'
import { parseChanges } from '#core/input.ts'
import { storedStart } from '#core/time-filters.ts'
import { sql } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, timeOf } from '#database/unit-of-work.ts'
import { PAYMENT_FIELDS } from '#transactions/payment-fields.ts'
import { type Transaction, TransactionRecord, unknownTransaction } from '#transactions/transaction.ts'
import { changingTransaction } from '#transactions/transition.ts'

export const receiptConfirmation = z.object({
  receiptDeliveryConfirmedAt: storedStart
    .nullish()
    .describe('When the customer received the receipt. Defaults to the time of the server.'),
})

/** Overwrites an earlier time. Needs the permission TRANSACT. Throws 404 `TRANSACTION_NOT_FOUND`, also for a card transaction. */
export const confirmTransaction = async (caller: PlatformCaller, id: string, input: unknown): Promise<Transaction> => {
  requirePermission(caller, 'TRANSACT')
  const { receiptDeliveryConfirmedAt: at = null } = parseChanges(receiptConfirmation, input, PAYMENT_FIELDS)
  const uuid = requireUuid('Transaction', id, unknownTransaction)
  const confirmed = await inTransaction(async (tx) => {
    const receiptDeliveryConfirmedAt = at === null ? await timeOf(tx) : new Date(at)
    const change = changingTransaction(caller.platformId, uuid, { receiptDeliveryConfirmedAt })
    return tx.$executeRaw(sql`${change} and type <> 'CARD'`)
  })
  if (confirmed !== 1) throw unknownTransaction()
  return selectWritten(caller, TransactionRecord, uuid)
}
