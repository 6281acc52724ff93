// A quote and its payment change status together.
import type { PlatformId } from '#core/ids.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Quote, Transaction } from '#generated/prisma/client.ts'
import { type Changes, moveTransaction } from '#transactions/transition.ts'

/** The payment of the quote. It exists as soon as the quote does. */
export const paymentOf = (tx: Tx | typeof db, platformId: PlatformId, quoteId: string): Promise<Transaction> =>
  tx.transaction.findUniqueOrThrow({ where: { platformId_quoteId: { platformId, quoteId } } })

/** Locks the quote, then its payment, in the common lock order. Returns the status of the payment, which nobody else changes from now on. */
export const lockPayment = async (
  tx: Tx,
  { platformId, id, quoteId }: Pick<Transaction, 'platformId' | 'id' | 'quoteId'>,
): Promise<Transaction['status'] | undefined> => {
  if (quoteId !== null) {
    await tx.$queryRaw`select 1 from quotes where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid for no key update`
  }
  const [locked] = await tx.$queryRaw<Pick<Transaction, 'status'>[]>`
    select status::text from transactions where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`
  return locked?.status
}

/**
 * Sets the status of the quote, then of its payment, in the common lock order. Transfers have no quote, and the quote of a rejected
 * payment fails. Throws as `moveTransaction` does; the quote has changed by then, so roll back.
 */
export const movePayment = async (
  tx: Tx,
  platformId: PlatformId,
  { id, quoteId }: Pick<Transaction, 'id' | 'quoteId'>,
  status: Quote['status'] | 'REJECTED',
  changes?: Changes,
): Promise<void> => {
  if (quoteId !== null) {
    await tx.$executeRaw`
      update quotes set status = ${status === 'REJECTED' ? 'FAILED' : status}::quote_status, updated_at = now()
      where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid`
  }
  await moveTransaction(tx, platformId, id, status, changes)
}
