// Exchange rates and prices of the demo, computed like real quotes.
import { currencyOf } from '#core/codes/currencies.ts'
import { type Fee, NO_FEE, priceOf as priceOfQuote, serviceFeeOf } from '#quotes/price.ts'
import { perBase, rateOf, rateText, SANDBOX_RATES } from '#quotes/rates/rate.ts'

/** The currencies of the demo. */
export type CurrencyCode =
  | 'USD'
  | 'EUR'
  | 'GBP'
  | 'MXN'
  | 'BRL'
  | 'INR'
  | 'PHP'
  | 'NGN'
  | 'KES'
  | 'COP'
  | 'JPY'
  | 'CAD'
  | 'DKK'
  | 'HKD'
  | 'SGD'
  | 'VND'
  | 'CNY'
  | 'ZAR'
  | 'BTC'
  | 'USDC'
  | 'USDT'
  | 'USDB'

/** One major unit of the currency, in its smallest unit. */
export const unit = (code: CurrencyCode) => 10n ** BigInt(currencyOf(code).decimals)

/** Converts US cents to another currency, in its smallest unit. */
export const worth = (cents: number, code: CurrencyCode): bigint =>
  (BigInt(cents) * perBase(SANDBOX_RATES, code) * unit(code)) / (100n * 100_000_000n)

export type Price = {
  sending: CurrencyCode
  receiving: CurrencyCode
  send: bigint
  receive: bigint
  fees: bigint
  platformFees: bigint
  exchangeRate: string
}

/** The amount locked on the sending side. */
export const priceOf = (
  sending: CurrencyCode,
  receiving: CurrencyCode,
  send: bigint,
  platformFee: Fee = NO_FEE,
): Price => {
  const rate = rateOf(SANDBOX_RATES, sending, receiving)
  const price = priceOfQuote({
    lockedSide: 'SENDING',
    lockedAmount: send,
    rate,
    sendingDecimals: currencyOf(sending).decimals,
    receivingDecimals: currencyOf(receiving).decimals,
    platformFee,
    serviceFee: serviceFeeOf(sending, receiving),
  })
  return {
    sending,
    receiving,
    send,
    receive: price.totalReceivingAmount,
    fees: price.feesIncluded,
    platformFees: price.platformFeesIncluded,
    exchangeRate: rateText(rate),
  }
}

/** The value of the currency's smallest unit in millisatoshis. */
export const milliSatoshis = (code: CurrencyCode) =>
  Number((833n * 1000n * 100_000_000n * 10_000n) / (perBase(SANDBOX_RATES, code) * unit(code))) / 10_000

/** The fees of the UMA counterparty and of the service. */
export const rateDetailsOf = ({ sending, receiving, fees, platformFees }: Price) => {
  const variable = fees - platformFees
  return {
    counterpartyMultiplier: milliSatoshis(receiving),
    counterpartyFixedFee: 0,
    serviceApiMultiplier: variable > 0n ? milliSatoshis(sending) * 0.995 : milliSatoshis(sending),
    serviceApiFixedFee: 0,
    serviceApiVariableFeeRate: variable > 0n ? 0.005 : 0,
    serviceApiVariableFeeAmount: Number(variable),
  }
}
