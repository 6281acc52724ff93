// Two gateways with two databases, as two institutions, pay each other over UMA, in both directions and over both faces.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  balanceOf,
  createPerson,
  type Institution,
  introduce,
  owedBy,
  type Person,
  startInstitution,
} from '#test/setup/uma/institution.ts'
import { startReceiver } from '#test/setup/webhooks/receiver.ts'

let a: Institution
let b: Institution
let alice: Person
let bob: Person
let receiver: Awaited<ReturnType<typeof startReceiver>>
let answer: (type: string) => number | { status: number; body: string } = () => 200

beforeAll(async () => {
  receiver = await startReceiver(({ type }) => answer(type))
  ;[a, b] = await Promise.all([startInstitution('a.example'), startInstitution('b.example')])
  await Promise.all([
    introduce(a, { ...b, url: b.gateway.url }),
    introduce(b, { ...a, url: a.gateway.url }),
    ...[a, b].map((one) => one.send('PATCH', '/config', { webhookEndpoint: receiver.url })),
  ])
  ;[alice, bob] = await Promise.all([
    createPerson(a, 'alice', { USD: 1_000_000 }),
    createPerson(b, 'bob', { EUR: 1_000_000 }),
  ])
}, 120_000)

afterAll(async () => {
  receiver.close()
  await Promise.all([a.close(), b.close()])
})

interface Face {
  readonly name: string
  readonly lookUp: (
    from: Institution,
    person: Person,
    address: string,
  ) => Promise<{ lookupId: string; currencies: string[] }>
  readonly quote: (
    from: Institution,
    input: QuoteInput,
  ) => Promise<Record<string, unknown> & { id: string; transactionId: string }>
  readonly execute: (from: Institution, id: string) => Promise<string>
  readonly statusOf: (from: Institution, quoteId: string) => Promise<string>
}
interface QuoteInput {
  readonly lookupId: string
  readonly accountId: string
  readonly umaAddress: string
  readonly side: 'SENDING' | 'RECEIVING'
  readonly amount: number
}

const at = encodeURIComponent

