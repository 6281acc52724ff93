// The UMA addresses of the sandbox decide what happens, on any domain, and no institution is asked (docs/domain/sandbox.md#magic-values).
import { expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, fundsOf, type Payer, timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { changePlatform } from '#test/setup/world.ts'

const lookUp = async ({ platform, customerId }: Payer, address: string) =>
  send(platform, 'GET', `/receiver/uma/${encodeURIComponent(address)}?customerId=${customerId}`)

const quoteInput = ({ dollars }: Payer, umaAddress: string, lookupId: string) => ({
  source: { sourceType: 'ACCOUNT', accountId: dollars },
  destination: { destinationType: 'UMA_ADDRESS', umaAddress },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 10_000,
  lookupId,
})

const COMPLETED = ['PENDING', 'PROCESSING', 'COMPLETED']
it.each([
  ['$success.usd@any.example', 'USD', 2, COMPLETED, 90_000],
  ['$success.eur@any.example', 'EUR', 2, COMPLETED, 90_000],
  ['$Success.MXN@Other.Example', 'MXN', 2, COMPLETED, 90_000],
  ['$pending.long.usd@any.example', 'USD', 300, ['PENDING', 'PROCESSING'], 90_000],
  ['$pending.long.usd@any.example', 'USD', 400, COMPLETED, 90_000],
  [
    '$fail.compliance.usd@any.example',
    'USD',
    5,
    ['PENDING', 'PROCESSING', 'FAILED COUNTERPARTY_POST_TX_FAILED'],
    100_000,
  ],
] as const)('%s in %s after %d seconds', async (address, currency, seconds, timeline, left) => {
  const payer = await createPayer()
  const found = await lookUp(payer, address)
  expect(found.body).toMatchObject({
    receiverUmaAddress: address.toLowerCase(),
    requiredPayerDataFields: [],
    supportedCurrencies: [{ currency: { code: currency }, min: 1 }],
  })
  const quote = await send(payer.platform, 'POST', '/quotes', quoteInput(payer, address, found.body.lookupId))
  expect(quote.status, quote.text).toBe(201)
  expect(quote.body).toMatchObject({
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: address.toLowerCase() },
    receivingCurrency: { code: currency },
    rateDetails: { serviceApiFixedFee: 0, counterpartyFixedFee: 0 },
  })
  expect(Date.parse(quote.body.expiresAt) - Date.parse(quote.body.createdAt)).toBe(60_000)
  const executed = await send(payer.platform, 'POST', `/quotes/${quote.body.id}/execute`)
  expect(executed.body.status).toBe('PROCESSING')
  await passTime(payer.platform.id, seconds)
  expect(await timelineOf(payer.platform, quote.body.transactionId)).toEqual(timeline)
  expect((await fundsOf(payer.platform, payer.dollars))[0]).toBe(left)
})

it('they say nothing about the receiver, so counterpartyInformation is left out', async () => {
  const payer = await createPayer()
  const address = '$success.usd@any.example'
  const { lookupId } = (await lookUp(payer, address)).body
  const { body: quote } = await send(payer.platform, 'POST', '/quotes', quoteInput(payer, address, lookupId))
  expect(quote).not.toHaveProperty('counterpartyInformation')
  const { body: payment } = await send(payer.platform, 'GET', `/transactions/${quote.transactionId}`)
  expect(payment).not.toHaveProperty('counterpartyInformation')
  const query = `query ($quote: ID!, $payment: ID!) {
    quote: node(id: $quote) { ... on Quote { counterpartyInformation { key } } }
    payment: node(id: $payment) { ... on OutgoingTransaction { counterpartyInformation { key } } }
  }`
  const ids = { quote: quote.id, payment: quote.transactionId }
  const { body } = await callGraphQL(basic(payer.platform), query, ids)
  const nothing = { counterpartyInformation: null }
  expect(body.data).toEqual({ quote: nothing, payment: nothing })
})

it('the rate of the smallest amount is positive', async () => {
  const payer = await createPayer()
  const address = '$success.mxn@any.example'
  const { lookupId } = (await lookUp(payer, address)).body
  const locked = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 1 }
  const { body } = await send(payer.platform, 'POST', '/quotes', { ...quoteInput(payer, address, lookupId), ...locked })
  expect(body.rateDetails.serviceApiMultiplier).toBeGreaterThan(0)
})

