// The price of a conversion on each corridor and rail, computed like a quote's (docs/domain/corridors.md#exchange-rates).
import { z } from 'zod'
import { type Caller, requirePermission, requirePlatform } from '#core/caller.ts'
import { CURRENCIES, currencyOf } from '#core/codes/currencies.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { amountOf, currencyCode, parse } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { findCurrencies, type PlatformCurrency, requireKnownCurrency } from '#platforms/settings/currencies.ts'
import { platformFeesOf } from '#quotes/platform-fee.ts'
import { type Fee, NO_FEE, priceOf, serviceFeeOf, type Terms } from '#quotes/price.ts'
import { hasRate, rateOf, rateText } from '#quotes/rates/rate.ts'
import { type CurrentRates, currentRates } from '#quotes/rates/rate-table.ts'
import { type CorridorRail, railsTo } from './rails.ts'

const DEFAULT_AMOUNT = 10_000n
const MOST_DESTINATIONS = CURRENCIES.size

export const exchangeRateQuery = z.object({
  sourceCurrency: currencyCode.nullish().describe('Code of the currency that is sent. Defaults to all.'),
  destinationCurrency: z
    .array(currencyCode)
    .max(MOST_DESTINATIONS, `must have at most ${MOST_DESTINATIONS} currencies`)
    .nullish()
    .describe('Codes of the currencies that are received. Defaults to all.'),
  sendingAmount: amountOf(1n, MAX_AMOUNT)
    .nullish()
    .describe('The amount sent, fees included, in the smallest unit of the source currency. The default is 10000.'),
  receivingAmount: amountOf(1n, MAX_AMOUNT)
    .nullish()
    .describe(
      'The amount received, in the smallest unit of the destination currency, instead of `sendingAmount`. The rows are then priced like a quote that locks it.',
    ),
})

/** Terms of one corridor on one rail. Amounts are in the smallest unit of the currency of their side. */
export interface ExchangeRate {
  readonly sourceCurrency: string
  readonly destinationCurrency: string
  readonly destinationPaymentRail: CorridorRail
  readonly sendingAmount: bigint
  readonly minSendingAmount: bigint
  readonly maxSendingAmount: bigint
  readonly receivingAmount: bigint
  readonly exchangeRate: number
  readonly fees: { readonly fixed: bigint; readonly total: bigint }
  /** When the rates were read from their source. */
  readonly updatedAt: string
}

export const EXCHANGE_RATE_TEXTS = {
  sourceCurrency: 'The currency that is sent.',
  destinationCurrency: 'The currency that is received.',
  destinationPaymentRail:
    'The rail that pays out. A wallet has none: REST gives its network here, and GraphQL in `destinationNetwork`.',
  sendingAmount: 'The amount sent, fees included, in the smallest unit of `sourceCurrency`.',
  minSendingAmount: 'The minimum that a quote can send, in the smallest unit of `sourceCurrency`.',
  maxSendingAmount: 'The maximum that a quote can send, in the smallest unit of `sourceCurrency`.',
  receivingAmount: 'The amount received, in the smallest unit of `destinationCurrency`.',
  exchangeRate: 'Sending units per receiving unit, in major units, after fees.',
  fees: 'The fees of the payment, in the smallest unit of `sourceCurrency`.',
  fixed: 'The part that does not depend on the amount.',
  total: 'All fees in `sendingAmount`, the fixed part included.',
  updatedAt: 'When the rates were last read from their source. They are used for five minutes.',
} as const

interface Platform {
  /** Empty: it supports every currency, in any amount. */
  readonly currencies: ReadonlyMap<string, PlatformCurrency>
  readonly fees: ReadonlyMap<string, Fee>
}

