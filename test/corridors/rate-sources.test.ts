// Where exchange rates come from, and that rates that are too old are refused (docs/domain/corridors.md#sources-of-rates).
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config } from '#core/config.ts'
import { publicId } from '#core/ids.ts'
import { parseEcb } from '#corridors/rates/ecb.ts'
import { refreshExchangeRates, refreshRates, urlSource } from '#corridors/rates/refresh.ts'
import { db } from '#database/db.ts'
import { createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { rateFaces } from '#test/setup/corridors/rate-faces.ts'
import { quoteInput } from '#test/setup/payments/payers.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'
import {
  changePlatform,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
} from '#test/setup/world.ts'

const [face] = rateFaces
const TODAY = new Date().toISOString().slice(0, 10)

const xml = (rates: Readonly<Record<string, string>>, day = TODAY) => `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube><Cube time='${day}'>${Object.entries(rates)
    .map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`)
    .join('\n')}</Cube></Cube>
</gesmes:Envelope>`

const RATES = { USD: '1.0800', GBP: '0.8640', JPY: '162.00', ISK: '149.5' }

describe('the XML of the European Central Bank', () => {
  it('is read exactly, without currencies that the service does not have', () => {
    expect(parseEcb(xml(RATES, '2026-11-20'))).toEqual({
      rates: { EUR: 100_000_000n, USD: 108_000_000n, GBP: 86_400_000n, JPY: 16_200_000_000n },
      publishedAt: new Date('2026-11-20T00:00:00Z'),
    })
  })

  it.each([
    ['no document', ''],
    ['no day', xml(RATES, 'today')],
    ['an impossible day', xml(RATES, '2026-13-45')],
    ['two days', `${xml(RATES)}${xml(RATES)}`],
    ['no dollar', xml({ GBP: '0.8' })],
    ['a rate of zero', xml({ ...RATES, USD: '0.0000' })],
    ['a negative rate', xml({ ...RATES, USD: '-1.08' })],
    ['a rate that is no decimal', xml({ ...RATES, USD: '1e3' })],
    ['a currency twice', xml(RATES).replace('</Cube></Cube>', `<Cube currency='USD' rate='1.2'/></Cube></Cube>`)],
  ])('is refused with %s', (_what, text) => {
    expect(() => parseEcb(text)).toThrow()
  })
})

let server: Server
let serve: RequestListener
beforeEach(async () => {
  await db.$executeRaw`delete from exchange_rate_tables where environment = 'PRODUCTION'`
  serve = (_request, response) => response.end(xml(RATES))
  server = createServer((request, response) => serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  Object.assign(config, { exchangeRates: { url: `http://127.0.0.1:${port}/daily.xml`, maxAgeHours: 144 } })
})
afterEach(() => {
  Object.assign(config, { exchangeRates: null })
  server.closeAllConnections()
  server.close()
})

/** A production platform with accounts, and what its quotes and rates answer. */
const createProduction = async () => {
  const platform = await createPlatform()
  await changePlatform(platform, { environment: 'PRODUCTION' })
  const account = async (currency: string) =>
    publicId('InternalAccount', (await createInternalAccount(platform, { currency })).id)
  const [dollars, pounds] = [await account('USD'), await account('GBP')]
  const outside = async (currency: string) =>
    publicId(
      'ExternalAccount',
      (
        await createExternalAccount(platform, {
          currency,
          accountInfo: { accountNumber: currency, paymentRails: ['SWIFT'] },
        })
      ).id,
    )
  const [yen, naira, same] = [await outside('JPY'), await outside('NGN'), await outside('USD')]
  const quote = (from: string, to: string) => send(platform, 'POST', '/quotes', quoteInput(from, to))
  const rates = (sourceCurrency: string, destinationCurrencies?: string[]) =>
    face?.list(platform, { sourceCurrency, ...(destinationCurrencies && { destinationCurrencies }) }) as Promise<Answer>
  const codes = async () =>
    [await quote(dollars, yen), await rates('USD')].map(({ status, body }) =>
      [status, body.code, body.details?.reason].filter(Boolean).join(' '),
    )
  return { platform, dollars, pounds, yen, naira, same, quote, rates, codes }
}

it('production without a source converts nothing, and pays within one currency', async () => {
  Object.assign(config, { exchangeRates: null })
  const { dollars, same, quote, codes } = await createProduction()
  expect(await codes()).toEqual(['501 NOT_IMPLEMENTED', '501 NOT_IMPLEMENTED'])
  expect((await quote(dollars, same)).status).toBe(201)
})

