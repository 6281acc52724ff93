import type { PlatformCaller } from '#core/caller.ts'
import { db } from '#database/db.ts'
import type { Quote, Transaction } from '#generated/prisma/client.ts'
import { paymentOf } from '#settlement/payment-status.ts'
import { unknownQuote } from './quote.ts'

/** A quote with its payment, for the money that is pushed for it. 404 `QUOTE_NOT_FOUND`. */
export const quoteForFunding = async (
  { platformId }: PlatformCaller,
  id: string,
): Promise<{ readonly quote: Quote; readonly payment: Transaction }> => {
  const quote = await db.quote.findFirst({ where: { platformId, id } })
  if (!quote) throw unknownQuote()
  return { quote, payment: await paymentOf(db, platformId, id) }
}
