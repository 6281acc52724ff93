// The reference rates of the sandbox and the arithmetic of quotes, in integers throughout.

/** Per US dollar in hundred-millionths, and the decimals of the currency. */
const CURRENCIES = {
  USD: [100_000_000n, 2],
  EUR: [92_000_000n, 2],
  GBP: [79_000_000n, 2],
  MXN: [1_725_000_000n, 2],
  BRL: [540_000_000n, 2],
  INR: [9_250_000_000n, 2],
  PHP: [5_800_000_000n, 2],
  NGN: [155_000_000_000n, 2],
  KES: [12_900_000_000n, 2],
  COP: [410_000_000_000n, 2],
  JPY: [15_000_000_000n, 0],
  CAD: [137_000_000n, 2],
  DKK: [687_000_000n, 2],
  HKD: [780_000_000n, 2],
  SGD: [134_000_000n, 2],
  VND: [2_540_000_000_000n, 0],
  CNY: [720_000_000n, 2],
  ZAR: [1_820_000_000n, 2],
  BTC: [833n, 8],
  USDC: [100_000_000n, 6],
  USDT: [100_000_000n, 6],
  USDB: [100_000_000n, 6],
} as const satisfies Record<string, readonly [bigint, number]>

export type CurrencyCode = keyof typeof CURRENCIES

const perUsd = (code: CurrencyCode) => CURRENCIES[code][0]
const unit = (code: CurrencyCode) => 10n ** BigInt(CURRENCIES[code][1])

const ONE = 10n ** 18n
const halfUp = (numerator: bigint, denominator: bigint) =>
  (2n * numerator + denominator) / (2n * denominator)

/** Sending per receiving, in 10⁻¹⁸: 8 decimals, or 8 significant digits below 0.01. */
const rate = (sending: CurrencyCode, receiving: CurrencyCode): bigint => {
  const [s, r] = [perUsd(sending), perUsd(receiving)]
  let places = 8n
  if (s * 100n < r) while (s * 10n ** places < r * 10_000_000n) places += 1n
  return halfUp(s * 10n ** places, r) * 10n ** (18n - places)
}

export const decimalOf = (scaled: bigint) =>
  `${scaled / ONE}.${String(scaled % ONE).padStart(18, '0')}`

/** A dollar amount in cents as an amount of another currency, in its smallest unit. */
export const worth = (cents: number, code: CurrencyCode): bigint =>
  (BigInt(cents) * perUsd(code) * unit(code)) / (100n * 100_000_000n)

const DOLLARS: readonly string[] = ['USD', 'USDC', 'USDT', 'USDB']
const serviceBps = (sending: CurrencyCode, receiving: CurrencyCode) =>
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
  const scaled = rate(sending, receiving)
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
const milliSatoshis = (code: CurrencyCode) =>
  Number((833n * 1000n * 100_000_000n * 10_000n) / (perUsd(code) * unit(code))) / 10_000

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
