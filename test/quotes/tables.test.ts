// Refused quotes: each case over GraphQL and REST, with the same status, code, reason and field.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import {
  createFundedWallet,
  createPayer,
  fundsOf,
  type Payer,
  quoteInput,
  toAccount,
} from '#test/setup/payments/payers.ts'
import { type Answer, paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { createCustomer, createPlatform, createToken, type Platform } from '#test/setup/world.ts'

const [graphql, rest] = paymentFaces
if (!graphql || !rest) throw new Error('No faces')

const partsOf = ({ status, body: { code, details } }: Answer) => ({
  status,
  code,
  ...(details?.reason && { reason: details.reason }),
  // GraphQL has the fields of real-time funding one level deeper.
  ...(details?.field && { field: details.field.replace(/^input\./, '').replace('realtimeFunding.', '') }),
})

/** Checks that both APIs give this error and nothing is written. */
const expectRefusal = async (caller: Credentials, input: object, refusal: object, platform = caller as Platform) => {
  const before = await db.quote.count({ where: { platformId: platform.id } })
  const [asGraphQL, asRest] = [await graphql.createQuote(caller, input), await rest.createQuote(caller, input)]
  expect(partsOf(asRest)).toEqual(refusal)
  expect(partsOf(asGraphQL)).toEqual(refusal)
  expect(asGraphQL.body.message).toBe(asRest.body.message)
  expect(Object.keys(asRest.body).filter((name) => name !== 'details')).toEqual(['status', 'code', 'message'])
  expect(await db.quote.count({ where: { platformId: platform.id } })).toBe(before)
}

const invalid = (field: string) => ({ status: 400, code: 'INVALID_INPUT', field })
const NO_SOURCE = { status: 404, code: 'REFERENCE_NOT_FOUND', field: 'source.accountId' }
const NO_DESTINATION = { ...NO_SOURCE, field: 'destination.accountId' }
const NO_CUSTOMER = { status: 404, code: 'USER_NOT_FOUND', field: 'source.customerId' }
const NOT_READY = { status: 403, code: 'USER_NOT_READY' }
/** The states that may pass by themselves have a reason. */
const notReady = (reason: string | undefined) => ({ ...NOT_READY, ...(reason && { reason }) })
const ACCOUNT_REASONS: Readonly<Record<string, string>> = {
  FROZEN: 'ACCOUNT_FROZEN',
  PENDING: 'ACCOUNT_PENDING',
  UNDER_REVIEW: 'ACCOUNT_PENDING',
}
const NOT_IMPLEMENTED = { status: 501, code: 'NOT_IMPLEMENTED' }

const unknown = (kind: string) => `${kind}:${randomUUID()}`
const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)
const funded = (to: string, source: object, amount = 10_000) => ({
  ...quoteInput('', to, amount),
  source: { sourceType: 'REALTIME_FUNDING', ...source },
})

type Row = readonly [what: string, input: (payer: Payer) => object | Promise<object>, refusal: object]

