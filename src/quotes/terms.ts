// The price and terms of a quote.
import type { Caller } from '#core/caller.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { sql } from '#database/db.ts'
import { time } from '#database/record.ts'
import { lookUpTogether, type Send } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import {
  type PlatformCurrency,
  PlatformCurrencyRecord,
  requireWithinAll,
  selectCurrencies,
} from '#platforms/settings/currencies.ts'
import type { Parties } from '#settlement/parties.ts'
import type { CounterpartyInformation, RateDetails } from '#transactions/rate-details.ts'
import type { Demanded } from '#uma/pay-request.ts'
import { type PlatformFees, platformFeeOf, readFees, selectingFees } from './platform-fee.ts'
import { type Price, priceOf, serviceFeeOf } from './price.ts'
import { isSameValue, rateOf, rateText } from './rates/rate.ts'
import { currentRates, selectingRates } from './rates/rate-table.ts'
import type { QuoteRequest } from './request.ts'

export interface Terms extends Price {
  readonly exchangeRate: string
  /** The quote is created at this time. */
  readonly pricedAt: Date
  /** Only for a payment to a UMA address. */
  readonly uma?: UmaTerms
}

export interface UmaTerms {
  readonly rateDetails: RateDetails
  readonly counterpartyInformation: CounterpartyInformation
  /** Null for an address of the sandbox. */
  readonly demand: (Demanded & { readonly providerId: string }) | null
}

/** What a price depends on, as it was at one time. */
export interface PriceFacts {
  readonly readAt: Date
  readonly currencies: readonly PlatformCurrency[]
  readonly fees: PlatformFees
  readonly rates: readonly Row[]
}

/** The statements whose rows `readPriceFacts` reads. */
export const selectingPriceFacts = (caller: Pick<Caller, 'platformId' | 'environment'>) =>
  [
    sql`select now()::timestamptz(3)`,
    selectCurrencies(caller),
    selectingFees(caller),
    selectingRates(caller.environment),
  ] as const

export const readPriceFacts = ([times, currencies, fees, rates]: readonly [
  readonly Row[],
  readonly Row[],
  readonly Row[],
  readonly Row[],
]): PriceFacts => ({
  readAt: new Date(time.decode(times[0]?.[0] ?? '')),
  currencies: currencies.map((row) => PlatformCurrencyRecord.read(row)),
  fees: readFees(fees),
  rates,
})

/**
 * Price and terms at the current rate. Throws 400 `INVALID_CURRENCY` and `AMOUNT_OUT_OF_RANGE` for what the platform does not support, and
 * what `currentRates` throws.
 */
export const termsOf = async (
  { platformId, environment }: Pick<Caller, 'platformId' | 'environment'>,
  { sender, receiver }: Pick<Parties, 'sender' | 'receiver'>,
  request: Pick<QuoteRequest, 'lockedCurrencySide' | 'lockedCurrencyAmount'>,
  facts: PriceFacts,
  send: Send = lookUpTogether,
): Promise<Terms> => {
  const isSame = isSameValue(sender.currency, receiver.currency)
  const rates = isSame ? {} : (await currentRates(environment, facts.rates)).rates
  const rate = rateOf(rates, sender.currency, receiver.currency)
  const price = priceOf({
    lockedSide: request.lockedCurrencySide,
    lockedAmount: request.lockedCurrencyAmount,
    rate,
    sendingDecimals: currencyOf(sender.currency).decimals,
    receivingDecimals: currencyOf(receiver.currency).decimals,
    platformFee: await platformFeeOf(platformId, facts.fees, sender.currency, receiver.currency, send),
    serviceFee: serviceFeeOf(sender.currency, receiver.currency),
  })
  const amountField = 'lockedCurrencyAmount'
  requireWithinAll(facts.currencies, [
    {
      currency: sender.currency,
      field: sender.account ? 'source.accountId' : 'source.currency',
      payment: { type: 'OUTGOING', amount: price.totalSendingAmount, amountField },
    },
    {
      currency: receiver.currency,
      field: 'destination.accountId',
      payment: { amount: price.totalReceivingAmount, amountField },
    },
  ])
  return { ...price, exchangeRate: rateText(rate), pricedAt: facts.readAt }
}
