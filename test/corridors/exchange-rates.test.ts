// Exchange rates agree to the unit with the quotes that are made from them (docs/domain/corridors.md#exchange-rates).
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { CURRENCIES } from '#core/codes/currencies.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { callGraphQL, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { rateFaces } from '#test/setup/corridors/rate-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { quoteInput } from '#test/setup/payments/payers.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'
import { useGraphQLLimits } from '#test/setup/settings.ts'
import {
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  type Platform,
} from '#test/setup/world.ts'

useGraphQLLimits({ nodesPerMinute: 1_000_000_000 })

const CODES = [...CURRENCIES.keys()]
const CORRIDORS = Number(process.env['CORRIDORS'] ?? 150)
const AT_ONCE = 8

/** The fee of dollars in cents and basis points, and limits of all currencies, or none. */
const PLATFORMS: readonly (readonly [fixed: number, bps: number, limits: readonly [number, number] | null])[] = [
  [0, 0, null],
  [50, 30, null],
  [0, 1, null],
  [7, 9_900, null],
  [25, 125, [1, 5_000_000_000]],
  [0, 75, [2_000, 90_000_000]],
]

interface World {
  readonly platform: Platform
  readonly accounts: ReadonlyMap<string, string>
  readonly outside: Map<string, Promise<string>>
}

const supported = (currencyCode: string, minAmount: number, maxAmount: number) => ({
  currencyCode,
  minAmount,
  maxAmount,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
})

const createWorld = async ([fixed, bps, limits]: (typeof PLATFORMS)[number]): Promise<World> => {
  const platform = await createPlatform()
  const accounts = new Map<string, string>()
  for (const currency of CODES) {
    accounts.set(currency, publicId('InternalAccount', (await createInternalAccount(platform, { currency })).id))
  }
  const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: bps }
  const changed = await send(platform, 'PATCH', '/config', {
    feeConfigs: [{ ...fee, fixedFee: { amount: fixed, currency: { code: 'USD' } } }],
    ...(limits && {
      supportedCurrencies: CODES.map((code) => supported(code, ...limits)),
    }),
  })
  expect(changed.status, changed.text).toBe(200)
  return { platform, accounts, outside: new Map() }
}

let worlds: readonly World[]
beforeAll(async () => {
  worlds = await Promise.all(PLATFORMS.map(createWorld))
})

const NETWORKS = ['SOLANA', 'TRON', 'POLYGON', 'BASE', 'ETHEREUM', 'LIGHTNING', 'SPARK']

/** An external account of the currency that the rail or the network reaches. */
const outsideOf = ({ platform, outside }: World, currency: string, rail: string): Promise<string> => {
  const key = `${currency} ${rail}`
  const create = async () => {
    const isWallet = NETWORKS.includes(rail)
    const { id } = await createExternalAccount(platform, {
      currency,
      accountType: (isWallet ? (rail === 'LIGHTNING' ? rail : `${rail}_WALLET`) : 'SWIFT_ACCOUNT') as 'SWIFT_ACCOUNT',
      accountInfo: isWallet ? { address: key } : { accountNumber: key, paymentRails: [rail] },
    })
    return publicId('ExternalAccount', id)
  }
  const found = outside.get(key) ?? create()
  outside.set(key, found)
  return found
}

const quoteOf = async (world: World, row: Answer['body'], side: 'SENDING' | 'RECEIVING', amount: number) => {
  const { sourceCurrency, destinationCurrency, destinationPaymentRail: rail } = row
  const to = await outsideOf(world, destinationCurrency, rail)
  const input = quoteInput(world.accounts.get(sourceCurrency) ?? '', to, amount, { lockedCurrencySide: side })
  const destination = { ...input.destination, ...(!NETWORKS.includes(rail) && { paymentRail: rail }) }
  return send(world.platform, 'POST', '/quotes', { ...input, destination })
}

const termsOf = (quote: Answer['body']) => ({
  sendingAmount: quote.totalSendingAmount,
  receivingAmount: quote.totalReceivingAmount,
  exchangeRate: quote.exchangeRate,
  total: quote.feesIncluded,
})

const termsOfRow = ({ sendingAmount, receivingAmount, exchangeRate, fees }: Answer['body']) => ({
  sendingAmount,
  receivingAmount,
  exchangeRate,
  total: fees.total,
})

const isInRange = ({ sendingAmount, minSendingAmount, maxSendingAmount }: Answer['body']) =>
  minSendingAmount <= sendingAmount && sendingAmount <= maxSendingAmount

