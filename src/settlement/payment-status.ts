// A quote moves with its transaction.

import type { PlatformId } from '#core/ids.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Quote, Transaction } from '#generated/prisma/client.ts'
import { type Changes, moveTransaction } from '#transactions/transition.ts'

/** The transaction that moves with the quote, from its creation on. */
export const paymentOf = (tx: Tx | typeof db, platformId: PlatformId, quoteId: string): Promise<Transaction> =>
  tx.transaction.findUniqueOrThrow({ where: { platformId_quoteId: { platformId, quoteId } } })

/**
 * Moves the payment, and its quote before it, as whoever locks both does; a transfer has none. Throws as `moveTransaction` does: the quote
 * has moved by then, so roll back.
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