const rest: Face = {
  name: 'REST',
  lookUp: async (from, person, address) => {
    const { status, body } = await from.send('GET', `/receiver/uma/${at(address)}?customerId=${person.customerId}`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.receiverUmaAddress).toBe(address)
    return {
      lookupId: body.lookupId,
      currencies: body.supportedCurrencies.map((one: { currency: { code: string } }) => one.currency.code),
    }
  },
  quote: async (from, { lookupId, accountId, umaAddress, side, amount }) => {
    const { status, body } = await from.send('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress },
      lockedCurrencySide: side,
      lockedCurrencyAmount: amount,
      lookupId,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  },
  execute: async (from, id) => (await from.send('POST', `/quotes/${id}/execute`)).body.status,
  statusOf: async (from, id) => (await from.send('GET', `/quotes/${id}`)).body.status,
}

const graphql: Face = {
  name: 'GraphQL',
  lookUp: async (from, person, address) => {
    const { data } = await from.ask(
      `mutation ($input: LookUpUmaAddressInput!) { lookUpUmaAddress(input: $input) {
        ... on LookUpSuccess { lookup { lookupId receiverUmaAddress supportedCurrencies { currency { code } min max estimatedExchangeRate } } }
        ... on ApiError { code message } } }`,
      { input: { receiverUmaAddress: address, customerId: person.customerId } },
    )
    const { lookup } = data.lookUpUmaAddress
    return {
      lookupId: lookup.lookupId,
      currencies: lookup.supportedCurrencies.map((one: { currency: { code: string } }) => one.currency.code),
    }
  },
  quote: async (from, { lookupId, accountId, umaAddress, side, amount }) => {
    const { data, errors } = await from.ask(
      `mutation ($input: CreateQuoteInput!) { createQuote(input: $input) {
        ... on CreateQuoteSuccess { quote { id status totalSendingAmount totalReceivingAmount feesIncluded transaction { id } } }
        ... on ApiError { code message details { field reason } } } }`,
      {
        input: {
          source: { accountId },
          umaDestination: { umaAddress },
          lockedCurrencySide: side,
          lockedCurrencyAmount: amount,
          lookupId,
        },
      },
    )
    expect(errors, JSON.stringify(errors)).toBeUndefined()
    const { quote } = data.createQuote
    expect(quote, JSON.stringify(data)).toBeDefined()
    const numbers = ['totalSendingAmount', 'totalReceivingAmount', 'feesIncluded'].map((name) => [
      name,
      Number(quote[name]),
    ])
    return { ...quote, ...Object.fromEntries(numbers), transactionId: quote.transaction.id }
  },
  execute: async (from, id) => {
    const { data } = await from.ask(
      `mutation ($input: ExecuteQuoteInput!) { executeQuote(input: $input) { ... on ExecuteQuoteSuccess { quote { status } } ... on ApiError { code } } }`,
      { input: { id } },
    )
    return data.executeQuote.quote?.status ?? data.executeQuote.code
  },
  statusOf: async (from, id) =>
    (await from.ask('query ($id: ID!) { node(id: $id) { ... on Quote { status } } }', { id })).data.node.status,
}

describe.each([rest, graphql])('$name', (face) => {
  const ways = [
    ['from the first to the second', () => ({ from: a, to: b, payer: alice, payee: bob, currency: 'USD' })],
    ['from the second to the first', () => ({ from: b, to: a, payer: bob, payee: alice, currency: 'EUR' })],
  ] as const

  it.each(ways)('pays %s, from the look-up to COMPLETED', async (_way, ends) => {
    const { from, to, payer, payee, currency } = ends()
    const source = payer.accounts[currency] ?? ''
    const [received] = Object.values(payee.accounts)
    for (const side of ['SENDING', 'RECEIVING'] as const) {
      const before = { sent: await balanceOf(from, source), received: await balanceOf(to, received ?? '') }
      const owedBefore = await owedBy(to, from)
      const { lookupId, currencies } = await face.lookUp(from, payer, payee.umaAddress)
      expect(currencies).toEqual(Object.keys(payee.accounts))
      const quote = await face.quote(from, {
        lookupId,
        accountId: source,
        umaAddress: payee.umaAddress,
        side,
        amount: 10_000,
      })
      const [sending, receiving] = [Number(quote['totalSendingAmount']), Number(quote['totalReceivingAmount'])]
      expect(side === 'SENDING' ? sending : receiving).toBe(10_000)
      expect(await face.execute(from, quote.id)).toBe('PROCESSING')
      await expect.poll(() => face.statusOf(from, quote.id)).toBe('COMPLETED')
      expect(await balanceOf(from, source)).toBe(before.sent - sending)
      expect(await balanceOf(to, received ?? '')).toBe(before.received + receiving)

      // Both institutions record the same debt.
      expect(await owedBy(to, from)).toBe(-(await owedBy(from, to)))
      expect(await owedBy(to, from)).toBeGreaterThan(owedBefore)
      const incoming = await to.send('GET', '/transactions?type=INCOMING&limit=1')
      expect(incoming.body.data[0]).toMatchObject({
        status: 'COMPLETED',
        source: { sourceType: 'UMA_ADDRESS', umaAddress: payer.umaAddress },
        receivedAmount: { amount: receiving },
        counterpartyInformation: expect.objectContaining({}),
      })
      const outgoing = await from.send('GET', `/transactions/${quote.transactionId}`)
      expect(outgoing.body).toMatchObject({
        status: 'COMPLETED',
        destination: { destinationType: 'UMA_ADDRESS', umaAddress: payee.umaAddress },
        receivedAmount: { amount: receiving },
        reconciliationInstructions: {
          transactionHash: incoming.body.data[0].reconciliationInstructions.transactionHash,
        },
        counterpartyInformation: { FULL_NAME: expect.stringContaining('Example') },
      })
      expect(outgoing.body.rateDetails.counterpartyMultiplier).toBeGreaterThan(0)
    }
  })
})

/** The first incoming payment, with its timeline. */
const newestIncoming = async (to: Institution) => {
  const [row] = await to.sql(
    `select t.id, t.status, t.failure_reason as reason from transactions t where t.type = 'INCOMING' order by t.created_at desc limit 1`,
  )
  return row
}

const refused = async (input: Partial<QuoteInput> & { body?: object } = {}) => {
  const { lookupId } = await rest.lookUp(a, alice, bob.umaAddress)
  const { status, body } = await a.send('POST', '/quotes', {
    source: { sourceType: 'ACCOUNT', accountId: alice.accounts['USD'] },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: bob.umaAddress },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: input.amount ?? 10_000,
    lookupId,
    ...input.body,
  })
  return [status, body.code, body.details?.counterpartyCode ?? body.details?.reason]
}

interface Decision {
  readonly reply: () => number | { status: number; body: string }
  readonly told: unknown[]
  readonly status: string
  readonly reason: string | null
}
const UNDECIDED = [424, 'PAYREQ_REQUEST_FAILED', 'USER_NOT_READY']

