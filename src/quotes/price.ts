// Computes the totals and fees of a quote in integer arithmetic (docs/domain/quotes.md#arithmetic).
import { ApiError } from '#core/errors.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { ceil, halfUp, isSameValue, RATE_SCALE, type Rate } from './rates/rate.ts'

/** `rate` is in millionths of the amount that the fee applies to. */
export interface Fee {
  readonly fixed: bigint
  readonly rate: bigint
}

export const NO_FEE: Fee = { fixed: 0n, rate: 0n }
const MILLION = 1_000_000n

/** 50 basis points, if the currencies differ in value. */
const SERVICE_RATE = 5_000n

export const serviceFeeOf = (sending: string, receiving: string): Fee =>
  isSameValue(sending, receiving) ? NO_FEE : { fixed: 0n, rate: SERVICE_RATE }

export const LOCKED_SIDES = ['SENDING', 'RECEIVING'] as const

export interface Terms {
  readonly lockedSide: (typeof LOCKED_SIDES)[number]
  /** In the smallest unit of the locked side's currency. */
  readonly lockedAmount: bigint
  readonly rate: Rate
  readonly sendingDecimals: number
  readonly receivingDecimals: number
  readonly platformFee: Fee
  readonly serviceFee: Fee
}

/** In the smallest unit of the sending currency, except `totalReceivingAmount`. `feesIncluded` includes the platform's fees. */
export interface Price {
  readonly totalSendingAmount: bigint
  readonly totalReceivingAmount: bigint
  readonly feesIncluded: bigint
  readonly platformFeesIncluded: bigint
}

/** Throws 400 `INVALID_AMOUNT` if nothing would arrive, and 400 `AMOUNT_OUT_OF_RANGE` above 9e15. */
export const priceOf = (terms: Terms): Price => {
  const price = terms.lockedSide === 'SENDING' ? priceOfSending(terms) : priceOfReceiving(terms)
  if (price.totalReceivingAmount <= 0n) throw tooSmall()
  if (price.totalSendingAmount > MAX_AMOUNT || price.totalReceivingAmount > MAX_AMOUNT) {
    throw new ApiError('AMOUNT_OUT_OF_RANGE', `No amount may exceed ${MAX_AMOUNT}`)
  }
  return price
}

const priceOfSending = (terms: Terms): Price => {
  const totalSendingAmount = terms.lockedAmount
  const fees = feesOf(totalSendingAmount, terms)
  if (fees === undefined) throw tooSmall()
  const [units, perUnit] = conversionOf(terms)
  const totalReceivingAmount = ((totalSendingAmount - fees.feesIncluded) * perUnit) / units
  return { totalSendingAmount, totalReceivingAmount, ...fees }
}

/** Finds the smallest amount to send that covers, after fees, the cost of the locked amount. */
const priceOfReceiving = (terms: Terms): Price => {
  const { lockedAmount, platformFee, serviceFee } = terms
  const kept = MILLION - platformFee.rate - serviceFee.rate
  if (kept <= 0n) throw tooSmall()
  const [units, perUnit] = conversionOf(terms)
  const net = ceil(lockedAmount * units, perUnit)
  const isEnough = (send: bigint) => {
    const fees = feesOf(send, terms)
    return fees !== undefined && send - fees.feesIncluded >= net
  }
  let send = ceil(net * MILLION, kept) + platformFee.fixed + serviceFee.fixed
  while (!isEnough(send)) send += 1n
  while (isEnough(send - 1n)) send -= 1n
  const fees = feesOf(send, terms)
  if (fees === undefined) throw tooSmall()
  return { totalSendingAmount: send, totalReceivingAmount: lockedAmount, ...fees }
}

/**
 * Each variable fee applies to the amount after the fixed fees, and is rounded separately. If any rate is above 0, the fees are at least
 * one unit, which goes to the service, or to the platform if only the platform has a rate. Undefined if nothing is left after the fixed
 * fees.
 */
const feesOf = (send: bigint, { platformFee, serviceFee }: Terms) => {
  const base = send - platformFee.fixed - serviceFee.fixed
  if (base <= 0n) return undefined
  const ofPlatform = platformFee.fixed + halfUp(base * platformFee.rate, MILLION)
  const feesIncluded = ofPlatform + serviceFee.fixed + halfUp(base * serviceFee.rate, MILLION)
  if (feesIncluded > 0n || platformFee.rate + serviceFee.rate === 0n) {
    return { feesIncluded, platformFeesIncluded: ofPlatform }
  }
  return { feesIncluded: 1n, platformFeesIncluded: serviceFee.rate > 0n ? 0n : 1n }
}

/** The exchange rate as a fraction: the number of smallest units sent, and the number received for them. */
const conversionOf = ({ rate, sendingDecimals, receivingDecimals }: Terms): [sent: bigint, received: bigint] => [
  rate.scaled * 10n ** BigInt(sendingDecimals),
  10n ** BigInt(RATE_SCALE + receivingDecimals),
]

const tooSmall = () => new ApiError('INVALID_AMOUNT', 'The amount is too small: nothing would arrive')