const ROWS: readonly Row[] = [
  ['an unknown source', ({ outside }) => quoteInput(unknown('InternalAccount'), outside), NO_SOURCE],
  ['an unknown account outside', ({ dollars }) => quoteInput(dollars, unknown('ExternalAccount')), NO_DESTINATION],
  ['an unknown account here', ({ dollars }) => quoteInput(dollars, unknown('InternalAccount')), NO_DESTINATION],
  ["another platform's source", async ({ outside }) => quoteInput((await createPayer()).dollars, outside), NO_SOURCE],
  [
    "another platform's external account",
    async ({ dollars }) => quoteInput(dollars, (await createPayer()).outside),
    NO_DESTINATION,
  ],
  [
    "another platform's account here",
    async ({ dollars }) => quoteInput(dollars, (await createPayer()).euros),
    NO_DESTINATION,
  ],
  ['a source outside', ({ outside, iban }) => quoteInput(outside, iban), invalid('source.accountId')],
  ['a source of another kind', ({ customerId, iban }) => quoteInput(customerId, iban), invalid('source.accountId')],
  [
    'a malformed destination',
    ({ dollars }) => quoteInput(dollars, 'ExternalAccount:1'),
    invalid('destination.accountId'),
  ],
  [
    'the same account twice',
    ({ dollars }) => quoteInput(dollars, dollars),
    { status: 400, code: 'SELF_PAYMENT', field: 'destination.accountId' },
  ],
  ['an amount of zero', ({ dollars, iban }) => quoteInput(dollars, iban, 0), invalid('lockedCurrencyAmount')],
  ['a negative amount', ({ dollars, iban }) => quoteInput(dollars, iban, -1), invalid('lockedCurrencyAmount')],
  [
    'an amount above 9e15',
    ({ dollars, iban }) => quoteInput(dollars, iban, 9_000_000_000_000_001),
    invalid('lockedCurrencyAmount'),
  ],
  [
    'an amount that fees reduce to nothing (vector 12)',
    ({ dollars, iban }) => quoteInput(dollars, iban, 1),
    { status: 400, code: 'INVALID_AMOUNT' },
  ],
  [
    'a total above 9e15',
    ({ dollars, iban }) => ({
      ...quoteInput(dollars, iban, 9_000_000_000_000_000),
      lockedCurrencySide: 'RECEIVING',
    }),
    { status: 400, code: 'AMOUNT_OUT_OF_RANGE' },
  ],
  [
    'a rail that the account does not have',
    ({ dollars, iban }) => ({ ...quoteInput(dollars, iban), destination: { ...toAccount(iban), paymentRail: 'ACH' } }),
    invalid('destination.paymentRail'),
  ],
  [
    'a rail for an internal account',
    ({ dollars, euros }) => ({
      ...quoteInput(dollars, euros),
      destination: { ...toAccount(euros), paymentRail: 'ACH' },
    }),
    invalid('destination.paymentRail'),
  ],
  [
    'a remittance information of 81 characters',
    ({ dollars, iban }) => quoteInput(dollars, iban, 100, { remittanceInformation: 'x'.repeat(81) }),
    invalid('remittanceInformation'),
  ],
  [
    'an unknown currency',
    ({ dollars }) => funded(dollars, { currency: 'XYZ' }),
    { status: 400, code: 'INVALID_CURRENCY', field: 'source.currency' },
  ],
  [
    'a currency that cannot be pushed',
    ({ dollars }) => funded(dollars, { currency: 'JPY' }),
    { status: 400, code: 'INVALID_CURRENCY', field: 'source.currency' },
  ],
  [
    'a stablecoin without network',
    ({ dollars }) => funded(dollars, { currency: 'USDC' }),
    invalid('source.cryptoNetwork'),
  ],
  [
    'a stablecoin on a network that does not carry it',
    ({ dollars }) => funded(dollars, { currency: 'USDC', cryptoNetwork: 'TRON' }),
    invalid('source.cryptoNetwork'),
  ],
  [
    'a fiat currency on a network',
    ({ dollars }) => funded(dollars, { currency: 'EUR', cryptoNetwork: 'BASE' }),
    invalid('source.cryptoNetwork'),
  ],
  [
    'an unknown customer',
    ({ dollars }) => funded(dollars, { currency: 'EUR', customerId: unknown('Customer') }),
    NO_CUSTOMER,
  ],
  [
    "another platform's customer",
    async ({ dollars }) => funded(dollars, { currency: 'EUR', customerId: (await createPayer()).customerId }),
    NO_CUSTOMER,
  ],
  [
    'real-time funding that is to be executed at once',
    ({ dollars }) => ({ ...funded(dollars, { currency: 'EUR' }), immediatelyExecute: true }),
    invalid('immediatelyExecute'),
  ],
  [
    'a wallet with immediatelyExecute',
    async ({ platform, outside }) =>
      quoteInput((await createFundedWallet(platform)).accountId, outside, 10_000, { immediatelyExecute: true }),
    invalid('immediatelyExecute'),
  ],
  [
    'immediatelyExecute with an insufficient balance',
    ({ dollars, iban }) => quoteInput(dollars, iban, 100_001, { immediatelyExecute: true }),
    { status: 400, code: 'INVALID_AMOUNT', reason: 'INSUFFICIENT_BALANCE' },
  ],
]

it.each(ROWS)('%s', async (_what, input, refusal) => {
  const payer = await createPayer()
  await expectRefusal(payer.platform, await input(payer), refusal)
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([100_000, 100_000])
})