const tally = { rows: 0, sending: 0, receiving: 0, tooSmall: 0, outOfRange: 0, belowTheLeast: 0 }

/** One corridor: its row, a quote locked on either side, and the row of what the second one sends. */
const checkCorridor = async (
  { world: at, source, destination, amount, rail: railAt }: Corridor,
  index: number,
): Promise<void> => {
  const world = worlds[at] as World
  const face = rateFaces[index % 2] as (typeof rateFaces)[number]
  const ask = (sendingAmount: number) =>
    face.list(world.platform, { sourceCurrency: source, destinationCurrencies: [destination], sendingAmount })
  const { status, body } = await ask(amount)
  if (status !== 200) {
    // Then no quote of this amount can be made either.
    const rail = { sourceCurrency: source, destinationCurrency: destination, destinationPaymentRail: 'WIRE' }
    const refused = await quoteOf(world, rail, 'SENDING', amount)
    expect([status, refused.status, refused.body.code]).toEqual([400, 400, body.code])
    tally.tooSmall += 1
    return
  }
  if (body.data.length === 0) return
  const row = body.data[railAt % body.data.length]
  tally.rows += 1
  const sent = await quoteOf(world, row, 'SENDING', amount)
  if (!isInRange(row)) {
    expect([sent.status, sent.body.code], `${source} ${destination} ${amount}`).toEqual([400, 'AMOUNT_OUT_OF_RANGE'])
    tally.outOfRange += 1
    return
  }
  expect(sent.status, sent.text).toBe(201)
  expect(termsOf(sent.body)).toEqual(termsOfRow(row))
  tally.sending += 1

  const received = await quoteOf(world, row, 'RECEIVING', row.receivingAmount)
  if (received.status === 400) {
    // A smaller amount would be enough, but it is below the platform's minimum.
    const least = (await ask(row.minSendingAmount)).body.data[0]
    expect([received.body.code, least.receivingAmount]).toEqual(['AMOUNT_OUT_OF_RANGE', row.receivingAmount])
    tally.belowTheLeast += 1
    return
  }
  expect(received.status, received.text).toBe(201)
  expect(received.body.totalReceivingAmount).toBe(row.receivingAmount)
  expect(received.body.totalSendingAmount).toBeLessThanOrEqual(amount)
  const again = (await ask(received.body.totalSendingAmount)).body.data[railAt % body.data.length]
  expect(termsOf(received.body)).toEqual(termsOfRow(again))
  tally.receiving += 1
}

interface Corridor {
  readonly world: number
  readonly source: string
  readonly destination: string
  readonly amount: number
  readonly rail: number
}

const corridors: fc.Arbitrary<Corridor> = fc
  .record({
    world: fc.nat(PLATFORMS.length - 1),
    source: fc.constantFrom(...CODES),
    destination: fc.constantFrom(...CODES),
    // Amounts of every order of magnitude.
    amount: fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 999 })).map(([power, digits]) => {
      return Math.max(1, Math.round((digits * 10 ** power) / 100))
    }),
    rail: fc.nat(50),
  })
  .filter(({ source, destination }) => source !== destination)

it(`${CORRIDORS} random corridors: a quote made from a row agrees with it to the unit, on both locked sides`, async () => {
  const sample = fc.sample(corridors, { numRuns: CORRIDORS, seed: 18 })
  for (let start = 0; start < sample.length; start += AT_ONCE) {
    await Promise.all(sample.slice(start, start + AT_ONCE).map((each, at) => checkCorridor(each, start + at)))
  }
  console.log(`corridors ${sample.length}:`, tally)
  expect(tally.sending).toBeGreaterThan(CORRIDORS / 3)
  expect(tally.receiving).toBeGreaterThan(CORRIDORS / 3)
  expect(Math.min(tally.outOfRange, tally.tooSmall)).toBeGreaterThan(0)
}, 240_000)