/** The length of the list for arguments that are not yet validated. The platform may support fewer currencies. */
export const mostExchangeRates = ({ sourceCurrency, destinationCurrencies }: Readonly<Record<string, unknown>>) => {
  const given = new Set([destinationCurrencies ?? []].flat())
  const destinations = given.size > 0 ? given : CURRENCIES.keys()
  const rails = [...destinations].reduce((sum: number, code) => sum + railsTo(String(code)).length, 0)
  return sourceCurrency ? rails : rails * CURRENCIES.size
}

/**
 * One row for each corridor and rail, in the order of the currencies. A corridor on which nothing would arrive is left out. Needs the
 * permission VIEW. Throws 400 `INVALID_CURRENCY` for a currency that is unknown or that the platform does not support, 400 `INVALID_AMOUNT`
 * and `AMOUNT_OUT_OF_RANGE` if the amount leaves no corridor, 400 `INVALID_INPUT` for amounts of both sides, and what `currentRates` throws.
 */
export const listExchangeRates = async (caller: Caller, input: unknown): Promise<ExchangeRate[]> => {
  const { platformId, environment } = requirePlatform(caller)
  requirePermission(caller, 'VIEW')
  const query = parse(exchangeRateQuery, input)
  const locked = lockedOf(query)
  const [currencies, fees, rates] = await Promise.all([
    findCurrencies({ platformId }),
    platformFeesOf(platformId),
    currentRates(environment),
  ])
  const platform = { currencies: new Map(currencies.map((each) => [each.currency, each])), fees }
  const sources = chosen(platform, query.sourceCurrency ? [query.sourceCurrency] : null, 'sourceCurrency')
  const destinations = chosen(platform, query.destinationCurrency, 'destinationCurrency')
  let refusal: ApiError | undefined
  const rows = sources.flatMap((source) =>
    destinations.flatMap((destination) => {
      if (source === destination || !hasRate(rates.rates, source) || !hasRate(rates.rates, destination)) return []
      try {
        return rowsOf(platform, rates, source, destination, locked)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        refusal ??= new ApiError(error.code, error.message, { field: locked.field })
        return []
      }
    }),
  )
  if (rows.length === 0 && refusal) throw refusal
  return rows
}

type Locked = Pick<Terms, 'lockedSide' | 'lockedAmount'>

const lockedOf = ({
  sendingAmount,
  receivingAmount,
}: z.output<typeof exchangeRateQuery>): Locked & { readonly field: string } => {
  if (!receivingAmount) {
    return { lockedSide: 'SENDING', lockedAmount: sendingAmount ?? DEFAULT_AMOUNT, field: 'sendingAmount' }
  }
  if (sendingAmount) throw invalidInput('receivingAmount', 'receivingAmount cannot be combined with sendingAmount')
  return { lockedSide: 'RECEIVING', lockedAmount: receivingAmount, field: 'receivingAmount' }
}

/** The currencies of the query, or all that the platform supports. */
const chosen = (
  { currencies }: Platform,
  given: readonly string[] | null | undefined,
  field: 'sourceCurrency' | 'destinationCurrency',
): readonly string[] => {
  const isSource = field === 'sourceCurrency'
  const isOffered = (code: string) =>
    currencies.size === 0 ||
    (currencies.has(code) && (!isSource || currencies.get(code)?.enabledTransactionTypes.includes('OUTGOING')))
  if (!given || given.length === 0) return [...CURRENCIES.keys()].filter(isOffered)
  for (const code of given) {
    requireKnownCurrency(code, field)
    if (isOffered(code)) continue
    const message = isSource ? `The platform does not send ${code}` : `The platform does not support ${code}`
    throw new ApiError('INVALID_CURRENCY', message, { field, reason: 'CURRENCY_NOT_SUPPORTED' })
  }
  return [...new Set(given)]
}

type Pair = Omit<Terms, keyof Locked>

