// Creates a quote and its outgoing transaction (docs/domain/quotes.md#quote-fields).
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import { addingJob } from '#database/jobs.ts'
import { selectWritten } from '#database/record.ts'
import { insertingRows } from '#database/round-trips.ts'
import { inTransaction, isDuplicate, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { instructionsOf } from '#settlement/instructions.ts'
import { findParties, type Parties, type Receiver, type Sender } from '#settlement/parties.ts'
import { requirePayer } from '#settlement/payer.ts'
import { paymentOf } from '#settlement/payment-status.ts'
import { namedRail } from '#settlement/rails.ts'
import { newReference } from '#settlement/reference.ts'
import { askForAuthorization, needsSca, startQuote } from './authorization/sca.ts'
import { expireQuote } from './expire.ts'
import { type Quote, QuoteRecord } from './quote.ts'
import { parseQuoteRequest, type QuoteRequest } from './request.ts'
import { type Terms, termsOf } from './terms.ts'
import { demandColumns, umaTermsOf } from './uma/terms.ts'

const LIFE_SECONDS = 5 * 60
/** Time for a bank, or for Spark, to deliver the money. */
const SLOW_LIFE_SECONDS = 15 * 60
/** Of Lightning and UMA, whose rates are good for a minute. */
const SHORT_LIFE_SECONDS = 60

const lifeOf = ({ account, network }: Sender, { uma }: Receiver) => {
  if (network === 'LIGHTNING' || (uma && account)) return SHORT_LIFE_SECONDS
  if (account || (network && network !== 'SPARK')) return LIFE_SECONDS
  return SLOW_LIFE_SECONDS
}

/** Platforms need the permission TRANSACT, agents CREATE_QUOTES. */
export const createQuote = async (caller: Caller, input: unknown, record: RecordResult): Promise<Quote> => {
  requirePayer(caller, 'CREATE_QUOTES')
  const request = parseQuoteRequest(input)
  const parties = await findParties(caller, request)
  if (request.immediatelyExecute) refuseImmediate(caller, parties)
  const { uma } = parties.receiver
  const terms = await (uma ? umaTermsOf(caller, parties, uma, request) : termsOf(caller, parties, request))
  const agentId = caller.scheme === 'AGENT' ? caller.agentId : null
  const write = () =>
    inTransaction(async (tx) => {
      const quoteId = await insertQuote(tx, { ...caller, agentId }, parties, request, terms)
      if (request.immediatelyExecute) {
        await startQuote(tx, caller, await paymentOf(tx, caller.platformId, quoteId), request.scaFactor)
      }
      await record(tx, quoteId)
      return quoteId
    })
  const id = await write().catch((error) => {
    // Another quote has the same random reference: draw again.
    if (!isDuplicate(error)) throw error
    return write()
  })
  return selectWritten(caller, QuoteRecord, id)
}

/** Immediate execution is for internal accounts of platforms: agents execute under their policy, wallets sign, other quotes wait for funds. */
const refuseImmediate = (caller: Caller, { sender }: Parties) => {
  const isPlain = caller.scheme === 'PLATFORM' && sender.account !== null && sender.account.type !== 'EMBEDDED_WALLET'
  if (!isPlain) throw invalidInput('immediatelyExecute', 'A payment from this source cannot be executed immediately')
}

interface Creator extends Pick<Caller, 'platformId' | 'environment'> {
  /** The agent that creates the quote. Null for the platform. */
  readonly agentId: string | null
}

type Wishes = Pick<QuoteRequest, 'lockedCurrencySide' | 'description' | 'remittanceInformation' | 'purposeOfPayment'> &
  Partial<Pick<QuoteRequest, 'scaFactor'>>

/**
 * Writes the quote, its payment and the job that expires both. Returns the quote's id. A quote that is funded in real time and needs Strong
 * Customer Authentication is `PENDING_AUTHORIZATION`, and its payment instructions are withheld.
 */
export const insertQuote = async (
  tx: Tx,
  creator: Creator,
  parties: Parties,
  request: Wishes,
  terms: Terms,
): Promise<string> => {
  const id = newUuid()
  const createdAt = await timeOf(tx)
  const demand = terms.uma?.demand ?? null
  const latest = createdAt.getTime() + 1_000 * lifeOf(parties.sender, parties.receiver)
  const expiresAt = new Date(Math.min(latest, demand?.expiresAt.getTime() ?? latest))
  const reference = parties.sender.account ? null : newReference()
  const paymentInstructions = instructionsOf(creator, parties.sender, reference, {
    quoteId: publicId('Quote', id),
    destinationId:
      parties.receiver.internal?.id ?? parties.receiver.external?.id ?? parties.receiver.uma?.umaAddress ?? '',
    totalSendingAmount: terms.totalSendingAmount,
    totalReceivingAmount: terms.totalReceivingAmount,
    createdAt,
    expiresAt,
  })
  const { customer: payer, receiver } = parties
  const customer = parties.sender.account
    ? null
    : await needsSca(tx, {
        customer: payer,
        isFromWallet: false,
        destinationExternalAccountId: receiver.external?.id ?? null,
      })
  const shared = {
    ...sharedColumns(creator, parties, terms),
    ...(paymentInstructions && !customer && { paymentInstructions }),
    createdAt,
    updatedAt: createdAt,
  }
  const payment = {
    ...shared,
    ...paymentColumns(parties, request, terms),
    quoteId: id,
    reconciliationReference: reference,
  }
  await tx.$executeRaw`
    with quote as (${insertingRows('quotes', [{ ...shared, ...quoteColumns(parties, request, terms), id, expiresAt }])}),
      payment as (${insertingRows('transactions', [payment])})
    ${addingJob(expireQuote, { platformId: creator.platformId, quoteId: id }, { runAt: expiresAt })}`
  if (demand) {
    await tx.umaDemand.create({
      data: { platformId: creator.platformId, transactionId: payment.id, ...demandColumns(demand) },
    })
  }
  if (customer) {
    const { scaFactor } = request
    await askForAuthorization(tx, creator, payment, { customer, scaFactor, latest: expiresAt, paymentInstructions })
  }
  return id
}

const sharedColumns = (
  { platformId, agentId }: Creator,
  { sender, receiver, customer }: Parties,
  { exchangeRate, uma }: Terms,
) =>
  ({
    platformId,
    agentId,
    customerId: customer?.id ?? null,
    status: 'PENDING',
    sourceType: sender.account ? 'ACCOUNT' : 'REALTIME_FUNDING',
    sourceInternalAccountId: sender.account?.id ?? null,
    destinationType: receiver.uma ? 'UMA_ADDRESS' : 'ACCOUNT',
    destinationUmaAddress: receiver.uma?.umaAddress ?? null,
    destinationInternalAccountId: receiver.internal?.id ?? null,
    destinationExternalAccountId: receiver.external?.id ?? null,
    destinationPaymentRail: receiver.rail,
    exchangeRate,
    ...(uma && { rateDetails: { ...uma.rateDetails }, counterpartyInformation: { ...uma.counterpartyInformation } }),
  }) as const

const quoteColumns = ({ sender, receiver }: Parties, request: Wishes, terms: Terms) => ({
  lockedCurrencySide: request.lockedCurrencySide,
  sendingCurrency: sender.currency,
  receivingCurrency: receiver.currency,
  totalSendingAmount: terms.totalSendingAmount,
  totalReceivingAmount: terms.totalReceivingAmount,
  feesIncluded: terms.feesIncluded,
  platformFeesIncluded: terms.platformFeesIncluded,
  remittanceInformation: request.remittanceInformation ?? null,
  purposeOfPayment: request.purposeOfPayment ?? null,
})

const paymentColumns = ({ sender, receiver, customer }: Parties, request: Wishes, terms: Terms) =>
  ({
    id: newUuid(),
    type: 'OUTGOING',
    direction: 'DEBIT',
    platformCustomerId: customer?.platformCustomerId ?? null,
    sourceCurrency: sender.currency,
    sourceCustomerId: customer?.id ?? null,
    destinationCurrency: receiver.currency,
    sentAmount: terms.totalSendingAmount,
    sentCurrency: sender.currency,
    receivedAmount: terms.totalReceivingAmount,
    receivedCurrency: receiver.currency,
    fees: terms.feesIncluded,
    platformFees: terms.platformFeesIncluded,
    description: request.description ?? null,
    ...namedRail(receiver.rail),
  }) as const