it('production without a source converts no limits of agents, and looks up no accounts', async () => {
  Object.assign(config, { exchangeRates: null })
  const acting = await createActing({ limitCurrency: 'EUR' })
  const { platform, owner, agent, agentId, customerId, accountId, dollarsId } = acting
  await changePlatform(platform, { environment: 'PRODUCTION' })
  const inward = { source: { accountId: dollarsId }, destination: { accountId }, amount: 1 }
  const answers = [
    await callRest(agent, 'POST', '/agents/me/transfer-out', transferOf(acting, 1)),
    await callRest(agent, 'POST', '/agents/me/transfer-in', inward),
    await callRest(owner, 'PATCH', `/agents/${agentId}/policy`, { spendingLimits: { currency: 'USD' } }),
    await callRest(owner, 'GET', `/receiver/external-account/${dollarsId}?customerId=${customerId}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([501, 501, 501, 501])
})

it('production uses the rates of the source for quotes and exchange rates', async () => {
  const { dollars, pounds, yen, naira, quote, rates } = await createProduction()
  await refreshRates()
  const { body } = await rates('GBP', ['JPY'])
  // 0.8640 / 162.00, with eight significant digits.
  expect(body.data[0].exchangeRate).toBe(0.0053333333)
  const made = await quote(pounds, yen)
  expect([made.status, made.body.exchangeRate, made.body.totalReceivingAmount]).toEqual([
    201,
    0.0053333333,
    body.data[0].receivingAmount,
  ])
  // A currency that the bank does not publish.
  const codeOf = ({ status, body: answer }: Answer) => [status, answer.code, answer.details.reason]
  expect(codeOf(await quote(dollars, naira))).toEqual([400, 'QUOTE_REQUEST_FAILED', 'NO_RATE'])
  const offered = (await rates('USD')).body.data.map((row: Answer['body']) => row.destinationCurrency)
  expect([...new Set(offered)]).toEqual(['EUR', 'GBP', 'JPY', 'USDC', 'USDT', 'USDB'])
})

it('an account is looked up at the rate of a quote, although the source has no rate of bitcoin', async () => {
  const { platform, yen } = await createProduction()
  await refreshRates()
  const { id } = await createCustomer(platform)
  await createInternalAccount(platform, { customerId: id, currency: 'GBP' })
  const look = () => send(platform, 'GET', `/receiver/external-account/${yen}?customerId=Customer:${id}`)
  const found = await look()
  expect([found.status, found.body.supportedCurrencies]).toEqual([
    200,
    [expect.objectContaining({ estimatedExchangeRate: 0.0053333333, min: 1, max: 9e15 })],
  ])
  const limits = {
    minAmount: 0,
    maxAmount: 5_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING'],
  }
  await send(platform, 'PATCH', '/config', { supportedCurrencies: [{ currencyCode: 'JPY', ...limits }] })
  expect((await look()).body.supportedCurrencies[0]).toMatchObject({ min: 1, max: 5_000 })
})

it('refuses rates that were read too long ago or published too long ago, until the source answers again', async () => {
  const { codes } = await createProduction()
  const STALE = Array(2).fill('400 QUOTE_REQUEST_FAILED RATES_STALE')
  expect(await codes()).toEqual(STALE)
  await refreshRates()
  expect(await codes()).toEqual(['201', '200'])

  await db.$executeRaw`update exchange_rate_tables set read_at = now() - interval '5 minutes' where environment = 'PRODUCTION'`
  expect(await codes()).toEqual(STALE)
  await refreshRates()
  expect(await codes()).toEqual(['201', '200'])

  await db.$executeRaw`update exchange_rate_tables set published_at = now() - interval '144 hours' where environment = 'PRODUCTION'`
  expect(await codes()).toEqual(STALE)
})

it('the job ends while the source is silent, and the rates are used once it answers', async () => {
  const { codes } = await createProduction()
  const asked = new Promise<() => unknown>((resolve) => {
    serve = (_request, response) => resolve(() => response.end(xml(RATES)))
  })
  await refreshExchangeRates.run({})
  const answer = await asked
  answer()
  await expect.poll(codes).toEqual(['201', '200'])
})

it('asks the source once in three minutes', async () => {
  let asked = 0
  serve = (request, response) => {
    asked += 1
    expect([request.method, request.url, request.headers['content-length']]).toEqual(['GET', '/daily.xml', undefined])
    response.end(xml(RATES))
  }
  await refreshRates()
  await refreshRates()
  expect(asked).toBe(1)
  await db.$executeRaw`update exchange_rate_tables set read_at = now() - interval '4 minutes' where environment = 'PRODUCTION'`
  await refreshRates()
  expect(asked).toBe(2)
})

it.each<[string, RequestListener]>([
  ['fails', (_request, response) => response.writeHead(500).end()],
  ['redirects', (_request, response) => response.writeHead(302, { location: '/elsewhere.xml' }).end()],
  ['answers too much', (_request, response) => response.end(xml(RATES) + ' '.repeat(70_000))],
  ['answers something else', (_request, response) => response.end('<html></html>')],
  ['hangs up', (request) => request.socket.destroy()],
])('a source that %s leaves the rates as they are', async (_what, listener) => {
  await refreshRates()
  await db.$executeRaw`update exchange_rate_tables set read_at = now() - interval '4 minutes' where environment = 'PRODUCTION'`
  const rowOf = () => db.$queryRaw<object[]>`select * from exchange_rate_tables where environment = 'PRODUCTION'`
  const before = await rowOf()
  serve = listener
  await expect(refreshRates()).rejects.toThrow()
  expect(await rowOf()).toEqual(before)
})

it('a source at a private address is not called', async () => {
  await expect(urlSource('https://10.0.0.1/daily.xml').read()).rejects.toThrow('ADDRESS_REFUSED')
  await expect(urlSource('https://[fd00::1]/daily.xml').read()).rejects.toThrow('ADDRESS_REFUSED')
})
