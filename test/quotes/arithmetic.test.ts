// The price of quotes: docs/domain/quotes.md#test-vectors, and properties of every amount.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES, currencyOf } from '#core/codes/currencies.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { type Fee, LOCKED_SIDES, NO_FEE, priceOf, serviceFeeOf } from '#quotes/price.ts'
import { rateOf, rateOfAmounts, rateText, SANDBOX_RATES } from '#quotes/rates/rate.ts'

type Side = (typeof LOCKED_SIDES)[number]

const quote = (
  lockedSide: Side,
  [sending, receiving]: readonly [string, string],
  lockedAmount: bigint,
  { platformFee = NO_FEE, serviceFee = serviceFeeOf(sending, receiving) }: { platformFee?: Fee; serviceFee?: Fee } = {},
) => {
  const rate = rateOf(SANDBOX_RATES, sending, receiving)
  const sendingDecimals = currencyOf(sending).decimals
  const receivingDecimals = currencyOf(receiving).decimals
  const price = priceOf({ lockedSide, lockedAmount, rate, sendingDecimals, receivingDecimals, platformFee, serviceFee })
  return { rate: rateText(rate), ...price }
}

const AT_PAR = ['USD', 'USD'] as const
const BOTH: { platformFee: Fee; serviceFee: Fee } = {
  platformFee: { fixed: 50n, rate: 3_000n },
  serviceFee: { fixed: 0n, rate: 10_000n },
}
const TOO_SMALL = expect.objectContaining({
  code: 'INVALID_AMOUNT',
  message: 'The amount is too small: nothing would arrive',
})
const THREE_PER_MILLE = { serviceFee: { fixed: 0n, rate: 3_000n } }

describe('a quote', () => {
  it.each([
    [1, 'SENDING', ['USD', 'BTC'], 100_000n, {}, '120048.01920768', 100_000n, 500n, 0n, 828_835n],
    [2, 'SENDING', ['USD', 'EUR'], 100_000n, {}, '1.08695652', 100_000n, 500n, 0n, 91_540n],
    [3, 'SENDING', ['USD', 'MXN'], 100_000n, {}, '0.05797101', 100_000n, 500n, 0n, 1_716_375n],
    [4, 'SENDING', ['USDB', 'USD'], 5_000_000n, {}, '1', 5_000_000n, 0n, 0n, 500n],
    [5, 'SENDING', AT_PAR, 1_000n, BOTH, '1', 1_000n, 63n, 53n, 937n],
    [6, 'SENDING', AT_PAR, 1_000n, THREE_PER_MILLE, '1', 1_000n, 3n, 0n, 997n],
    [7, 'RECEIVING', AT_PAR, 997n, THREE_PER_MILLE, '1', 1_000n, 3n, 0n, 997n],
    [8, 'RECEIVING', ['USD', 'EUR'], 91_540n, {}, '1.08695652', 100_000n, 500n, 0n, 91_540n],
    [9, 'RECEIVING', ['USD', 'MXN'], 1_716_375n, {}, '0.05797101', 100_000n, 500n, 0n, 1_716_375n],
    [10, 'RECEIVING', AT_PAR, 937n, BOTH, '1', 999n, 62n, 53n, 937n],
    [11, 'SENDING', ['USD', 'VND'], 10_000n, {}, '0.000039370079', 10_000n, 50n, 0n, 2_527_299n],
  ] as const)(
    'agrees with test vector %i',
    (_row, side, pair, amount, fees, rate, send, feesIncluded, platformFeesIncluded, receive) => {
      expect(quote(side, pair, amount, fees)).toEqual({
        rate,
        totalSendingAmount: send,
        totalReceivingAmount: receive,
        feesIncluded,
        platformFeesIncluded,
      })
    },
  )

  it.each([
    ['the smallest amount that still arrives', 2n, { serviceFee: { fixed: 0n, rate: 5_000n } }, 1n, 0n],
    ['an amount whose fee would round to nothing', 99n, { serviceFee: { fixed: 0n, rate: 5_000n } }, 1n, 0n],
    [
      'two rates that both round to nothing',
      99n,
      { platformFee: { fixed: 0n, rate: 10n }, ...THREE_PER_MILLE },
      1n,
      0n,
    ],
    [
      'equal rates that both round to nothing',
      99n,
      { platformFee: { fixed: 0n, rate: 10n }, serviceFee: { fixed: 0n, rate: 10n } },
      1n,
      0n,
    ],
    ["only the platform's rate", 99n, { platformFee: { fixed: 0n, rate: 10n }, serviceFee: NO_FEE }, 1n, 1n],
    ['a fixed fee of one unit', 99n, { serviceFee: { fixed: 1n, rate: 10n } }, 1n, 0n],
    ['no rate', 99n, { serviceFee: NO_FEE }, 0n, 0n],
  ] as const)('with %s has a fee of at least one unit if a rate is above 0', (_what, send, fees, all, ofPlatform) => {
    const price = quote('SENDING', AT_PAR, send, fees)
    expect(price).toMatchObject({
      feesIncluded: all,
      platformFeesIncluded: ofPlatform,
      totalReceivingAmount: send - all,
    })
    expect(quote('RECEIVING', AT_PAR, send - all, fees)).toEqual(price)
  })

  it('sends one unit more if two fees that are rounded up take it', () => {
    const half = { fixed: 0n, rate: 500n }
    expect(quote('RECEIVING', AT_PAR, 999n, { platformFee: half, serviceFee: half })).toMatchObject({
      totalSendingAmount: 1_001n,
      feesIncluded: 2n,
      platformFeesIncluded: 1n,
    })
  })

  it('of one unit that the fee takes entirely is INVALID_AMOUNT', () => {
    expect(() => quote('SENDING', AT_PAR, 1n, THREE_PER_MILLE)).toThrow(TOO_SMALL)
  })

  it('has no service fee between equal currencies or between dollars', () => {
    const dollars = ['USD', 'USDC', 'USDT', 'USDB']
    for (const sending of CURRENCIES.keys()) {
      for (const receiving of CURRENCIES.keys()) {
        const isFree = sending === receiving || [sending, receiving].every((code) => dollars.includes(code))
        expect([sending, receiving, serviceFeeOf(sending, receiving).rate]).toEqual([
          sending,
          receiving,
          isFree ? 0n : 5_000n,
        ])
      }
    }
  })

  it('applies each variable fee to the amount after both fixed fees', () => {
    const fees = { platformFee: { fixed: 50n, rate: 3_000n }, serviceFee: { fixed: 100n, rate: 10_000n } }
    expect(quote('SENDING', AT_PAR, 1_000n, fees)).toMatchObject({
      feesIncluded: 162n,
      platformFeesIncluded: 53n,
      totalReceivingAmount: 838n,
    })
  })

  it.each([500_000n, 600_000n])(
    'with variable fees of all or more of the amount is INVALID_AMOUNT: twice %i',
    (rate) => {
      const fees = { platformFee: { fixed: 0n, rate }, serviceFee: { fixed: 0n, rate } }
      for (const side of LOCKED_SIDES) {
        expect(() => quote(side, AT_PAR, 1_000n, fees)).toThrow(TOO_SMALL)
      }
    },
  )

  it('with which nothing would arrive is INVALID_AMOUNT (vector 12)', () => {
    expect(() => quote('SENDING', ['USD', 'EUR'], 1n)).toThrow(TOO_SMALL)
  })

  it('with fixed fees that leave nothing is INVALID_AMOUNT, whatever the rates', () => {
    expect(() => quote('SENDING', AT_PAR, 50n, BOTH)).toThrow(TOO_SMALL)
    const platformFee = { fixed: 50n, rate: 1_500_000n }
    expect(() => quote('SENDING', AT_PAR, 10n, { platformFee })).toThrow(TOO_SMALL)
  })

  it('above 9e15 on either side is AMOUNT_OUT_OF_RANGE', () => {
    const refused = expect.objectContaining({
      code: 'AMOUNT_OUT_OF_RANGE',
      message: 'No amount may exceed 9000000000000000',
    })
    expect(() => quote('SENDING', ['USD', 'VND'], MAX_AMOUNT)).toThrow(refused)
    expect(() => quote('RECEIVING', ['VND', 'USD'], MAX_AMOUNT)).toThrow(refused)
    expect(quote('SENDING', AT_PAR, MAX_AMOUNT).totalReceivingAmount).toBe(MAX_AMOUNT)
  })
})

