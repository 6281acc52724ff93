import { type Caller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import type { ScaChallenge } from '#sca/challenge/challenge.ts'
import { paymentIds, pendingChallengesOf, type Quote, quotesByIds } from './quote.ts'

/** Platforms need the permission VIEW. Throws 404 `QUOTE_NOT_FOUND`, also if an agent asks for a quote that it did not create. */
export const findQuote = async (caller: Caller, id: string): Promise<Quote> => {
  if (caller.scheme === 'PLATFORM') requirePermission(caller, 'VIEW')
  const parsed = parseId(id)
  const [quote] = parsed?.kind === 'Quote' ? await quotesByIds(caller, [parsed.uuid]) : []
  if (!quote) throw new ApiError('QUOTE_NOT_FOUND', 'There is no such quote')
  return quote
}

export interface QuoteParts {
  readonly quote: Quote
  /** Id of the quote's payment. */
  readonly transactionId: string
  readonly scaChallenge: ScaChallenge | undefined
}

export const partsOfQuote = async (caller: Caller, quote: Quote): Promise<QuoteParts> => {
  const [payments, challenges] = await Promise.all([
    paymentIds(caller, [quote.id]),
    pendingChallengesOf(caller, [quote]),
  ])
  const transactionId = payments.get(quote.id)
  if (transactionId === undefined) throw new Error(`The quote ${quote.id} has no payment`)
  return { quote, transactionId, scaChallenge: challenges.get(quote.id) }
}