describe('an account or customer that is not ready:', () => {
  it.each(['PENDING', 'CLOSED', 'FROZEN', 'FAILED'] as const)('an internal account that is %s', async (status) => {
    const { platform, dollars, iban, euros } = await createPayer()
    await db.internalAccount.updateMany({ where: { id: uuidOf(euros) }, data: { status } })
    await expectRefusal(platform, quoteInput(euros, iban), notReady(ACCOUNT_REASONS[status]))
    await expectRefusal(platform, quoteInput(dollars, euros), notReady(ACCOUNT_REASONS[status]))
  })

  it.each(['PENDING', 'UNDER_REVIEW', 'INACTIVE'] as const)('an external account that is %s', async (status) => {
    const { platform, dollars, iban } = await createPayer()
    await db.externalAccount.updateMany({ where: { id: uuidOf(iban) }, data: { status } })
    await expectRefusal(platform, quoteInput(dollars, iban), notReady(ACCOUNT_REASONS[status]))
  })

  it.each(['UNVERIFIED', 'PENDING', 'REJECTED', 'HOLD'] as const)('a customer who is %s', async (status) => {
    const { platform, dollars, iban, customerId } = await createPayer()
    const isUnderReview = status === 'PENDING' || status === 'HOLD'
    await db.customer.updateMany({ where: { id: uuidOf(customerId) }, data: { verificationStatus: status } })
    await expectRefusal(
      platform,
      quoteInput(dollars, iban),
      notReady(isUnderReview ? 'CUSTOMER_UNDER_REVIEW' : undefined),
    )
  })

  it('a deleted customer', async () => {
    const { platform, dollars, iban, customerId } = await createPayer()
    await db.customer.updateMany({ where: { id: uuidOf(customerId) }, data: { isDeleted: true } })
    await expectRefusal(platform, quoteInput(dollars, iban), NOT_READY)
  })
})

describe('not supported yet:', () => {
  it('real-time funding in production, because its accounts exist only in the sandbox', async () => {
    const { platform, dollars } = await createPayer()
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    await expectRefusal(platform, funded(dollars, { currency: 'EUR' }), NOT_IMPLEMENTED)
  })
})

describe('the permissions of a token', () => {
  const tokenOf = async (platform: Platform, permissions: ('VIEW' | 'TRANSACT' | 'MANAGE')[]) => {
    const token = { clientId: randomUUID(), secret: randomUUID() }
    await createToken(platform.id, token, permissions)
    return token
  }
  const FORBIDDEN = { status: 403, code: 'FORBIDDEN' }

  it('TRANSACT is required to create and execute a quote', async () => {
    const { platform, dollars, iban } = await createPayer()
    const token = await tokenOf(platform, ['VIEW', 'MANAGE'])
    await expectRefusal(token, quoteInput(dollars, iban), FORBIDDEN, platform)
    const { body } = await rest.createQuote(platform, quoteInput(dollars, iban))
    for (const face of paymentFaces) expect(partsOf(await face.executeQuote(token, body.id))).toEqual(FORBIDDEN)
  })

  it('VIEW is required to read a quote, but not for the response to a mutation', async () => {
    const { platform, dollars, iban } = await createPayer()
    const token = await tokenOf(platform, ['TRANSACT'])
    const { status, body } = await rest.createQuote(token, quoteInput(dollars, iban))
    expect([status, body.transactionId]).toEqual([201, expect.stringMatching(/^Transaction:/)])
    for (const face of paymentFaces) expect(partsOf(await face.readQuote(token, body.id))).toEqual(FORBIDDEN)
    const input = { id: body.id }
    const executed = await callGraphQL(
      basic(token),
      `mutation ($input: ExecuteQuoteInput!) {
        executeQuote(input: $input) { ... on ExecuteQuoteSuccess { quote { id status } } }
      }`,
      { input },
    )
    expect(executed.body).toEqual({ data: { executeQuote: { quote: { id: body.id, status: 'PROCESSING' } } } })
  })
})

