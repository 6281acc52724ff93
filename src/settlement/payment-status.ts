// A quote and its payment change status together.
import type { PlatformId } from '#core/ids.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Quote, Transaction } from '#generated/prisma/client.ts'
import { type Changes, moveTransaction } from '#transactions/transition.ts'

/** The payment of the quote. It exists as soon as the quote does. */
export const paymentOf = (tx: Tx | typeof db, platformId: PlatformId, quoteId: string): Promise<Transaction> =>
  tx.transaction.findUniqueOrThrow({ where: { platformId_quoteId: { platformId, quoteId } } })

/**
 * Sets the status of the quote, then of its payment, in the common lock order. Transfers have no quote. Throws as `moveTransaction` does;
 * the quote has changed by then, so roll back.
 */
export const movePayment = async (
  tx: Tx,
  platformId: PlatformId,
  { id, quoteId }: Pick<Transaction, 'id' | 'quoteId'>,
  status: Quote['status'],
  changes?: Changes,
): Promise<void> => {
  if (quoteId !== null) {
    const where = { platformId_id: { platformId, id: quoteId } }
    await tx.quote.update({ where, data: { status }, select: { id: true } })
  }
  await moveTransaction(tx, platformId, id, status, changes)
}
