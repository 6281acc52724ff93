// The reference rates of the sandbox and the arithmetic of quotes, in integers throughout.
import { currencyOf } from '#core/currencies.ts'

/** Per US dollar, in hundred-millionths. */
const PER_USD = {
  USD: 100_000_000n,
  EUR: 92_000_000n,
  GBP: 79_000_000n,
  MXN: 1_725_000_000n,
  BRL: 540_000_000n,
  INR: 9_250_000_000n,
  PHP: 5_800_000_000n,
  NGN: 155_000_000_000n,
  KES: 12_900_000_000n,
  COP: 410_000_000_000n,
  JPY: 15_000_000_000n,
  CAD: 137_000_000n,
  DKK: 687_000_000n,
  HKD: 780_000_000n,
  SGD: 134_000_000n,
  VND: 2_540_000_000_000n,
  CNY: 720_000_000n,
  ZAR: 1_820_000_000n,
  BTC: 833n,
  USDC: 100_000_000n,
  USDT: 100_000_000n,
  USDB: 100_000_000n,
} as const satisfies Record<string, bigint>

export type CurrencyCode = keyof typeof PER_USD

/** One of the currency in its smallest unit. */
export const unit = (code: CurrencyCode) => 10n ** BigInt(currencyOf(code).decimals)

const ONE = 10n ** 18n
const halfUp = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)

/** Sending per receiving, in 10⁻¹⁸: 8 decimals, or 8 significant digits below 0.01. */
export const rateOf = (sending: CurrencyCode, receiving: CurrencyCode): bigint => {
  const [s, r] = [PER_USD[sending], PER_USD[receiving]]
  let places = 8n
  if (s * 100n < r) while (s * 10n ** places < r * 10_000_000n) places += 1n
  return halfUp(s * 10n ** places, r) * 10n ** (18n - places)
}

export const decimalOf = (scaled: bigint) => `${scaled / ONE}.${String(scaled % ONE).padStart(18, '0')}`

/** A dollar amount in cents as an amount of another currency, in its smallest unit. */
export const worth = (cents: number, code: CurrencyCode): bigint =>
  (BigInt(cents) * PER_USD[code] * unit(code)) / (100n * 100_000_000n)

const DOLLARS: readonly string[] = ['USD', 'USDC', 'USDT', 'USDB']
export const serviceBps = (sending: CurrencyCode, receiving: CurrencyCode) =>
  sending === receiving || (DOLLARS.includes(sending) && DOLLARS.includes(receiving)) ? 0n : 50n

export type PlatformFee = { fixed: bigint; bps: bigint }
const NO_FEE: PlatformFee = { fixed: 0n, bps: 0n }

export type Price = {
  sending: CurrencyCode
  receiving: CurrencyCode
  send: bigint
  receive: bigint
  fees: bigint
  platformFees: bigint
  exchangeRate: string
}

/** The amount locked on the sending side (domain reference, section 6.1). */
export const priceOf = (
  sending: CurrencyCode,
  receiving: CurrencyCode,
  send: bigint,
  platform: PlatformFee = NO_FEE,
): Price => {
  const base = send - platform.fixed
  const platformFees = platform.fixed + halfUp(base * platform.bps, 10_000n)
  const fees = platformFees + halfUp(base * serviceBps(sending, receiving), 10_000n)
  const scaled = rateOf(sending, receiving)
  const receive = ((send - fees) * unit(receiving) * ONE) / (scaled * unit(sending))
  return {
    sending,
    receiving,
    send,
    receive,
    fees,
    platformFees,
    exchangeRate: decimalOf(scaled),
  }
}

/** How many thousandths of a satoshi one smallest unit of the currency is worth. */
export const milliSatoshis = (code: CurrencyCode) =>
  Number((833n * 1000n * 100_000_000n * 10_000n) / (PER_USD[code] * unit(code))) / 10_000

/** What the counterparty of a UMA payment and the service each take. */
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
