// The price and terms of a quote.
import type { Caller } from '#core/caller.ts'
import { currencyOf } from '#core/codes/currencies.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { requireSupported } from '#platforms/settings/currencies.ts'
import type { Parties } from '#settlement/parties.ts'
import type { CounterpartyInformation, RateDetails } from '#transactions/rate-details.ts'
import type { Demanded } from '#uma/pay-request.ts'
import { platformFeeOf } from './platform-fee.ts'
import { type Price, priceOf, serviceFeeOf } from './price.ts'
import { isSameValue, rateOf, rateText } from './rates/rate.ts'
import { currentRates } from './rates/rate-table.ts'
import type { QuoteRequest } from './request.ts'

export interface Terms extends Price {
  readonly exchangeRate: string
  /** Only of a payment to a UMA address. */
  readonly uma?: UmaTerms
}

export interface UmaTerms {
  readonly rateDetails: RateDetails
  readonly counterpartyInformation: CounterpartyInformation
  /** Null for an address of the sandbox. */
  readonly demand: (Demanded & { readonly providerId: string }) | null
}

/**
 * Price and terms at the current rate. Throws 400 `INVALID_CURRENCY` and `AMOUNT_OUT_OF_RANGE` for what the platform does not support, and
 * what `currentRates` throws.
 */
export const termsOf = async (
  { platformId, environment }: Pick<Caller, 'platformId' | 'environment'>,
  { sender, receiver }: Pick<Parties, 'sender' | 'receiver'>,
  request: Pick<QuoteRequest, 'lockedCurrencySide' | 'lockedCurrencyAmount'>,
  on: Tx | typeof db = db,
): Promise<Terms> => {
  const rates = isSameValue(sender.currency, receiver.currency) ? {} : (await currentRates(environment, on)).rates
  const rate = rateOf(rates, sender.currency, receiver.currency)
  const price = priceOf({
    lockedSide: request.lockedCurrencySide,
    lockedAmount: request.lockedCurrencyAmount,
    rate,
    sendingDecimals: currencyOf(sender.currency).decimals,
    receivingDecimals: currencyOf(receiver.currency).decimals,
    platformFee: await platformFeeOf(platformId, sender.currency, receiver.currency, on),
    serviceFee: serviceFeeOf(sender.currency, receiver.currency),
  })
  const amountField = 'lockedCurrencyAmount'
  await requireSupported(
    { platformId },
    [
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
    ],
    on,
  )
  return { ...price, exchangeRate: rateText(rate) }
}