it.each([
  ['the smallest', 1n, 'VND', 10n ** 11n, 'VND', '0.00000000001'],
  ['a smaller one', 1n, 'VND', 10n ** 11n + 1n, 'VND', undefined],
  ['the largest', 10n ** 11n, 'VND', 1n, 'BTC', '10000000000000000000'],
  ['a larger one', 10n ** 11n + 1n, 'VND', 1n, 'BTC', undefined],
] as const)(
  'a rate of two amounts has a form that can be stored, or none: %s',
  (_what, sent, from, received, to, text) => {
    const rate = rateOfAmounts(sent, from, received, to)
    expect(rate && rateText(rate)).toBe(text)
  },
)

describe('every quote', () => {
  const codes = fc.constantFrom(...CURRENCIES.keys())
  const fee = fc.record({ fixed: fc.bigInt(0n, 5_000n), rate: fc.bigInt(0n, 100_000n) })
  const amount = fc.oneof(fc.bigInt(1n, 100_000n), fc.bigInt(1n, MAX_AMOUNT))
  const terms = fc.record({
    side: fc.constantFrom(...LOCKED_SIDES),
    pair: fc.tuple(codes, codes),
    amount,
    platformFee: fee,
    serviceFee: fee,
  })

  it('has totals that contain the fees, an exact locked side, and the lowest possible cost', () => {
    let priced = 0
    fc.assert(
      fc.property(terms, ({ side, pair, amount, ...fees }) => {
        const price = attempt(() => quote(side, pair, amount, fees))
        if (!price) return
        priced += 1
        const { totalSendingAmount, totalReceivingAmount, feesIncluded, platformFeesIncluded } = price
        expect(side === 'SENDING' ? totalSendingAmount : totalReceivingAmount).toBe(amount)
        expect(platformFeesIncluded).toBeGreaterThanOrEqual(0n)
        expect(feesIncluded).toBeGreaterThanOrEqual(platformFeesIncluded)
        expect(totalSendingAmount).toBeGreaterThan(feesIncluded)
        expect(totalReceivingAmount).toBeGreaterThan(0n)
        if (side === 'SENDING') return
        // Sending this amount buys at least the locked amount, and one unit less does not.
        const received = (send: bigint) => attempt(() => quote('SENDING', pair, send, fees))?.totalReceivingAmount ?? 0n
        expect(received(totalSendingAmount)).toBeGreaterThanOrEqual(amount)
        expect(received(totalSendingAmount - 1n)).toBeLessThan(amount)
      }),
      { numRuns: 5_000 },
    )
    expect(priced).toBeGreaterThan(1_000)
  })

  const attempt = <T>(price: () => T): T | undefined => {
    try {
      return price()
    } catch (error) {
      expect(error).toMatchObject({ status: 400 })
      return undefined
    }
  }
})
