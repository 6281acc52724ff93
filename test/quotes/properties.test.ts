// Every quote adds up over both APIs: totals contain the fees, the locked side is exact, and the cost is as low as possible.
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { CURRENCIES, currencyOf } from '#core/codes/currencies.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { quoteInput } from '#test/setup/payments/payers.ts'
import { type PaymentFace, paymentFaces } from '#test/setup/payments/payment-faces.ts'
import { createCustomer, createInternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

const CODES = [...CURRENCIES.keys()]
const MAX = 9_000_000_000_000_000n
const DOLLARS = ['USD', 'USDC', 'USDT', 'USDB']
const RUNS = 200
const AT_ONCE = 8

let platform: Platform
const payers = new Map<string, string>()
const receivers = new Map<string, string>()
beforeAll(async () => {
  platform = await createPlatform()
  await db.platformFee.create({ data: { platformId: platform.id, sendingCurrency: 'USD', fixed: 50n, rate: 3_000 } })
  await createInternalAccount(platform)
  for (const accounts of [payers, receivers]) {
    const { id: customerId } = await createCustomer(platform)
    for (const currency of CODES) {
      const { id } = await createInternalAccount(platform, { customerId, currency })
      accounts.set(currency, publicId('InternalAccount', id))
    }
  }
})

/** A returned rate as a fraction, computed without the gateway's code. */
const fractionOf = (rate: number): [numerator: bigint, denominator: bigint] => {
  const [mantissa = '', exponent = '0'] = String(rate).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places >= 0 ? [digits, 10n ** BigInt(places)] : [digits * 10n ** BigInt(-places), 1n]
}

const halfUp = (amount: bigint, rate: bigint) => (amount * rate * 2n + 1_000_000n) / 2_000_000n

interface Pair {
  readonly sending: string
  readonly receiving: string
}

/** All fees of an amount, and the platform's part. Undefined when the fixed ones leave nothing. */
const feesOf = (send: bigint, { sending, receiving }: Pair): [all: bigint, platform: bigint] | undefined => {
  const ofPlatform = sending === 'USD' && receiving !== 'USD'
  const isSameValue = sending === receiving || (DOLLARS.includes(sending) && DOLLARS.includes(receiving))
  const base = send - (ofPlatform ? 50n : 0n)
  if (base <= 0n) return undefined
  const platformFees = ofPlatform ? 50n + halfUp(base, 3_000n) : 0n
  if (isSameValue) return [platformFees, platformFees]
  const all = platformFees + halfUp(base, 5_000n)
  return [all > 0n ? all : 1n, platformFees]
}

/** The amount converted to the other side, rounded down. */
const arrivesOf = (send: bigint, pair: Pair, rate: number): bigint => {
  const fees = feesOf(send, pair)
  if (!fees) return -1n
  const [numerator, denominator] = fractionOf(rate)
  const net = (send - fees[0]) * 10n ** BigInt(currencyOf(pair.receiving).decimals) * denominator
  return net / (numerator * 10n ** BigInt(currencyOf(pair.sending).decimals))
}

const amount = fc.oneof(
  fc.integer({ min: 1, max: 1_000 }),
  fc.integer({ min: 1, max: 100_000_000 }),
  fc.maxSafeInteger().map((value) => Math.abs(value % 9_000_000_000_000_000) + 1),
)
const quoteRequest = fc.record({
  sending: fc.oneof(fc.constant('USD'), fc.constantFrom(...CODES)),
  receiving: fc.constantFrom(...CODES),
  side: fc.constantFrom('SENDING', 'RECEIVING'),
  amount,
  face: fc.constantFrom(...paymentFaces) as fc.Arbitrary<PaymentFace>,
})

type QuoteRequest = typeof quoteRequest extends fc.Arbitrary<infer T> ? T : never
const rates = new Map<string, number>()

/** Creates a quote over its API and checks it by the response alone. */
const judge = async ({ face, side, amount: locked, ...pair }: QuoteRequest): Promise<string> => {
  const input = quoteInput(payers.get(pair.sending) ?? '', receivers.get(pair.receiving) ?? '', locked)
  const { status, body } = await face.createQuote(platform, { ...input, lockedCurrencySide: side })
  const outcome = status === 201 ? side : body.code
  if (status !== 201) {
    expect(['INVALID_AMOUNT', 'AMOUNT_OUT_OF_RANGE']).toContain(body.code)
    const rate = rates.get(JSON.stringify(pair))
    if (rate === undefined || side === 'RECEIVING') return outcome
    const arrives = arrivesOf(BigInt(locked), pair, rate)
    expect(body.code).toBe(arrives > 0n ? 'AMOUNT_OUT_OF_RANGE' : 'INVALID_AMOUNT')
    return outcome
  }
  const rate: number = body.exchangeRate
  rates.set(JSON.stringify(pair), rate)
  const [send, receive] = [BigInt(body.totalSendingAmount), BigInt(body.totalReceivingAmount)]
  expect([BigInt(body.feesIncluded), BigInt(body.platformFeesIncluded)]).toEqual(feesOf(send, pair))
  expect(body.platformFeesIncluded).toBeLessThanOrEqual(body.feesIncluded)
  expect(body.feesIncluded).toBeLessThan(body.totalSendingAmount)
  expect(receive > 0n && receive <= MAX && send <= MAX).toBe(true)
  if (side === 'SENDING') {
    expect(send).toBe(BigInt(locked))
    expect(receive).toBe(arrivesOf(send, pair, rate))
  } else {
    expect(receive).toBe(BigInt(locked))
    expect(arrivesOf(send, pair, rate)).toBeGreaterThanOrEqual(receive)
    expect(arrivesOf(send - 1n, pair, rate)).toBeLessThan(receive)
  }
  return outcome
}

it('quotes of random amounts, currencies and sides add up', { timeout: 240_000 }, async () => {
  const outcomes = new Map<string, number>()
  const several = fc.array(quoteRequest, { minLength: AT_ONCE, maxLength: AT_ONCE })
  await fc.assert(
    fc.asyncProperty(several, async (requests) => {
      for (const outcome of await Promise.all(requests.map(judge)))
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }),
    { numRuns: RUNS / AT_ONCE, endOnFailure: true },
  )
  console.log(`quotes ${RUNS}: ${[...outcomes].map(([name, count]) => `${name} ${count}`).join(', ')}`)
  expect(outcomes.get('SENDING')).toBeGreaterThan(RUNS / 5)
  expect(outcomes.get('RECEIVING')).toBeGreaterThan(RUNS / 5)
})
