// A quote moves with its transaction.
import type { db } from '#core/db.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Tx } from '#core/transaction.ts'
import type { Quote, Transaction } from '#generated/prisma/client.ts'

/** The transaction that moves with the quote, from its creation on. */
export const paymentOf = (tx: Tx | typeof db, platformId: PlatformId, quoteId: string): Promise<Transaction> =>
  tx.transaction.findFirstOrThrow({ where: { platformId, quoteId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] })

/** Nothing for a transfer: it has no quote. */
export const moveQuoteOf = async (
  tx: Tx,
  platformId: PlatformId,
  { quoteId }: Pick<Transaction, 'quoteId'>,
  status: Quote['status'],
): Promise<void> => {
  if (quoteId === null) return
  await tx.quote.update({
    where: { platformId_id: { platformId, id: quoteId } },
    data: { status },
    select: { id: true },
  })
}
