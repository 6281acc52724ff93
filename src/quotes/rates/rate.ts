// Exchange rates: the fixed reference rates of the sandbox, and the rounding of a pair's rate (docs/domain/money-and-ids.md#exchange-rates).
import { currencyOf } from '#core/codes/currencies.ts'
import { ApiError } from '#core/errors.ts'

/** How much of each currency one unit of the table's base currency is, in hundred-millionths. */
export type RateTable = Readonly<Record<string, bigint>>

/** The rates of the sandbox. The base is the US dollar. */
export const SANDBOX_RATES: RateTable = {
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
  CNY: 720_000_000n,
  JPY: 15_000_000_000n,
  CAD: 137_000_000n,
  DKK: 687_000_000n,
  HKD: 780_000_000n,
  IDR: 1_620_000_000_000n,
  MYR: 445_000_000n,
  SGD: 134_000_000n,
  THB: 3_450_000_000n,
  VND: 2_540_000_000_000n,
  AED: 367_250_000n,
  MWK: 173_500_000_000n,
  RWF: 138_000_000_000n,
  TZS: 260_000_000_000n,
  UGX: 370_000_000_000n,
  XOF: 60_500_000_000n,
  XAF: 60_500_000_000n,
  ZAR: 1_820_000_000n,
  ZMW: 2_650_000_000n,
  BWP: 1_360_000_000n,
  BDT: 12_000_000_000n,
  ARS: 100_000_000_000n,
  EGP: 4_900_000_000n,
  GHS: 1_550_000_000n,
  GTQ: 775_000_000n,
  HTG: 13_100_000_000n,
  JMD: 15_700_000_000n,
  PKR: 28_000_000_000n,
  BTC: 833n,
  USDC: 100_000_000n,
  USDT: 100_000_000n,
  USDB: 100_000_000n,
}

/** Sending per receiving currency unit, in major units: `scaled / 10^18`, exact. */
export interface Rate {
  readonly scaled: bigint
}

export const RATE_SCALE = 18
const ONE = 10n ** BigInt(RATE_SCALE)

/** 8 decimals, rounded half-up; below 0.01 8 significant digits instead. */
export const rateOf = (rates: RateTable, sending: string, receiving: string): Rate =>
  isSameValue(sending, receiving) ? { scaled: ONE } : rounded(perBase(rates, sending), perBase(rates, receiving))

/** The rate by which the amounts, in smallest units, are worth the same. Undefined if it is too small or too large to be stored. */
export const rateOfAmounts = (sent: bigint, sending: string, received: bigint, receiving: string): Rate | undefined => {
  const numerator = sent * 10n ** BigInt(currencyOf(receiving).decimals)
  const denominator = received * 10n ** BigInt(currencyOf(sending).decimals)
  const isStorable = numerator * SMALLEST_PART >= denominator && numerator <= denominator * LARGEST_RATE
  return isStorable ? rounded(numerator, denominator) : undefined
}

/** Below a part of this size, 8 significant digits need more than 18 decimals. */
const SMALLEST_PART = 10n ** 11n
/** The database stores 20 digits before the decimal point. */
const LARGEST_RATE = 10n ** 19n

const rounded = (numerator: bigint, denominator: bigint): Rate => {
  let places = 8n
  if (numerator * 100n < denominator) while (numerator * 10n ** places < denominator * 10_000_000n) places += 1n
  return { scaled: halfUp(numerator * 10n ** places, denominator) * 10n ** (BigInt(RATE_SCALE) - places) }
}

/** A rate as a decimal number without superfluous zeros. */
export const rateText = ({ scaled }: Rate): string => {
  const fraction = String(scaled % ONE)
    .padStart(RATE_SCALE, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(scaled / ONE) : `${scaled / ONE}.${fraction}`
}

/** Dollars and dollar stablecoins have the same value. */
const DOLLARS = ['USD', 'USDC', 'USDT', 'USDB']

/** Whether one unit of one is one unit of the other, at any rates. */
export const isSameValue = (one: string, other: string): boolean =>
  one === other || (DOLLARS.includes(one) && DOLLARS.includes(other))

/** Millisatoshis for one smallest unit of the currency. Throws what `perBase` throws. */
export const msatsPerUnit = (rates: RateTable, currency: string): number =>
  Number(perBase(rates, 'BTC') * 10n ** 11n) /
  Number(perBase(rates, currency) * 10n ** BigInt(currencyOf(currency).decimals))

/** Throws 400 `QUOTE_REQUEST_FAILED` for a currency that the source of the rates does not have. */
export const perBase = (rates: RateTable, code: string): bigint => {
  const rate = rates[DOLLARS.includes(code) ? 'USD' : code]
  if (rate === undefined) {
    throw new ApiError('QUOTE_REQUEST_FAILED', `There is no exchange rate for ${code}`, { reason: 'NO_RATE' })
  }
  return rate
}

export const hasRate = (rates: RateTable, code: string): boolean =>
  rates[DOLLARS.includes(code) ? 'USD' : code] !== undefined

export const halfUp = (numerator: bigint, denominator: bigint) => (2n * numerator + denominator) / (2n * denominator)

export const ceil = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator

/** An amount in another currency's smallest unit, rounded up. */
export const convertUp = (rates: RateTable, amount: bigint, from: string, to: string): bigint =>
  from === to
    ? amount
    : ceil(
        amount * 10n ** BigInt(RATE_SCALE + currencyOf(to).decimals),
        rateOf(rates, from, to).scaled * 10n ** BigInt(currencyOf(from).decimals),
      )