describe.each(rateFaces)('$name', ({ list }) => {
  it('the ends of the range can be quoted, and no amount beyond them', async () => {
    const world = worlds[4] as World
    const pairs = [
      ['USD', 'VND'],
      ['VND', 'USD'],
      ['USD', 'EUR'],
      ['BTC', 'JPY'],
      ['EUR', 'BTC'],
    ] as const
    for (const [sourceCurrency, destination] of pairs) {
      const query = { sourceCurrency, destinationCurrencies: [destination], sendingAmount: 1_000_000 }
      const [row] = (await list(world.platform, query)).body.data
      const statuses = []
      for (const amount of [
        row.minSendingAmount,
        row.maxSendingAmount,
        row.minSendingAmount - 1,
        row.maxSendingAmount + 1,
      ])
        statuses.push(amount < 1 ? 400 : (await quoteOf(world, row, 'SENDING', amount)).status)
      expect(statuses, `${sourceCurrency} ${destination}`).toEqual([201, 201, 400, 400])
    }
  })

  it('the largest amount still delivers the maximum of a currency with larger units', async () => {
    const world = await createWorld([25, 125, null])
    const pairs = [
      ['VND', 'USD'],
      ['VND', 'BTC'],
      ['USD', 'GBP'],
      ['JPY', 'EUR'],
    ] as const
    for (const [source, destination] of pairs) {
      const supportedCurrencies = [supported(source, 1, 5_000_000_000), supported(destination, 1, 5_000)]
      expect((await send(world.platform, 'PATCH', '/config', { supportedCurrencies })).status).toBe(200)
      const query = { sourceCurrency: source, destinationCurrencies: [destination], sendingAmount: 100_000 }
      const [row] = (await list(world.platform, query)).body.data
      const largest = await quoteOf(world, row, 'SENDING', row.maxSendingAmount)
      expect([largest.status, largest.body.totalReceivingAmount], `${source} ${destination}`).toEqual([201, 5_000])
      const larger = await quoteOf(world, row, 'SENDING', row.maxSendingAmount + 1)
      expect([larger.status, larger.body.code], `${source} ${destination}`).toEqual([400, 'AMOUNT_OUT_OF_RANGE'])
    }
  })

  it('every amount of the range can be quoted, also where two fees are rounded up at once', async () => {
    const world = await createWorld([0, 50, null])
    const rangeWith = async (least: number, most: number) => {
      const supportedCurrencies = [supported('USD', 1, 1_000_000), supported('EUR', least, most)]
      expect((await send(world.platform, 'PATCH', '/config', { supportedCurrencies })).status).toBe(200)
      const query = { sourceCurrency: 'USD', destinationCurrencies: ['EUR'], sendingAmount: 300 }
      return (await list(world.platform, query)).body.data[0]
    }
    const statusesFrom = async (row: Answer['body'], first: number) => {
      const amounts = Array.from({ length: 5 }, (_, index) => first + index)
      return Promise.all(amounts.map(async (amount) => (await quoteOf(world, row, 'SENDING', amount)).status))
    }
    // 299 cents deliver 273, 300 deliver 272, and 301 deliver 273.
    const below = await rangeWith(1, 272)
    expect(below.maxSendingAmount).toBe(298)
    expect(await statusesFrom(below, 295)).toEqual([201, 201, 201, 201, 400])
    const above = await rangeWith(273, 1_000)
    expect(above.minSendingAmount).toBe(301)
    expect(await statusesFrom(above, 300)).toEqual([400, 201, 201, 201, 201])
  })

  it('a row for every rail of a currency, several destinations, and 10000 as the default amount', async () => {
    const { platform } = worlds[0] as World
    const query = { sourceCurrency: 'USD', destinationCurrencies: ['EUR', 'BTC', 'USDC'] }
    const { body } = await list(platform, query)
    const rails = body.data.map((row: Answer['body']) => `${row.destinationCurrency} ${row.destinationPaymentRail}`)
    expect(rails).toEqual([
      'EUR SEPA',
      'EUR SEPA_INSTANT',
      'EUR SWIFT',
      'BTC SPARK',
      'BTC LIGHTNING',
      'USDC SOLANA',
      'USDC POLYGON',
      'USDC BASE',
      'USDC ETHEREUM',
    ])
    expect(new Set(body.data.map((row: Answer['body']) => row.sendingAmount))).toEqual(new Set([10_000]))
    const all = await list(platform, {})
    const reached = all.body.data.map((row: Answer['body']) => `${row.sourceCurrency} ${row.destinationCurrency}`)
    console.log(`all corridors: ${new Set(reached).size}, rows ${reached.length}`)
    expect(new Set(reached).size).toBeGreaterThan(1_000)
  })

  it('all processes answer the same rates, which are read again after five minutes', async () => {
    const { platform } = worlds[0] as World
    const timeOf = async () => (await list(platform, { sourceCurrency: 'USD' })).body.data[0].updatedAt
    await db.$executeRaw`update exchange_rate_tables set read_at = now() - interval '4 minutes 58 seconds' where environment = 'SANDBOX'`
    const kept = await timeOf()
    expect(await timeOf()).toBe(kept)
    await db.$executeRaw`update exchange_rate_tables set read_at = now() - interval '5 minutes' where environment = 'SANDBOX'`
    const [one, other] = await Promise.all([timeOf(), timeOf()])
    expect(one).toBe(other)
    expect(Date.parse(one)).toBeGreaterThan(Date.parse(kept))
  })

  it('refuses currencies that are unknown or not supported, and amounts that leave no corridor', async () => {
    const { platform } = worlds[0] as World
    const limited = await createPlatform()
    const currency = { minAmount: 1, maxAmount: 100_000, requiredCounterpartyFields: [] }
    await send(limited, 'PATCH', '/config', {
      supportedCurrencies: [
        { ...currency, currencyCode: 'USD', enabledTransactionTypes: ['INCOMING', 'OUTGOING'] },
        { ...currency, currencyCode: 'EUR', enabledTransactionTypes: ['INCOMING'] },
      ],
    })
    const codeOf = async (by: Platform, query: object) => {
      const { status, body } = await list(by, query)
      return [status, body.code, body.details?.reason].filter(Boolean).join(' ')
    }
    expect(await codeOf(platform, { sourceCurrency: 'XXX' })).toBe('400 INVALID_CURRENCY')
    expect(await codeOf(platform, { destinationCurrencies: ['USD', 'XXX'] })).toBe('400 INVALID_CURRENCY')
    expect(await codeOf(limited, { sourceCurrency: 'EUR' })).toBe('400 INVALID_CURRENCY CURRENCY_NOT_SUPPORTED')
    expect(await codeOf(limited, { destinationCurrencies: ['GBP'] })).toBe(
      '400 INVALID_CURRENCY CURRENCY_NOT_SUPPORTED',
    )
    const one = { sourceCurrency: 'USD', destinationCurrencies: ['EUR'] }
    expect(await codeOf(platform, { ...one, sendingAmount: 1 })).toBe('400 INVALID_AMOUNT')
    expect(await codeOf(platform, { ...one, sendingAmount: 0 })).toBe('400 INVALID_INPUT')
    const dong = { sourceCurrency: 'USD', destinationCurrencies: ['VND'], sendingAmount: 9e15 }
    expect(await codeOf(platform, dong)).toBe('400 AMOUNT_OUT_OF_RANGE')
    expect((await list(limited, {})).body.data.map((row: Answer['body']) => row.sourceCurrency)).toEqual(
      Array(3).fill('USD'),
    )
    expect(await codeOf(await createPlatform(['TRANSACT', 'MANAGE']), one)).toBe('403 FORBIDDEN')
  })
})

