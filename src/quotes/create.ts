// Making a quote: its price, its terms, and the outgoing transaction that moves with it (docs/domain/quotes.md#quote-fields).
import type { Caller } from '#core/caller.ts'
import { currencyOf } from '#core/currencies.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, type PlatformId, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { addJob } from '#database/jobs.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, isDuplicate, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { instructionsOf } from '#settlement/instructions.ts'
import { type Ends, findEnds, type Sender } from '#settlement/parties.ts'
import { requirePayer } from '#settlement/payer.ts'
import { paymentOf } from '#settlement/payment-status.ts'
import { namedRail } from '#settlement/rails.ts'
import { newReference } from '#settlement/reference.ts'
import { startPayment } from '#settlement/start.ts'
import { expireQuote } from './expire.ts'
import { platformFeeOf } from './platform-fee.ts'
import { priceOf, serviceFeeOf } from './price.ts'
import { type Quote, QuoteRecord } from './quote.ts'
import { rateOf, rateText } from './rate.ts'
import { parseQuoteRequest, type QuoteRequest } from './request.ts'
import { refuseSca } from './sca.ts'

const LIFE_SECONDS = 5 * 60
/** For a bank to bring the money. */
const BANK_LIFE_SECONDS = 15 * 60

const lifeOf = ({ account, network }: Sender) => (account || network ? LIFE_SECONDS : BANK_LIFE_SECONDS)

/** Platforms need the permission TRANSACT, agents CREATE_QUOTES. */
export const createQuote = async (caller: Caller, input: unknown, record: RecordResult): Promise<Quote> => {
  requirePayer(caller, 'CREATE_QUOTES')
  const request = parseQuoteRequest(input)
  const ends = await findEnds(caller, request)
  if (request.immediatelyExecute) refuseImmediate(caller, ends)
  if (request.immediatelyExecute || ends.sender.account === null) refuseSca(ends.customer)
  const terms = await termsOf(caller.platformId, ends, request)
  const agentId = caller.scheme === 'AGENT' ? caller.agentId : null
  const write = () =>
    inTransaction(async (tx) => {
      const quoteId = await insertQuote(tx, { ...caller, agentId }, ends, request, terms)
      if (request.immediatelyExecute) await startPayment(tx, caller, await paymentOf(tx, caller.platformId, quoteId))
      await record(tx, quoteId)
      return quoteId
    })
  const id = await write().catch((error) => {
    // Another quote has the same reference, one of 32^12: draw again.
    if (!isDuplicate(error)) throw error
    return write()
  })
  return selectWritten(caller, QuoteRecord, id)
}

/** An agent's payment is judged by its policy when it is executed; a wallet's needs a stamp; a funded one is pushed. */
const refuseImmediate = (caller: Caller, { sender }: Ends) => {
  const isPlain = caller.scheme === 'PLATFORM' && sender.account !== null && sender.account.type !== 'EMBEDDED_WALLET'
  if (!isPlain) throw invalidInput('immediatelyExecute', 'A payment from this source cannot be executed immediately')
}

/** The price of now. */
export const termsOf = async (
  platformId: PlatformId,
  { sender, receiver }: Pick<Ends, 'sender' | 'receiver'>,
  request: Pick<QuoteRequest, 'lockedCurrencySide' | 'lockedCurrencyAmount'>,
  on: Tx | typeof db = db,
) => {
  const rate = rateOf(sender.currency, receiver.currency)
  const price = priceOf({
    lockedSide: request.lockedCurrencySide,
    lockedAmount: request.lockedCurrencyAmount,
    rate,
    sendingDecimals: currencyOf(sender.currency).decimals,
    receivingDecimals: currencyOf(receiver.currency).decimals,
    platformFee: await platformFeeOf(platformId, sender.currency, receiver.currency, on),
    serviceFee: serviceFeeOf(sender.currency, receiver.currency),
  })
  return { ...price, exchangeRate: rateText(rate) }
}

type Terms = Awaited<ReturnType<typeof termsOf>>

interface Maker extends Pick<Caller, 'platformId' | 'environment'> {
  /** The agent that makes it; null for the platform. */
  readonly agentId: string | null
}

/** Writes the quote with its transaction, and returns the quote's id. */
export const insertQuote = async (
  tx: Tx,
  { agentId, ...caller }: Maker,
  { sender, receiver, customer }: Ends,
  request: Pick<QuoteRequest, 'lockedCurrencySide' | 'description' | 'remittanceInformation' | 'purposeOfPayment'>,
  { exchangeRate, ...price }: Terms,
): Promise<string> => {
  const { platformId } = caller
  const id = newUuid()
  const createdAt = await timeOf(tx)
  const expiresAt = new Date(createdAt.getTime() + 1_000 * lifeOf(sender))
  const reference = sender.account ? null : newReference()
  const instructions = instructionsOf(caller, sender, reference, {
    quoteId: publicId('Quote', id),
    destinationId: receiver.internal?.id ?? receiver.external?.id ?? '',
    totalSendingAmount: price.totalSendingAmount,
    totalReceivingAmount: price.totalReceivingAmount,
    expiresAt: expiresAt.toISOString(),
  })
  const ends = {
    sourceType: sender.account ? 'ACCOUNT' : 'REALTIME_FUNDING',
    sourceInternalAccountId: sender.account?.id ?? null,
    destinationType: 'ACCOUNT',
    destinationInternalAccountId: receiver.internal?.id ?? null,
    destinationExternalAccountId: receiver.external?.id ?? null,
    destinationPaymentRail: receiver.rail,
  } as const
  await tx.quote.create({
    data: {
      platformId,
      id,
      customerId: customer?.id ?? null,
      agentId,
      status: 'PENDING',
      ...ends,
      sendingCurrency: sender.currency,
      receivingCurrency: receiver.currency,
      totalSendingAmount: price.totalSendingAmount,
      totalReceivingAmount: price.totalReceivingAmount,
      exchangeRate,
      feesIncluded: price.feesIncluded,
      platformFeesIncluded: price.platformFeesIncluded,
      ...(instructions && { paymentInstructions: instructions }),
      remittanceInformation: request.remittanceInformation ?? null,
      purposeOfPayment: request.purposeOfPayment ?? null,
      lockedCurrencySide: request.lockedCurrencySide,
      expiresAt,
      createdAt,
    },
  })
  await tx.transaction.create({
    data: {
      platformId,
      id: newUuid(),
      type: 'OUTGOING',
      direction: 'DEBIT',
      status: 'PENDING',
      customerId: customer?.id ?? null,
      platformCustomerId: customer?.platformCustomerId ?? null,
      agentId,
      quoteId: id,
      ...ends,
      sourceCurrency: sender.currency,
      sourceCustomerId: customer?.id ?? null,
      destinationCurrency: receiver.currency,
      sentAmount: price.totalSendingAmount,
      sentCurrency: sender.currency,
      receivedAmount: price.totalReceivingAmount,
      receivedCurrency: receiver.currency,
      fees: price.feesIncluded,
      platformFees: price.platformFeesIncluded,
      exchangeRate,
      description: request.description ?? null,
      reconciliationReference: reference,
      ...(instructions && { paymentInstructions: instructions }),
      ...namedRail(receiver.rail),
      createdAt,
    },
  })
  await addJob(tx, expireQuote, { platformId, quoteId: id }, { runAt: expiresAt })
  return id
}
