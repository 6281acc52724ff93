// Making a quote: its price, its terms, and the outgoing transaction that moves with it (domain reference 6).
import type { Caller } from '#core/caller.ts'
import { currencyOf } from '#core/currencies.ts'
import { db } from '#core/db.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import { addJob } from '#core/jobs.ts'
import { selectWritten } from '#core/record.ts'
import { type Tx, transaction } from '#core/transaction.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { type Fee, NO_FEE, priceOf, serviceFeeOf } from '#quotes/price.ts'
import { type Quote, QuoteRecord } from '#quotes/quote.ts'
import { rateOf, rateText } from '#quotes/rate.ts'
import { type Ends, findEnds } from './ends.ts'
import { expireQuote } from './expire-quote.ts'
import { fundingInstructions, newReference, walletInstructions } from './instructions.ts'
import { requirePayer } from './payer.ts'
import { parseQuoteRequest, type QuoteRequest } from './quote-request.ts'
import { paymentOf } from './quote-status.ts'
import { startPayment } from './start.ts'

const LIFE_SECONDS = 5 * 60
const FUNDED_LIFE_SECONDS = 15 * 60

/** Platforms need the permission TRANSACT, agents CREATE_QUOTES. */
export const createQuote = async (caller: Caller, input: unknown): Promise<Quote> => {
  requirePayer(caller, 'CREATE_QUOTES')
  const request = parseQuoteRequest(input)
  const ends = await findEnds(caller, request)
  if (request.immediatelyExecute) refuseImmediate(caller, ends)
  const terms = await termsOf(caller, ends, request)
  const id = await transaction(async (tx) => {
    const quoteId = await insertQuote(tx, caller, ends, request, terms)
    if (request.immediatelyExecute) await startPayment(tx, caller, await paymentOf(tx, caller.platformId, quoteId))
    return quoteId
  })
  return selectWritten(caller, QuoteRecord, id)
}

/** An agent's payment is judged by its policy when it is executed; a wallet's needs a stamp; a funded one is pushed. */
const refuseImmediate = (caller: Caller, { sender }: Ends) => {
  const isPlain = caller.scheme === 'PLATFORM' && sender.account !== null && sender.account.type !== 'EMBEDDED_WALLET'
  if (!isPlain) throw invalidInput('immediatelyExecute', 'A payment from this source cannot be executed immediately')
}

const termsOf = async (caller: Caller, { sender, receiver }: Ends, request: QuoteRequest) => {
  const rate = rateOf(sender.currency, receiver.currency)
  const price = priceOf({
    lockedSide: request.lockedCurrencySide,
    lockedAmount: request.lockedCurrencyAmount,
    rate,
    sendingDecimals: currencyOf(sender.currency).decimals,
    receivingDecimals: currencyOf(receiver.currency).decimals,
    platformFee: await platformFeeOf(caller, sender.currency),
    serviceFee: serviceFeeOf(sender.currency, receiver.currency),
  })
  return { ...price, exchangeRate: rateText(rate) }
}

/** What the platform has set for itself, and an account to credit it to: without one it could not be collected. */
const platformFeeOf = async ({ platformId }: Caller, sendingCurrency: string): Promise<Fee> => {
  const fee = await db.platformFee.findUnique({
    where: { platformId_sendingCurrency: { platformId, sendingCurrency } },
  })
  if (!fee || (fee.fixed === 0n && fee.rate === 0)) return NO_FEE
  if (sendingCurrency !== 'USD') throw new ApiError('NOT_IMPLEMENTED', 'Platform fees are collected in USD only')
  return { fixed: fee.fixed, rate: BigInt(fee.rate) }
}

type Terms = Awaited<ReturnType<typeof termsOf>>

const insertQuote = async (
  tx: Tx,
  caller: Caller,
  { sender, receiver, customer }: Ends,
  request: QuoteRequest,
  { exchangeRate, ...price }: Terms,
) => {
  const { platformId } = caller
  const id = newUuid()
  const [{ expires_at: expiresAt } = { expires_at: new Date() }] = await tx.$queryRaw<{ expires_at: Date }[]>`
    select now() + make_interval(secs => ${sender.account ? LIFE_SECONDS : FUNDED_LIFE_SECONDS}) as expires_at`
  const reference = sender.account ? null : newReference()
  const paymentInstructions = sender.account
    ? sender.account.type === 'EMBEDDED_WALLET'
      ? walletInstructions({
          quoteId: publicId('Quote', id),
          accountId: sender.account.id,
          destinationId: receiver.internal?.id ?? receiver.external?.id ?? '',
          totalSendingAmount: price.totalSendingAmount,
          totalReceivingAmount: price.totalReceivingAmount,
          expiresAt: expiresAt.toISOString(),
        })
      : undefined
    : fundingInstructions(sender.currency, sender.network, reference ?? '')

  const agentId = caller.scheme === 'AGENT' ? caller.agentId : null
  const ends = {
    sourceType: sender.account ? 'ACCOUNT' : 'REALTIME_FUNDING',
    sourceInternalAccountId: sender.account?.id ?? null,
    destinationType: 'ACCOUNT',
    destinationInternalAccountId: receiver.internal?.id ?? null,
    destinationExternalAccountId: receiver.external?.id ?? null,
    destinationPaymentRail: receiver.rail,
  } as const
  const instructions = paymentInstructions as Prisma.InputJsonValue[] | undefined
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
      ...(request.senderCustomerInfo && { counterpartyInformation: request.senderCustomerInfo }),
      remittanceInformation: request.remittanceInformation ?? null,
      purposeOfPayment: request.purposeOfPayment ?? null,
      expiresAt,
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
      ...(request.senderCustomerInfo && { counterpartyInformation: request.senderCustomerInfo }),
      ...(receiver.rail && { paymentRail: receiver.rail, railSelectionMode: 'MANUAL' as const }),
    },
  })
  await addJob(tx, expireQuote, { platformId, quoteId: id }, { runAt: expiresAt })
  return id
}
