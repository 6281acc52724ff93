// Creates a quote and its outgoing transaction (docs/domain/quotes.md#quote-fields).
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import { isInScaRegion } from '#customers/profile/sca-region.ts'
import { insertingRows } from '#database/columns.ts'
import { addingJob } from '#database/jobs/jobs.ts'
import { inRoundTrips, lookUpTogether, sendIn } from '#database/round-trips.ts'
import { inTransaction, isDuplicate, type Tx } from '#database/unit-of-work.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { instructionsOf } from '#settlement/instructions.ts'
import {
  findUmaReceiver,
  type Parties,
  partiesOf,
  type Receiver,
  type Sender,
  selectingParties,
} from '#settlement/parties.ts'
import { requirePayer } from '#settlement/payer.ts'
import { paymentOf } from '#settlement/payment-status.ts'
import { namedRail } from '#settlement/rails.ts'
import { newReference } from '#settlement/reference.ts'
import { counterpartyColumn } from '#transactions/rate-details.ts'
import { askForAuthorization, needsSca, startQuote } from './authorization/sca.ts'
import { expireQuote } from './expire.ts'
import { parseQuoteRequest, type QuoteRequest } from './request.ts'
import { readPriceFacts, selectingPriceFacts, type Terms, termsOf } from './terms.ts'
import { demandColumns, requireNewDemand, umaTermsOf } from './uma/terms.ts'

const LIFE_SECONDS = 5 * 60
/** Time for a bank, or for Spark, to deliver the money. */
const SLOW_LIFE_SECONDS = 15 * 60
/** The lifetime of quotes over Lightning and UMA, whose rates are valid for a minute. */
const SHORT_LIFE_SECONDS = 60

const lifeOf = ({ account, network }: Sender, { uma, external }: Receiver) => {
  const isShort = uma !== null || external?.accountType === 'LIGHTNING'
  if (network === 'LIGHTNING' || (isShort && account)) return SHORT_LIFE_SECONDS
  if (account || (network && network !== 'SPARK')) return LIFE_SECONDS
  return SLOW_LIFE_SECONDS
}

/** Platforms need the permission TRANSACT, agents CREATE_QUOTES. Returns the quote's id. */
export const createQuote = async (caller: Caller, input: unknown, record: RecordResult): Promise<string> => {
  requirePayer(caller, 'CREATE_QUOTES')
  const request = parseQuoteRequest(input)
  const uma = await findUmaReceiver(caller, request)
  const [internal, external, customers, ...priceRows] = await lookUpTogether(
    ...selectingParties(caller, request, uma),
    ...selectingPriceFacts(caller),
  )
  const parties = partiesOf(caller, request, uma, [internal, external, customers])
  if (request.immediatelyExecute) refuseImmediate(caller, parties)
  const facts = readPriceFacts(priceRows)
  const terms = await (uma
    ? umaTermsOf(caller, parties, uma, request, facts)
    : termsOf(caller, parties, request, facts))
  const agentId = caller.scheme === 'AGENT' ? caller.agentId : null
  const creator = { ...caller, agentId }
  const writeRows = () =>
    inRoundTrips(async ({ send, commitWith }) => {
      const { id, statements } = newQuote(creator, parties, request, terms)
      await record.within(send, id)
      await commitWith(...statements)
      return id
    })
  const writeWithMore = () =>
    inTransaction(async (tx) => {
      const id = await insertQuote(tx, creator, parties, request, terms)
      if (request.immediatelyExecute) {
        await startQuote(tx, caller, await paymentOf(tx, caller.platformId, id), request.scaFactor)
      }
      await record(tx, id)
      return id
    })
  const write = request.immediatelyExecute || mayNeedAuthorization(parties) ? writeWithMore : writeRows
  return write().catch(async (error) => {
    if (!isDuplicate(error)) throw error
    await requireNewDemand(caller, terms)
    // Another quote has the same random reference: draw again.
    return write()
  })
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

type QuoteOptions = Pick<
  QuoteRequest,
  'lockedCurrencySide' | 'description' | 'remittanceInformation' | 'purposeOfPayment'
> &
  Partial<Pick<QuoteRequest, 'scaFactor'>>

/**
 * Writes the quote, its payment and the job that expires both. Returns the quote's id. A quote that is funded in real time and needs Strong
 * Customer Authentication is `PENDING_AUTHORIZATION`, and its payment instructions are withheld.
 */
export const insertQuote = async (
  tx: Tx,
  creator: Creator,
  parties: Parties,
  request: QuoteOptions,
  terms: Terms,
): Promise<string> => {
  const customer = await authorizerOf(tx, creator, parties)
  const { id, payment, statements, ...made } = newQuote(creator, parties, request, terms, customer !== null)
  await sendIn(tx, ...statements)
  if (customer) {
    const { scaFactor } = request
    const { expiresAt: latest, paymentInstructions } = made
    await askForAuthorization(tx, creator, payment, { customer, scaFactor, latest, paymentInstructions })
  }
  return id
}

/** For a quote that is funded in real time: its payment instructions are withheld until the customer authorizes it. */
const mayNeedAuthorization = ({ sender, customer }: Parties): boolean =>
  sender.account === null && isInScaRegion(customer?.region ?? null)

const authorizerOf = async (tx: Tx, { platformId }: Creator, parties: Parties) => {
  if (!mayNeedAuthorization(parties)) return null
  const where = { platformId_id: { platformId, id: parties.customer?.id ?? '' } }
  return needsSca(tx, {
    customer: await tx.customer.findUniqueOrThrow({ where }),
    isFromWallet: false,
    destinationExternalAccountId: parties.receiver.external?.id ?? null,
  })
}

/** The statements that write a quote, its payment, its demand and the job that expires it. */
const newQuote = (creator: Creator, parties: Parties, request: QuoteOptions, terms: Terms, isWithheld = false) => {
  const { platformId } = creator
  const id = newUuid()
  const createdAt = terms.pricedAt
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
  const shared = {
    ...sharedColumns(creator, parties, terms),
    ...(paymentInstructions && !isWithheld && { paymentInstructions }),
    createdAt,
    updatedAt: createdAt,
  }
  const payment = {
    ...shared,
    ...paymentColumns(parties, request, terms),
    quoteId: id,
    reconciliationReference: reference,
  }
  const statements = [
    insertingRows('quotes', [{ ...shared, ...quoteColumns(parties, request, terms), id, expiresAt }]),
    insertingRows('transactions', [payment]),
    ...(demand
      ? [insertingRows('uma_demands', [{ platformId, transactionId: payment.id, ...demandColumns(demand) }])]
      : []),
    addingJob(expireQuote, { platformId, quoteId: id }, { runAt: expiresAt }),
  ]
  return { id, payment, expiresAt, paymentInstructions, statements }
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
    ...(uma && { rateDetails: { ...uma.rateDetails }, ...counterpartyColumn(uma.counterpartyInformation) }),
  }) as const

const quoteColumns = ({ sender, receiver }: Parties, request: QuoteOptions, terms: Terms) => ({
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

const paymentColumns = ({ sender, receiver, customer }: Parties, request: QuoteOptions, terms: Terms) =>
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
    ...namedRail(receiver.rail, terms.pricedAt),
  }) as const
