import type { PaymentInstructions } from '#accounts/account-info.ts'
import { DESTINATION_TYPES, SOURCE_TYPES } from '#accounts/party/party.ts'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { lookUp, sql } from '#database/db.ts'
import {
  amount,
  decimal,
  json,
  nullable,
  ofItself,
  oneOf,
  type RecordOf,
  record,
  text,
  time,
} from '#database/record.ts'
import { challengesOfQuotes } from '#sca/challenge/challenge.ts'
import {
  COUNTERPARTY_INFORMATION,
  type CounterpartyInformation,
  RATE_DETAILS,
  type RateDetails,
} from '#transactions/rate-details.ts'
import { EXCHANGE_RATE, PAYMENT_INSTRUCTIONS } from '#transactions/texts.ts'
import { TransactionRecord } from '#transactions/transaction.ts'
import { LOCKED_SIDES } from './price.ts'

export const QUOTE_STATUSES = [
  'PENDING',
  'PENDING_AUTHORIZATION',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
] as const

export const QuoteRecord = record(
  'quotes',
  {
    id: text.describe('`Quote:<uuid>`.'),
    customerId: nullable(text),
    agentId: nullable(text),
    status: oneOf(QUOTE_STATUSES).describe('State of the quote.'),
    sourceType: oneOf(SOURCE_TYPES),
    sourceInternalAccountId: nullable(text),
    sourceExternalAccountId: nullable(text),
    sourceUmaAddress: nullable(text),
    destinationType: oneOf(DESTINATION_TYPES),
    destinationInternalAccountId: nullable(text),
    destinationExternalAccountId: nullable(text),
    destinationUmaAddress: nullable(text),
    destinationPaymentRail: nullable(oneOf(PAYMENT_RAILS)),
    sendingCurrency: text.describe('Currency of the sender.'),
    receivingCurrency: text.describe('Currency of the recipient.'),
    lockedCurrencySide: oneOf(LOCKED_SIDES).describe(
      'Which amount is fixed. When an expired quote is priced again, this amount stays and the other one changes.',
    ),
    totalSendingAmount: amount.describe('The amount sent, fees included, in the smallest unit of `sendingCurrency`.'),
    totalReceivingAmount: amount.describe('The amount received, in the smallest unit of `receivingCurrency`.'),
    exchangeRate: decimal.describe(EXCHANGE_RATE),
    feesIncluded: amount.describe('All fees in `totalSendingAmount`, in the smallest unit of `sendingCurrency`.'),
    platformFeesIncluded: nullable(amount).describe("The platform's share of `feesIncluded`, in the same unit."),
    paymentInstructions: nullable(json<readonly PaymentInstructions[]>()).describe(PAYMENT_INSTRUCTIONS),
    counterpartyInformation: nullable(json<CounterpartyInformation>()).describe(COUNTERPARTY_INFORMATION),
    rateDetails: nullable(json<RateDetails>()).describe(RATE_DETAILS),
    expiresAt: time.describe('When the quote expires. It must be executed or funded before then.'),
    createdAt: time.describe('When the quote was created.'),
    updatedAt: time,
  },
  { agentSees: ofItself },
)
export type Quote = RecordOf<typeof QuoteRecord>

/** Fields of a quote that are not its columns. */
export const QUOTE_TEXTS = {
  source: 'Where the money comes from.',
  destination: 'Where the money goes.',
  transactionId: '`Transaction:<uuid>` of the payment. It exists as soon as the quote does.',
  scaChallenge: 'Pending Strong Customer Authentication. Only while `PENDING_AUTHORIZATION`.',
} as const

/** The fields of a quote in REST. */
export const QUOTE_FIELDS = [
  'id',
  'status',
  'createdAt',
  'expiresAt',
  'source',
  'destination',
  'sendingCurrency',
  'receivingCurrency',
  'totalSendingAmount',
  'totalReceivingAmount',
  'exchangeRate',
  'feesIncluded',
  'platformFeesIncluded',
  'transactionId',
  'paymentInstructions',
  'counterpartyInformation',
  'rateDetails',
  'scaChallenge',
]

export const unknownQuote = () => new ApiError('QUOTE_NOT_FOUND', 'There is no such quote')

/** The id of each quote's payment. Null for an unknown quote. */
export const paymentIdsOfQuotes = async (caller: Caller, quoteIds: readonly string[]) => {
  QuoteRecord.requireView(caller)
  const payments = await paymentIds(caller, quoteIds)
  return quoteIds.map((id) => payments.get(id) ?? null)
}

/** Maps quotes to their payments. The caller must already be allowed to see the quotes, and needs no other permission. */
export const paymentIds = async (caller: Caller, quoteIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await lookUp(sql`
    select t.quote_id, t.id from transactions t
    where ${TransactionRecord.visibleTo(caller)} and t.quote_id = any(${quoteIds}::uuid[])`)
  return new Map(rows.map(([quoteId, id]) => [String(quoteId), String(id)]))
}

/** Pending challenges by the id of their quote. The caller must already be allowed to see the quotes. */
export const pendingChallengesOf = (caller: Caller, quotes: readonly Quote[]) => {
  const waiting = quotes.filter(({ status }) => status === 'PENDING_AUTHORIZATION')
  return challengesOfQuotes(
    caller,
    waiting.map(({ id }) => id),
  )
}
