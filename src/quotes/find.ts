import type { Caller } from '#core/caller.ts'
import { sql } from '#database/db.ts'
import { findById } from '#database/record.ts'
import { lookUpTogether } from '#database/round-trips.ts'
import type { ScaChallenge } from '#sca/challenge/challenge.ts'
import { paymentIds, pendingChallengesOf, type Quote, QuoteRecord, unknownQuote } from './quote.ts'

/** Platforms need the permission VIEW. Throws 404 `QUOTE_NOT_FOUND`, also if an agent asks for a quote that it did not create. */
export const findQuote = (caller: Caller, id: string): Promise<Quote> =>
  findById(caller, QuoteRecord, 'Quote', id, unknownQuote)

export interface QuoteParts {
  readonly quote: Quote
  /** Id of the quote's payment. */
  readonly transactionId: string
  readonly scaChallenge: ScaChallenge | undefined
}

export const partsOfQuote = async (caller: Caller, quote: Quote): Promise<QuoteParts> => {
  const payments = await paymentIds(caller, [quote.id])
  return withChallenge(caller, quote, payments.get(quote.id))
}

/** A quote that the caller has just written. Needs no permission to view. */
export const partsOfWritten = async (caller: Caller, id: string): Promise<QuoteParts> => {
  const [[row]] = await lookUpTogether(sql`
    select ${QuoteRecord.columns}, payment.id from quotes t
    left join transactions payment on payment.platform_id = t.platform_id and payment.quote_id = t.id
    where ${QuoteRecord.visibleTo(caller)} and t.id = ${id}::uuid`)
  if (!row) throw new Error(`The quote ${id} cannot be read back`)
  return withChallenge(caller, QuoteRecord.read(row), row.at(-1))
}

const withChallenge = async (
  caller: Caller,
  quote: Quote,
  transactionId: string | null | undefined,
): Promise<QuoteParts> => {
  if (!transactionId) throw new Error(`The quote ${quote.id} has no payment`)
  const challenges = await pendingChallengesOf(caller, [quote])
  return { quote, transactionId, scaChallenge: challenges.get(quote.id) }
}