const rowsOf = (
  platform: Platform,
  { rates, updatedAt }: CurrentRates,
  source: string,
  destination: string,
  { lockedSide, lockedAmount }: Locked,
): ExchangeRate[] => {
  const platformFee = platform.fees.get(source) ?? NO_FEE
  const serviceFee = serviceFeeOf(source, destination)
  const rate = rateOf(rates, source, destination)
  const pair: Pair = {
    rate,
    sendingDecimals: currencyOf(source).decimals,
    receivingDecimals: currencyOf(destination).decimals,
    platformFee,
    serviceFee,
  }
  const price = priceOf({ ...pair, lockedSide, lockedAmount })
  const range = rangeOf(pair, platform.currencies.get(source), platform.currencies.get(destination))
  if (!range) return []
  return railsTo(destination).map((destinationPaymentRail) => ({
    sourceCurrency: source,
    destinationCurrency: destination,
    destinationPaymentRail,
    sendingAmount: price.totalSendingAmount,
    ...range,
    receivingAmount: price.totalReceivingAmount,
    exchangeRate: Number(rateText(rate)),
    fees: { fixed: platformFee.fixed + serviceFee.fixed, total: price.feesIncluded },
    updatedAt,
  }))
}

/** What a quote must send to deliver an amount. Undefined if that is more than any amount. */
const sentFor = (pair: Pair, lockedAmount: bigint): bigint | undefined => {
  try {
    return priceOf({ ...pair, lockedSide: 'RECEIVING', lockedAmount }).totalSendingAmount
  } catch (error) {
    if (error instanceof ApiError && error.code === 'AMOUNT_OUT_OF_RANGE') return undefined
    throw error
  }
}

/** What a quote delivers for an amount. Above every amount if that is refused for being too large, and 0 if nothing would arrive. */
const receivedFor = (pair: Pair, lockedAmount: bigint): bigint => {
  try {
    return priceOf({ ...pair, lockedSide: 'SENDING', lockedAmount }).totalReceivingAmount
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'INVALID_AMOUNT' ? 0n : MAX_AMOUNT + 1n
  }
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other)
const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
const amountsFrom = (first: bigint, last: bigint) =>
  Array.from({ length: Number(last - first) + 1 }, (_, index) => first + BigInt(index))

const MILLION = 1_000_000n
/** Bounds the work. It is enough unless the fees are above 99.8 %. */
const MOST_DISORDER = 1_000n

/**
 * Where two variable fees are rounded up at once, an amount delivers less than the one before it. The sum of both roundings stays within
 * one unit, so amounts that are further apart than this are in order.
 */
const disorderOf = ({ platformFee, serviceFee }: Pair): bigint =>
  platformFee.rate === 0n || serviceFee.rate === 0n
    ? 0n
    : smaller((2n * MILLION) / (MILLION - platformFee.rate - serviceFee.rate) + 1n, MOST_DISORDER)

/** What a quote can send, by the limits of both currencies: every amount between the two. Undefined if they leave nothing. */
const rangeOf = (pair: Pair, from: PlatformCurrency | undefined, to: PlatformCurrency | undefined) => {
  const least = larger(to?.minAmount ?? 1n, 1n)
  const most = to?.maxAmount ?? MAX_AMOUNT
  const sent = sentFor(pair, least)
  if (sent === undefined) return undefined
  const disorder = disorderOf(pair)
  const low = larger(sent, from?.minAmount ?? 1n)
  const tooLittle = amountsFrom(low, low + disorder).findLast((amount) => receivedFor(pair, amount) < least)
  const minSendingAmount = tooLittle === undefined ? low : tooLittle + 1n
  // Several amounts may deliver the most. The largest of them is just below what delivers one unit more.
  const high = smaller(sentFor(pair, smaller(most + 1n, MAX_AMOUNT)) ?? MAX_AMOUNT, from?.maxAmount ?? MAX_AMOUNT)
  const tooMuch = amountsFrom(high - disorder, high).find((amount) => receivedFor(pair, amount) > most)
  const maxSendingAmount = tooMuch === undefined ? high : tooMuch - 1n
  return maxSendingAmount < minSendingAmount ? undefined : { minSendingAmount, maxSendingAmount }
}