describe('bodies that only REST lets through to the domain', () => {
  const without = (name: string, input: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(input).filter(([key]) => key !== name))
  const BODIES: readonly (readonly [what: string, body: (payer: Payer) => unknown, field: string])[] = [
    ['no source', ({ dollars, iban }) => without('source', quoteInput(dollars, iban)), 'source'],
    ['no destination', ({ dollars, iban }) => without('destination', quoteInput(dollars, iban)), 'destination'],
    [
      'a source without a type',
      ({ dollars, iban }) => ({ ...quoteInput(dollars, iban), source: { accountId: dollars } }),
      'source.sourceType',
    ],
    [
      'no locked side',
      ({ dollars, iban }) => quoteInput(dollars, iban, 1, { lockedCurrencySide: 'BOTH' }),
      'lockedCurrencySide',
    ],
    ['half a cent', ({ dollars, iban }) => quoteInput(dollars, iban, 1.5), 'lockedCurrencyAmount'],
    [
      'an amount as a string',
      ({ dollars, iban }) => quoteInput(dollars, iban, 1, { lockedCurrencyAmount: '100' }),
      'lockedCurrencyAmount',
    ],
    [
      'no amount',
      ({ dollars, iban }) => without('lockedCurrencyAmount', quoteInput(dollars, iban)),
      'lockedCurrencyAmount',
    ],
    [
      'an unknown purpose',
      ({ dollars, iban }) => quoteInput(dollars, iban, 1, { purposeOfPayment: 'FUN' }),
      'purposeOfPayment',
    ],
    [
      'a flag that is not a boolean',
      ({ dollars, iban }) => quoteInput(dollars, iban, 1, { immediatelyExecute: 'yes' }),
      'immediatelyExecute',
    ],
    [
      'a customer who does not own the account',
      ({ dollars, iban, platform }) =>
        createCustomer(platform).then(({ id }) => ({
          ...quoteInput(dollars, iban),
          source: { sourceType: 'ACCOUNT', accountId: dollars, customerId: `Customer:${id}` },
        })),
      'source.customerId',
    ],
    [
      'a UMA address without look-up',
      ({ dollars }) => ({
        ...quoteInput(dollars, ''),
        destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$a@bank.example' },
      }),
      'lookupId',
    ],
  ]
  it.each(BODIES)('%s', async (_what, body, field) => {
    const payer = await createPayer()
    const answer = await send(payer.platform, 'POST', '/quotes', await body(payer))
    expect(answer).toMatchObject({ status: 400, body: { status: 400, code: 'INVALID_INPUT', details: { field } } })
  })

  it('a UMA address must be valid and looked up first', async () => {
    const { platform, dollars } = await createPayer()
    const to = (umaAddress: string) => ({
      ...quoteInput(dollars, ''),
      destination: { destinationType: 'UMA_ADDRESS', umaAddress },
      lookupId: unknown('LookupRequest'),
    })
    // Payments and filters accept the same syntax.
    const isFilter = async (address: string) => {
      const path = `/transactions?accountIdentifier=${encodeURIComponent(address)}`
      return (await send(platform, 'GET', path)).status === 200
    }
    for (const address of ['a@bank.example', `$${'a'.repeat(65)}@bank.example`, '$a@bank.example:123456', '$a@b/c']) {
      expect(await send(platform, 'POST', '/quotes', to(address))).toMatchObject({
        status: 400,
        body: { code: 'INVALID_UMA_ADDRESS' },
      })
      expect(await isFilter(address), address).toBe(false)
    }
    for (const address of ['$a@bank.example', `$${'a'.repeat(64)}@bank.example`, '$a@bank.example:12345']) {
      expect(await send(platform, 'POST', '/quotes', to(address))).toMatchObject({
        status: 404,
        body: { code: 'LOOKUP_REQUEST_NOT_FOUND' },
      })
      expect(await isFilter(address), address).toBe(true)
    }
  })

  it('a body that is not a JSON object is refused', async () => {
    const { platform } = await createPayer()
    for (const body of ['[]', '{', 'null', '7']) {
      const answer = await send(platform, 'POST', '/quotes', body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST_FORMAT' } })
    }
  })

  it('unknown fields, and a currency of the destination account, are ignored', async () => {
    const { platform, dollars, iban } = await createPayer()
    const body = { ...quoteInput(dollars, iban), destination: { ...toAccount(iban), currency: 'EUR' }, more: [1] }
    expect((await send(platform, 'POST', '/quotes', body)).status).toBe(201)
  })
})

describe("the platform's fee", () => {
  const setFee = (platform: Platform, sendingCurrency: string) =>
    db.platformFee.create({ data: { platformId: platform.id, sendingCurrency, fixed: 50n, rate: 3_000 } })

  it('applies to dollars only, needs an account to receive it, and is taken of the converted amount', async () => {
    const payer = await createPayer()
    const { platform, dollars, euros, iban, outside } = payer
    await setFee(platform, 'EUR')
    await expectRefusal(platform, quoteInput(euros, outside), NOT_IMPLEMENTED)
    await setFee(platform, 'USD')
    await expectRefusal(platform, quoteInput(dollars, iban), { status: 400, code: 'QUOTE_REQUEST_FAILED' })
    const { body } = await rest.createQuote(platform, quoteInput(dollars, outside))
    expect([body.feesIncluded, body.platformFeesIncluded]).toEqual([0, 0])
  })
})

it('another platform cannot read a quote', async () => {
  const { platform, dollars, iban } = await createPayer()
  const { body } = await rest.createQuote(platform, quoteInput(dollars, iban))
  const stranger = await createPlatform()
  for (const id of [body.id, unknown('Quote'), 'Quote:1', body.transactionId.replace('Transaction', 'Quotes')]) {
    expect(partsOf(await rest.readQuote(stranger, id))).toEqual({ status: 404, code: 'QUOTE_NOT_FOUND' })
  }
  expect((await graphql.readQuote(stranger, body.id)).status).toBe(404)
})
