import type { PaymentInstructions } from '#accounts/account-info.ts'
import { DESTINATION_TYPES, SOURCE_TYPES } from '#accounts/party.ts'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import type { Caller } from '#core/caller.ts'
import { query, sql } from '#database/db.ts'
import {
  amount,
  decimal,
  json,
  listOf,
  nullable,
  ofItself,
  oneOf,
  type RecordOf,
  record,
  selectByIds,
  selectByOwner,
  selectPartsByIds,
  text,
  time,
} from '#database/record.ts'
import type { CounterpartyInformation, RateDetails } from '#transactions/rate-details.ts'
import { TransactionRecord } from '#transactions/transaction.ts'

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
    id: text,
    customerId: nullable(text),
    status: oneOf(QUOTE_STATUSES),
    sourceType: oneOf(SOURCE_TYPES),
    sourceInternalAccountId: nullable(text),
    sourceExternalAccountId: nullable(text),
    sourceUmaAddress: nullable(text),
    destinationType: oneOf(DESTINATION_TYPES),
    destinationInternalAccountId: nullable(text),
    destinationExternalAccountId: nullable(text),
    destinationUmaAddress: nullable(text),
    destinationPaymentRail: nullable(oneOf(PAYMENT_RAILS)),
    sendingCurrency: text,
    receivingCurrency: text,
    totalSendingAmount: amount,
    totalReceivingAmount: amount,
    exchangeRate: decimal,
    feesIncluded: amount,
    platformFeesIncluded: nullable(amount),
    paymentInstructions: nullable(json<readonly PaymentInstructions[]>()),
    counterpartyInformation: nullable(json<CounterpartyInformation>()),
    rateDetails: nullable(json<RateDetails>()),
    expiresAt: time,
    createdAt: time,
    updatedAt: time,
  },
  { agentSees: ofItself },
)
export type Quote = RecordOf<typeof QuoteRecord>

export const quotesByIds = (caller: Caller, ids: readonly string[]) => selectByIds(caller, QuoteRecord, ids)

/** The id of each quote's payment, null while there is none. */
export const paymentIdsOfQuotes = async (caller: Caller, quoteIds: readonly string[]) => {
  QuoteRecord.requireView(caller)
  const payments = await paymentIds(caller, quoteIds)
  return quoteIds.map((id) => payments.get(id) ?? null)
}

/** The payments of quotes that the caller was let see: they are parts of them, and need no other permission. */
export const paymentIds = async (caller: Caller, quoteIds: readonly string[]): Promise<Map<string, string>> => {
  const rows = await query(sql`
    select t.quote_id, t.id from transactions t
    where ${TransactionRecord.visibleTo(caller)} and t.quote_id = any(${quoteIds}::uuid[])`)
  return new Map(rows.map(([quoteId, id]) => [String(quoteId), String(id)]))
}

export const SCA_FACTORS = ['SMS_OTP', 'TOTP', 'PASSKEY'] as const
export const SCA_PURPOSES = ['CURRENCY_CONVERSION', 'PAYOUT', 'TRANSFER'] as const

/** Strong Customer Authentication that the quote waits for. */
export const ScaChallengeRecord = record('sca_challenges', {
  id: text,
  quoteId: text,
  factor: oneOf(SCA_FACTORS),
  availableFactors: listOf(SCA_FACTORS),
  purpose: oneOf(SCA_PURPOSES),
  passkeyAssertionOptions: nullable(json<unknown>()),
  passkeyAllowedOrigins: listOf<string>([]),
  expiresAt: time,
  createdAt: time,
})
export type ScaChallenge = RecordOf<typeof ScaChallengeRecord>

/** Of those that wait for one, by the id of the quote: parts of quotes that the caller was let see. */
export const pendingChallengesOf = (caller: Caller, quotes: readonly Quote[]) => {
  const waiting = quotes.filter(({ status }) => status === 'PENDING_AUTHORIZATION')
  return selectPartsByIds(
    caller,
    ScaChallengeRecord,
    waiting.map(({ id }) => id),
    'quoteId',
  )
}

export const scaChallengesByIds = (caller: Caller, ids: readonly string[]) =>
  selectByIds(caller, ScaChallengeRecord, ids)

export const scaChallengesOfQuotes = async (caller: Caller, quoteIds: readonly string[]) => {
  const challenges = await selectByOwner(caller, ScaChallengeRecord, 'quoteId', quoteIds)
  return challenges.map(([challenge]) => challenge ?? null)
}
