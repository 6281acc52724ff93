// The customer authorizes the payment of a quote (docs/domain/quotes.md#sca-challenge).
import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { idOf, parse } from '#core/input.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { type Customer, Prisma, type Quote as QuoteRow, type ScaChallenge } from '#generated/prisma/client.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { QuoteRecord, unknownQuote } from '#quotes/quote.ts'
import { scaProof } from '#sca/challenge/challenge.ts'
import { passChallenge, requireOpen } from '#sca/challenge/pass.ts'
import { resendCode } from '#sca/challenge/send-code.ts'
import { requireScaRegion } from '#sca/customer.ts'
import { movePayment, paymentOf } from '#settlement/payment-status.ts'
import { startPayment } from '#settlement/start.ts'

export const quoteAuthorization = scaProof.extend({ id: idOf('Quote').describe(QuoteRecord.texts.id) })
export const quoteOfChallenge = quoteAuthorization.pick({ id: true })

interface Waiting {
  readonly quote: QuoteRow
  readonly customer: Customer
  readonly challenge: ScaChallenge
}

/** 404 `QUOTE_NOT_FOUND`; 409 `CONFLICT` outside the SCA regions, and for a quote that is not waiting for authorization. */
const findWaiting = async ({ platformId }: PlatformCaller, id: string): Promise<Waiting> => {
  const found = await db.quote.findFirst({
    where: { platformId, id: requireUuid('Quote', id, unknownQuote) },
    include: { customer: true, scaChallenge: true },
  })
  if (!found) throw unknownQuote()
  const { customer, scaChallenge: challenge, ...quote } = found
  if (!customer || !challenge || quote.status !== 'PENDING_AUTHORIZATION') {
    requireScaRegion(customer)
    throw notWaiting()
  }
  return { quote, customer, challenge }
}

const notWaiting = () =>
  new ApiError('CONFLICT', 'The quote is not waiting for authorization', { reason: 'NO_SCA_CHALLENGE' })

/**
 * Starts the payment, or shows the payment instructions of a quote that is funded in real time. Needs the permission TRANSACT. Wrong proofs:
 * see `passChallenge`. If the payment cannot start, as with a short balance, the proof is not used up.
 */
export const authorizeQuote = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  record: RecordResult,
): Promise<string> => {
  requirePermission(caller, 'TRANSACT')
  const { quote, customer, challenge } = await findWaiting(caller, id)
  const proof = parse(scaProof, input)
  await passChallenge(caller, challenge, customer, proof, async (tx, spend) => {
    const source = quote.sourceInternalAccountId
    if (source !== null) await lockAccounts(tx, caller, [source])
    await lockWaiting(tx, quote)
    await spend()
    const payment = await paymentOf(tx, caller.platformId, quote.id)
    if (source !== null) await startPayment(tx, caller, payment)
    else await showInstructions(tx, caller, payment, challenge)
    await record(tx, quote.id)
  })
  return quote.id
}

const lockWaiting = async (tx: Tx, { platformId, id }: QuoteRow): Promise<void> => {
  const [locked] = await tx.$queryRaw<{ status: string }[]>`
    select status::text from quotes where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`
  if (locked?.status !== 'PENDING_AUTHORIZATION') throw notWaiting()
}

const showInstructions = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  payment: { readonly id: string; readonly quoteId: string | null },
  { quoteId, paymentInstructions: withheld }: ScaChallenge,
): Promise<void> => {
  await tx.quote.update({
    where: { platformId_id: { platformId, id: quoteId ?? '' } },
    data: { paymentInstructions: withheld ?? Prisma.DbNull },
    select: { id: true },
  })
  await movePayment(tx, platformId, payment, 'PENDING', { paymentInstructions: withheld })
}

/** Sends the code of the challenge again: see `requireOpen` and `resendCode`. Needs the permission TRANSACT. */
export const resendQuoteCode = async (caller: PlatformCaller, id: string): Promise<void> => {
  requirePermission(caller, 'TRANSACT')
  const { customer, challenge } = await findWaiting(caller, id)
  await requireOpen(db, challenge, customer)
  await resendCode(caller, challenge)
}