const DECISIONS: Readonly<Record<string, Decision>> = {
  rejects: {
    reply: () => ({ status: 403, body: JSON.stringify({ reason: 'No' }) }),
    told: [400, 'SENDER_NOT_ACCEPTED', undefined],
    status: 'REJECTED',
    reason: null,
  },
  fails: { reply: () => 500, told: UNDECIDED, status: 'FAILED', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR' },
  'lacks data': {
    reply: () => ({ status: 422, body: '{}' }),
    told: UNDECIDED,
    status: 'FAILED',
    reason: 'MISSING_MANDATORY_PAYEE_DATA',
  },
  'does not decide': { reply: () => 202, told: UNDECIDED, status: 'FAILED', reason: 'PAYMENT_APPROVAL_TIMED_OUT' },
}

describe('the platform of the payee', () => {
  it.each(Object.entries(DECISIONS))('%s', async (_what, { reply, told, status, reason }) => {
    const before = await balanceOf(a, alice.accounts['USD'] ?? '')
    answer = (type) => (type === 'INCOMING_PAYMENT.PENDING' ? reply() : 200)
    expect(await refused()).toEqual(told)
    answer = () => 200
    expect(await newestIncoming(b)).toMatchObject({ status, reason })
    expect(await balanceOf(a, alice.accounts['USD'] ?? '')).toBe(before)
  })
})

it('the approval request says what the sender asks about the receiver', async () => {
  const asked = receiver.received
    .filter(({ type }) => type === 'INCOMING_PAYMENT.PENDING')
    .map(({ text }) => JSON.parse(text))
  expect(asked.at(-1).data.requestedReceiverCustomerInfoFields).toEqual([{ name: 'FULL_NAME', mandatory: false }])
})

const executed = async (change: () => Promise<unknown>): Promise<unknown> => {
  const { lookupId } = await rest.lookUp(a, alice, bob.umaAddress)
  const accountId = alice.accounts['USD'] ?? ''
  const quote = await rest.quote(a, {
    lookupId,
    accountId,
    umaAddress: bob.umaAddress,
    side: 'SENDING',
    amount: 10_000,
  })
  const before = [await balanceOf(a, accountId), await balanceOf(b, bob.accounts['EUR'] ?? ''), await owedBy(b, a)]
  await change()
  expect(await rest.execute(a, quote.id)).toBe('PROCESSING')
  await expect.poll(() => rest.statusOf(a, quote.id)).toBe('FAILED')
  const outgoing = await a.send('GET', `/transactions/${quote.transactionId}`)
  expect(outgoing.body).toMatchObject({
    status: 'FAILED',
    failureReason: 'COUNTERPARTY_POST_TX_FAILED',
    refund: { status: 'COMPLETED' },
  })
  expect([await balanceOf(a, accountId), await balanceOf(b, bob.accounts['EUR'] ?? ''), await owedBy(b, a)]).toEqual(
    before,
  )
  return newestIncoming(b)
}

describe('a payment that cannot be settled is refused for good and refunded', () => {
  it('over the credit limit', async () => {
    const incoming = await executed(() => b.sql(`update uma_providers set credit_limit = 0 where domain = 'a.example'`))
    await b.sql(`update uma_providers set credit_limit = 1000000000 where domain = 'a.example'`)
    expect(incoming).toMatchObject({ status: 'FAILED', reason: 'QUOTE_EXECUTION_FAILED' })
  })

  it('to an account that was closed', async () => {
    const incoming = await executed(() =>
      b.sql(`update internal_accounts set status = 'FROZEN' where currency = 'EUR'`),
    )
    await b.sql(`update internal_accounts set status = 'ACTIVE' where currency = 'EUR'`)
    expect(incoming).toMatchObject({ status: 'FAILED', reason: 'OFFRAMP_FAILED' })
  })

  it('too late', async () => {
    const incoming = await executed(() =>
      b.sql(`update uma_demands set expires_at = now() where status = 'OPEN' and role = 'PAYEE'`),
    )
    expect(incoming).toMatchObject({ status: 'FAILED', reason: 'QUOTE_EXPIRED' })
  })
})

it('the demand of a payment is the same in both books, and the ledgers balance', async () => {
  for (const one of [a, b]) expect(await one.sql('select * from ledger_violations')).toEqual([])
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const [row] = await one.sql(
      `select coalesce(sum(case role when 'PAYEE' then satoshis else -satoshis end), 0)::text as sum from uma_demands where status = 'SETTLED'`,
    )
    expect(Number(row.sum)).toBe(await owedBy(one, other))
    const [book] = await one.sql(
      `select coalesce(-sum(amount), 0)::text as sum from ledger_entries where book = 'SETTLEMENT'`,
    )
    expect(Number(book.sum)).toBe(await owedBy(one, other))
  }
})
