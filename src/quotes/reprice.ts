// Prices the request of a quote again if the quote expired while its agent waited for approval (docs/domain/agents.md#expired-quotes).
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { sendIn, sending } from '#database/round-trips.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Quote, Transaction } from '#generated/prisma/client.ts'
import type { Parties } from '#settlement/parties.ts'
import { movePayment, paymentOf } from '#settlement/payment-status.ts'
import { insertQuote } from './create.ts'
import type { QuoteRequest } from './request.ts'
import { readPriceFacts, selectingPriceFacts, termsOf } from './terms.ts'

/**
 * Returns the payment of a new quote. Call it with the old quote locked. The old quote and its payment become `EXPIRED`. Throws 409
 * `CONFLICT` with the reason `QUOTE_EXPIRED` for a wallet, because its owner has signed only the old price, and for a UMA address, because its
 * institution would have to be asked again.
 */
export const repriceQuote = async (
  tx: Tx,
  { platformId, environment }: Pick<Caller, 'platformId' | 'environment'>,
  id: string,
  { status, description }: Pick<Transaction, 'status' | 'description'>,
): Promise<Transaction> => {
  const quote = await tx.quote.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const parties = await partiesOf(tx, quote)
  if (quote.destinationUmaAddress !== null) {
    throw new ApiError('CONFLICT', 'The quote has expired, and the receiver must be asked again', {
      reason: 'QUOTE_EXPIRED',
    })
  }
  if (parties.sender.account?.type === 'EMBEDDED_WALLET') {
    throw new ApiError('CONFLICT', 'The quote has expired, and the signature covers no other price', {
      reason: 'QUOTE_EXPIRED',
    })
  }
  if (status === 'PENDING') await movePayment(tx, platformId, await paymentOf(tx, platformId, id), 'EXPIRED')
  const { lockedCurrencySide, totalSendingAmount, totalReceivingAmount } = quote
  const request = {
    description,
    remittanceInformation: quote.remittanceInformation,
    purposeOfPayment: quote.purposeOfPayment as QuoteRequest['purposeOfPayment'],
    lockedCurrencySide,
    lockedCurrencyAmount: lockedCurrencySide === 'SENDING' ? totalSendingAmount : totalReceivingAmount,
  }
  const facts = readPriceFacts(await sendIn(tx, ...selectingPriceFacts({ platformId, environment })))
  const terms = await termsOf({ platformId, environment }, parties, request, facts, sending(tx))
  const { agentId } = quote
  return paymentOf(tx, platformId, await insertQuote(tx, { platformId, environment, agentId }, parties, request, terms))
}

/** The parties as their rows are now. `startPayment` checks whether they may still pay and be paid. */
const partiesOf = async (tx: Tx, quote: Quote): Promise<Parties> => {
  const by = (id: string) => ({ where: { platformId_id: { platformId: quote.platformId, id } } })
  const { customerId, sourceInternalAccountId, destinationInternalAccountId, destinationExternalAccountId } = quote
  const customer = customerId && (await tx.customer.findUniqueOrThrow(by(customerId)))
  const account = sourceInternalAccountId && (await tx.internalAccount.findUniqueOrThrow(by(sourceInternalAccountId)))
  const internal =
    destinationInternalAccountId && (await tx.internalAccount.findUniqueOrThrow(by(destinationInternalAccountId)))
  const external =
    destinationExternalAccountId && (await tx.externalAccount.findUniqueOrThrow(by(destinationExternalAccountId)))
  const { sendingCurrency, receivingCurrency: currency, destinationPaymentRail: rail } = quote
  return {
    customer: customer || null,
    sender: { account: account || null, currency: sendingCurrency, network: null },
    receiver: { internal: internal || null, external: external || null, currency, rail, uma: null },
  }
}