it('GraphQL also prices the amount that is received, like a quote that locks it', async () => {
  const world = worlds[3] as World
  const list = (amounts: object) =>
    callGraphQL(
      basic(world.platform),
      `query ($sendingAmount: Int64, $receivingAmount: Int64) {
        exchangeRates(sourceCurrency: "USD", destinationCurrencies: ["EUR"], sendingAmount: $sendingAmount, receivingAmount: $receivingAmount) {
          sendingAmount receivingAmount exchangeRate fees { total }
        }
      }`,
      amounts,
    )
  const rail = { sourceCurrency: 'USD', destinationCurrency: 'EUR', destinationPaymentRail: 'SEPA' }
  const locked = await quoteOf(world, rail, 'RECEIVING', 9_000)
  const [row] = (await list({ receivingAmount: 9_000 })).body.data.exchangeRates
  expect(termsOfRow(row)).toEqual(termsOf(locked.body))
  expect(row.receivingAmount).toBe(9_000)
  const READ = 'query ($id: ID!) { node(id: $id) { ... on Quote { lockedCurrencySide } } }'
  const quote = await callGraphQL(basic(world.platform), READ, { id: locked.body.id })
  expect(quote.body.data.node).toEqual({ lockedCurrencySide: 'RECEIVING' })
  const both = await list({ sendingAmount: 1, receivingAmount: 1 })
  expect(both.body.errors[0].extensions).toMatchObject({
    code: 'INVALID_INPUT',
    details: { field: 'receivingAmount' },
  })
  const tooMuch = await list({ receivingAmount: 9e15 })
  expect(tooMuch.body.errors[0].extensions).toMatchObject({
    code: 'AMOUNT_OUT_OF_RANGE',
    details: { field: 'receivingAmount' },
  })
})

it('agents see no exchange rates', async () => {
  const platform = await createPlatform()
  const { id: customerId } = await createCustomer(platform)
  const { authorization } = await createConnectedAgent(platform, { customerId })
  const { body } = await callGraphQL(authorization, '{ exchangeRates(sourceCurrency: "USD") { receivingAmount } }')
  expect(body.errors[0].extensions.code).toBe('FORBIDDEN')
})
