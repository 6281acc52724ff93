// Totals and fees of a quote, in integer arithmetic (docs/domain/quotes.md#arithmetic).
import { ApiError } from '#core/errors.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { ceil, halfUp, RATE_SCALE, type Rate } from './rate.ts'

/** Rates are in millionths of the amount that they are taken of. */
export interface Fee {
  readonly fixed: bigint
  readonly rate: bigint
}

export const NO_FEE: Fee = { fixed: 0n, rate: 0n }
const MILLION = 1_000_000n

/** 50 basis points between different values; a dollar is a dollar, as a token too. */
const SERVICE_RATE = 5_000n
const DOLLARS = ['USD', 'USDC', 'USDT', 'USDB']

export const serviceFeeOf = (sending: string, receiving: string): Fee =>
  sending === receiving || (DOLLARS.includes(sending) && DOLLARS.includes(receiving))
    ? NO_FEE
    : { fixed: 0n, rate: SERVICE_RATE }

export const LOCKED_SIDES = ['SENDING', 'RECEIVING'] as const

interface Terms {
  readonly lockedSide: (typeof LOCKED_SIDES)[number]
  /** In the smallest unit of the locked side's currency. */
  readonly lockedAmount: bigint
  readonly rate: Rate
  readonly sendingDecimals: number
  readonly receivingDecimals: number
  readonly platformFee: Fee
  readonly serviceFee: Fee
}

/** Smallest units: all of the sending currency, but for `totalReceivingAmount`. The platform's fees are contained in `feesIncluded`. */
export interface Price {
  readonly totalSendingAmount: bigint
  readonly totalReceivingAmount: bigint
  readonly feesIncluded: bigint
  readonly platformFeesIncluded: bigint
}

/** 400 `INVALID_AMOUNT` when nothing would arrive, 400 `AMOUNT_OUT_OF_RANGE` above 9e15. */
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

/** The least amount to send that leaves, after fees, what the locked amount costs. */
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
 * Each variable fee is taken of what the fixed ones leave, and rounded on its own. A rate above 0 costs at least one unit in all: the
 * service takes it, or the platform where only the platform has a rate. Undefined when the fixed fees leave nothing.
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

/** The exchange rate as a fraction of smallest units: the first sent for the second received. */
const conversionOf = ({ rate, sendingDecimals, receivingDecimals }: Terms): [sent: bigint, received: bigint] => [
  rate.scaled * 10n ** BigInt(sendingDecimals),
  10n ** BigInt(RATE_SCALE + receivingDecimals),
]

const tooSmall = () => new ApiError('INVALID_AMOUNT', 'The amount is too small: nothing would arrive')