it('a platform without keys can pay only them', async () => {
  const payer = await createPayer()
  expect((await lookUp(payer, '$success.usd@any.example')).status).toBe(200)
  expect((await lookUp(payer, '$bob@any.example')).body.code).toBe('COUNTERPARTY_NOT_ALLOWED')
})

it('in production they are addresses like any other', async () => {
  const payer = await createPayer()
  await changePlatform(payer.platform, { environment: 'PRODUCTION' })
  expect((await lookUp(payer, '$success.usd@any.example')).body.code).toBe('COUNTERPARTY_NOT_ALLOWED')
})

it('a look-up belongs to one customer and one sender', async () => {
  const [payer, other] = [await createPayer(), await createPayer()]
  const address = '$success.usd@any.example'
  const { lookupId } = (await lookUp(payer, address)).body
  const foreign = await send(other.platform, 'POST', '/quotes', quoteInput(other, address, lookupId))
  expect(foreign.body.code).toBe('LOOKUP_REQUEST_NOT_FOUND')
  const sibling = await createPayer({ platform: payer.platform })
  const taken = await send(payer.platform, 'POST', '/quotes', quoteInput(sibling, address, lookupId))
  expect(taken.body).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'lookupId' } })
  expect((await send(payer.platform, 'GET', `/receiver/uma/${encodeURIComponent(address)}`)).body.details.field).toBe(
    'customerId',
  )
  expect((await lookUp({ ...payer, customerId: other.customerId }, address)).body.code).toBe('USER_NOT_FOUND')
  const malformed = `/receiver/uma/${encodeURIComponent(address)}?senderUmaAddress=bob`
  expect((await send(payer.platform, 'GET', malformed)).body).toMatchObject({
    code: 'INVALID_UMA_ADDRESS',
    details: { field: 'senderUmaAddress' },
  })
})

it('an external account is looked up on both faces', async () => {
  const payer = await createPayer()
  const { platform, customerId, iban } = payer
  const rest = await send(platform, 'GET', `/receiver/external-account/${iban}?customerId=${customerId}`)
  expect(rest.body).toMatchObject({
    lookupId: expect.stringMatching(/^LookupRequest:/),
    accountId: iban,
    supportedCurrencies: [{ currency: { code: 'EUR', decimals: 2 }, min: 1, max: 9e15 }],
    requiredPayerDataFields: expect.arrayContaining([{ name: 'FULL_NAME', mandatory: true }]),
  })
  const { body } = await callGraphQL(
    basic(platform),
    `mutation ($input: LookUpExternalAccountInput!) { lookUpExternalAccount(input: $input) {
      ... on LookUpSuccess { lookup { accountId receiverUmaAddress supportedCurrencies { currency { code } estimatedExchangeRate } } }
      ... on ApiError { code } } }`,
    { input: { accountId: iban, customerId } },
  )
  const [inRest] = rest.body.supportedCurrencies
  expect(body.data.lookUpExternalAccount.lookup).toEqual({
    accountId: iban,
    receiverUmaAddress: null,
    supportedCurrencies: [{ currency: { code: 'EUR' }, estimatedExchangeRate: inRest.estimatedExchangeRate }],
  })
  // Both accounts were opened at once. The order of the customer's currencies decides from which one the rate is estimated.
  const estimates: number[] = []
  for (const currencies of [
    ['EUR', 'USD'],
    ['USD', 'EUR'],
  ]) {
    await db.customer.updateMany({ where: { id: customerId.split(':')[1] ?? '' }, data: { currencies } })
    const { body } = await send(platform, 'GET', `/receiver/external-account/${iban}?customerId=${customerId}`)
    estimates.push(body.supportedCurrencies[0].estimatedExchangeRate)
  }
  expect(estimates).toEqual([1, expect.closeTo(1 / 0.92, 6)])
  const unknown = await send(platform, 'GET', `/receiver/external-account/x?customerId=${customerId}`)
  expect(unknown.body.code).toBe('REFERENCE_NOT_FOUND')
})
