import { type Caller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { paymentOf } from '#settlement/payment-status.ts'
import { type Quote, quotesByIds } from './quote.ts'

/** 404 `QUOTE_NOT_FOUND`, for an agent also when another one made it. Platforms need the permission VIEW. */
export const findQuote = async (caller: Caller, id: string): Promise<Quote> => {
  if (caller.scheme === 'PLATFORM') requirePermission(caller, 'VIEW')
  const parsed = parseId(id)
  const [quote] = parsed?.kind === 'Quote' ? await quotesByIds(caller, [parsed.uuid]) : []
  if (!quote) throw new ApiError('QUOTE_NOT_FOUND', 'There is no such quote')
  return quote
}

/** The id of the transaction that moves with the quote. */
export const paymentIdOf = async ({ platformId }: Caller, { id }: Quote): Promise<string> =>
  (await paymentOf(db, platformId, id)).id
