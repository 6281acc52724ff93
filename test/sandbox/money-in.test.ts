// Money comes in over both APIs: deposits, money for quotes, and UMA payments (docs/domain/sandbox.md#sandbox-operations).
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { ask } from '#test/setup/faces.ts'
import { createPayer, fundsOf, movementsOf, timelineOf } from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { type SandboxFace, sandboxFaces } from '#test/setup/sandbox/sandbox-faces.ts'
import {
  changePlatform,
  createCustomer,
  createInternalAccount,
  createPlatform,
  createToken,
  type Platform,
} from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)

const lastOf = async (platform: Platform) => (await send(platform, 'GET', '/transactions?limit=1')).body.data[0]

/** The types of the events of a payment, in order. */
const eventsOf = async (platform: Platform, id: string): Promise<string[]> => {
  await numberEvents()
  const { body } = await send(platform, 'GET', `/webhooks/events?subjectId=${id}&sortOrder=asc`)
  return body.data.map(({ type }: { type: string }) => type)
}

const statusOf = async (platform: Platform, id: string) => (await send(platform, 'GET', `/transactions/${id}`)).body

const quoteFor = async (platform: Platform, destination: string, source: object) => {
  const { status, body } = await send(platform, 'POST', '/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', ...source },
    destination: { destinationType: 'ACCOUNT', accountId: destination },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

const advance = (face: SandboxFace, platform: Platform, seconds: number) => face.advanceTime(platform, { seconds })

describe.each(sandboxFaces)('over $name', (face) => {
  describe('funding an account', () => {
    it('is an incoming payment that completes at once', async () => {
      const { platform, dollars, customerId } = await createPayer({ balance: 500n })
      const { status, body } = await face.fund(platform, dollars, { amount: 2_500 })
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { id: dollars, status: 'ACTIVE', balance: { amount: 3_000 }, totalBalance: { amount: 3_000 } },
      })
      const payment = await lastOf(platform)
      expect(payment).toMatchObject({
        type: 'INCOMING',
        direction: 'CREDIT',
        status: 'COMPLETED',
        customerId,
        source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', bankName: 'Sandbox Bank' },
        destination: { destinationType: 'ACCOUNT', accountId: dollars },
        receivedAmount: { amount: 2_500 },
        settledAt: payment.createdAt,
      })
      expect(payment.reconciliationInstructions.reference).toBe(payment.source.remittanceInformation)
      expect(await timelineOf(platform, payment.id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
      expect(await movementsOf(platform, payment.id)).toEqual(['FUNDING: OUTSIDE -2500 USD, account 2500 USD'])
      expect(await eventsOf(platform, payment.id)).toEqual(['INCOMING_PAYMENT.PENDING', 'INCOMING_PAYMENT.COMPLETED'])
      expect((await eventsOf(platform, dollars)).at(-1)).toBe('INTERNAL_ACCOUNT.BALANCE_UPDATED')
    })

    it('names a blockchain for tokens, and may belong to the platform', async () => {
      const platform = await createPlatform()
      const { id } = await createInternalAccount(platform, {
        customerId: null,
        currency: 'USDC',
        type: 'INTERNAL_CRYPTO',
      })
      const { body } = await face.fund(platform, publicId('InternalAccount', id), { amount: 1 })
      expect(body.balance.amount).toBe(1)
      expect(await lastOf(platform)).toMatchObject({
        customerId: `PlatformConfig:${platform.id}`,
        source: { onChainTransaction: { network: 'BASE' } },
      })
    })

    it('accepts 1 to 1e11', async () => {
      const { platform, dollars } = await createPayer({ balance: 0n })
      for (const amount of [1, 100_000_000_000]) {
        expect((await face.fund(platform, dollars, { amount })).status).toBe(200)
      }
      for (const amount of [0, -1, 100_000_000_001, 2 ** 53]) {
        expect((await face.fund(platform, dollars, { amount })).body).toMatchObject({
          status: 400,
          code: 'INVALID_INPUT',
        })
      }
      expect(await fundsOf(platform, dollars)).toEqual([100_000_000_001, 100_000_000_001])
    })

    it('refuses accounts that cannot receive', async () => {
      const { platform, dollars } = await createPayer({ balance: 8_999_999_999_999_999n })
      const other = await createPayer()
      const frozen = await createInternalAccount(platform, { customerId: null, status: 'FROZEN' })
      const { id: customerId } = await createCustomer(platform, { verificationStatus: 'REJECTED' })
      const rejected = await createInternalAccount(platform, { customerId })
      const cases: readonly (readonly [accountId: string, answer: object])[] = [
        [publicId('InternalAccount', randomUUID()), { status: 404, code: 'REFERENCE_NOT_FOUND' }],
        [other.dollars, { status: 404, code: 'REFERENCE_NOT_FOUND' }],
        [publicId('InternalAccount', frozen.id), { status: 403, code: 'USER_NOT_READY' }],
        [publicId('InternalAccount', rejected.id), { status: 403, code: 'USER_NOT_READY' }],
        [dollars, { status: 400, code: 'AMOUNT_OUT_OF_RANGE' }],
      ]
      for (const [accountId, answer] of cases) {
        expect((await face.fund(platform, accountId, { amount: 2 })).body).toMatchObject(answer)
      }
      expect(await db.transaction.count({ where: { platformId: platform.id } })).toBe(0)
    })
  })

  describe('money for a quote', () => {
    it('of the right amount starts the payment, which completes', async () => {
      const { platform, iban, customerId } = await createPayer()
      const quote = await quoteFor(platform, iban, { currency: 'USD', customerId })
      const { status, body } = await face.push(platform, { quoteId: quote.id, currencyCode: 'USD' })
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { id: quote.transactionId, status: 'PROCESSING', source: { sourceType: 'REALTIME_FUNDING' } },
      })
      await advance(face, platform, 2)
      expect(await statusOf(platform, quote.transactionId)).toMatchObject({
        status: 'COMPLETED',
        source: { bankName: 'Sandbox Bank', accountIdentifier: '****6789' },
      })
      expect(await movementsOf(platform, quote.transactionId)).toEqual([
        'PAYMENT: OUTSIDE -10000 USD, FEES 50 USD, EXCHANGE 9950 USD',
        'PAYMENT: EXCHANGE -9154 EUR, OUTSIDE 9154 EUR',
      ])
      expect(await eventsOf(platform, quote.transactionId)).toEqual(
        ['PENDING', 'PROCESSING', 'COMPLETED'].map((status) => `OUTGOING_PAYMENT.${status}`),
      )
      // The quote is not waiting for more money.
      expect((await face.push(platform, { quoteId: quote.id, currencyCode: 'USD' })).body).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: { reason: 'FUNDING_NOT_EXPECTED' },
      })
    })

    it.each([9_999, 10_001, 1])('of another amount, %i, fails the payment and is returned', async (currencyAmount) => {
      const { platform, iban, customerId } = await createPayer()
      const quote = await quoteFor(platform, iban, { currency: 'USD', customerId })
      const { body } = await face.push(platform, { quoteId: quote.id, currencyCode: 'USD', currencyAmount })
      expect(body).toMatchObject({
        status: 'FAILED',
        failureReason: 'FUNDING_AMOUNT_MISMATCH',
        refund: { status: 'PENDING', reason: 'TRANSACTION_FAILED' },
      })
      await advance(face, platform, 2)
      expect(await statusOf(platform, quote.transactionId)).toMatchObject({
        status: 'FAILED',
        refund: { status: 'COMPLETED' },
      })
      expect(await movementsOf(platform, quote.transactionId)).toEqual([
        `FUNDING: OUTSIDE -${currencyAmount} USD, SUSPENSE ${currencyAmount} USD`,
        expect.stringMatching(/^REFUND: /),
      ])
      expect(await eventsOf(platform, quote.transactionId)).toEqual(
        ['PENDING', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED'].map((status) => `OUTGOING_PAYMENT.${status}`),
      )
      expect((await send(platform, 'GET', `/quotes/${quote.id}`)).body.status).toBe('FAILED')
    })

    it('that arrives late is returned, whether or not the quote has expired yet', async () => {
      const { platform, iban, customerId } = await createPayer()
      const past = await quoteFor(platform, iban, { currency: 'USD', customerId })
      await advance(face, platform, 15 * 60)
      expect((await statusOf(platform, past.transactionId)).status).toBe('EXPIRED')
      const late = await quoteFor(platform, iban, { currency: 'USD', customerId })
      await db.quote.update({
        where: { platformId_id: { platformId: platform.id, id: bare(late.id) } },
        data: { expiresAt: new Date(Date.now() - 1) },
      })
      for (const { id, transactionId } of [past, late]) {
        const { body } = await face.push(platform, { quoteId: id, currencyCode: 'USD' })
        expect(body).toMatchObject({ status: 'EXPIRED', refund: { status: 'PENDING', reason: 'TIMEOUT' } })
        await advance(face, platform, 2)
        expect((await statusOf(platform, transactionId)).refund.status).toBe('COMPLETED')
        expect(await timelineOf(platform, transactionId)).toEqual(['PENDING', 'EXPIRED'])
        expect((await face.push(platform, { quoteId: id, currencyCode: 'USD' })).body.status).toBe(400)
      }
    })

    it('in a token is returned to an account of the payer, which is opened if necessary', async () => {
      const { platform, dollars, customerId } = await createPayer()
      const source = { currency: 'USDC', customerId, cryptoNetwork: 'SOLANA' }
      for (const [count, total] of [
        [1, 5],
        [1, 10],
      ]) {
        const quote = await quoteFor(platform, dollars, source)
        const { body } = await face.push(platform, { quoteId: quote.id, currencyCode: 'USDC', currencyAmount: 5 })
        expect(body.source.onChainTransaction ?? { network: 'SOLANA' }).toMatchObject({ network: 'SOLANA' })
        await advance(face, platform, 2)
        const accounts = await db.internalAccount.findMany({ where: { platformId: platform.id, currency: 'USDC' } })
        expect(accounts.map(({ balance }) => Number(balance))).toEqual([total])
        expect(accounts).toHaveLength(count ?? 0)
      }
    })

    it('in a token is returned to a frozen account if the payer has no other', async () => {
      const { platform, dollars, customerId } = await createPayer()
      const frozen = {
        customerId: bare(customerId),
        currency: 'USDC',
        type: 'INTERNAL_CRYPTO',
        status: 'FROZEN',
      } as const
      await createInternalAccount(platform, frozen)
      const quote = await quoteFor(platform, dollars, { currency: 'USDC', customerId, cryptoNetwork: 'SOLANA' })
      await face.push(platform, { quoteId: quote.id, currencyCode: 'USDC', currencyAmount: 5 })
      await advance(face, platform, 2)
      const accounts = await db.internalAccount.findMany({ where: { platformId: platform.id, currency: 'USDC' } })
      expect(accounts.map(({ status, balance }) => [status, Number(balance)])).toEqual([['FROZEN', 5]])
    })

    it('is returned if the payment can no longer be made', async () => {
      const { platform, iban, customerId } = await createPayer()
      const quote = await quoteFor(platform, iban, { currency: 'USD', customerId })
      await db.customer.update({
        where: { platformId_id: { platformId: platform.id, id: bare(customerId) } },
        data: { verificationStatus: 'HOLD' },
      })
      const { body } = await face.push(platform, { quoteId: quote.id, currencyCode: 'USD' })
      expect(body).toMatchObject({
        status: 'FAILED',
        failureReason: 'QUOTE_EXECUTION_FAILED',
        refund: { status: 'PENDING' },
      })
    })

    it("is returned if the account that the platform's fee is credited to cannot hold more", async () => {
      const { platform, iban, customerId } = await createPayer()
      await db.platformFee.create({
        data: { platformId: platform.id, sendingCurrency: 'USD', fixed: 50n, rate: 0 },
      })
      const { id } = await createInternalAccount(platform, { customerId: null, balance: MAX_AMOUNT })
      const quote = await quoteFor(platform, iban, { currency: 'USD', customerId })
      const { body } = await face.push(platform, { quoteId: quote.id, currencyCode: 'USD' })
      expect(body).toMatchObject({
        status: 'FAILED',
        failureReason: 'QUOTE_EXECUTION_FAILED',
        refund: { status: 'PENDING' },
      })
      await advance(face, platform, 2)
      expect((await statusOf(platform, quote.transactionId)).refund.status).toBe('COMPLETED')
      expect(await fundsOf(platform, publicId('InternalAccount', id))).toEqual([Number(MAX_AMOUNT), Number(MAX_AMOUNT)])
    })

    it('is refused for quotes that are not waiting for money', async () => {
      const { platform, iban, dollars, customerId } = await createPayer()
      const other = await createPayer()
      const quote = await quoteFor(platform, iban, { currency: 'USD', customerId })
      const foreign = await quoteFor(other.platform, other.iban, { currency: 'USD', customerId: other.customerId })
      const fromAccount = (
        await send(platform, 'POST', '/quotes', {
          source: { sourceType: 'ACCOUNT', accountId: dollars },
          destination: { destinationType: 'ACCOUNT', accountId: iban },
          lockedCurrencySide: 'SENDING',
          lockedCurrencyAmount: 100,
        })
      ).body
      const cases: readonly (readonly [input: object, answer: object])[] = [
        [
          { quoteId: foreign.id, currencyCode: 'USD' },
          { status: 404, code: 'QUOTE_NOT_FOUND' },
        ],
        [
          { quoteId: publicId('Quote', randomUUID()), currencyCode: 'USD' },
          { status: 404, code: 'QUOTE_NOT_FOUND' },
        ],
        [
          { quoteId: quote.id, currencyCode: 'EUR' },
          { status: 400, code: 'INVALID_CURRENCY' },
        ],
        [
          { quoteId: quote.id, currencyCode: 'USD', currencyAmount: 0 },
          { status: 400, code: 'INVALID_INPUT' },
        ],
        [
          { quoteId: dollars, currencyCode: 'USD' },
          { status: 400, code: 'INVALID_INPUT' },
        ],
        [
          { quoteId: fromAccount.id, currencyCode: 'USD' },
          { status: 400, code: 'INVALID_INPUT', details: { reason: 'NOT_FUNDED_IN_REAL_TIME' } },
        ],
      ]
      for (const [input, answer] of cases) expect((await face.push(platform, input)).body).toMatchObject(answer)
      expect((await statusOf(platform, quote.transactionId)).status).toBe('PENDING')
    })
  })

  it('a production token gets 403 before 404, and so does a token without TRANSACT', async () => {
    const platform = await createPlatform()
    const { dollars } = await createPayer({ platform })
    const unknown = publicId('Quote', randomUUID())
    const calls = (caller: Platform) => [
      face.fund(caller, dollars, { amount: 1 }),
      face.fund(caller, publicId('InternalAccount', randomUUID()), { amount: 1 }),
      face.push(caller, { quoteId: unknown, currencyCode: 'USD' }),
      face.receiveUma(caller, {
        senderUmaAddress: '$a@b.example',
        receivingCurrencyCode: 'USD',
        receivingCurrencyAmount: 1,
        customerId: publicId('Customer', randomUUID()),
      }),
      face.advanceTime(caller, { seconds: 1 }),
    ]
    const viewer = { id: platform.id, clientId: randomUUID(), secret: 'secret' }
    await createToken(platform.id, viewer, ['VIEW', 'MANAGE'])
    for (const { body } of await Promise.all(calls(viewer)))
      expect(body).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    await changePlatform(platform, { environment: 'PRODUCTION' })
    for (const { body } of await Promise.all(calls(platform))) {
      expect(body).toMatchObject({ status: 403, code: 'FORBIDDEN', details: { reason: 'SANDBOX_ONLY' } })
    }
  })
})

it('GraphQL answers a deposit with its payment, also to a token that may not view', async () => {
  const { platform, dollars } = await createPayer()
  const depositor = { id: platform.id, clientId: randomUUID(), secret: 'secret' }
  await createToken(platform.id, depositor, ['TRANSACT'])
  const { data } = await ask(
    depositor,
    `mutation ($accountId: ID!) {
      answer: sandboxFundAccount(input: { accountId: $accountId, amount: 25 }) {
        ... on SandboxFundAccountSuccess { transaction { id paymentStatus receivedAmount { amount } } }
      }
    }`,
    { accountId: dollars },
  )
  const { id } = await lastOf(platform)
  const transaction = { id, paymentStatus: 'COMPLETED', receivedAmount: { amount: 25 } }
  expect(data).toEqual({ answer: { transaction } })
})

it('the story: a deposit, a quote, and a payment that arrives', async () => {
  for (const [index, face] of sandboxFaces.entries()) {
    const payments = paymentFaces[index]
    if (!payments) throw new Error('No face')
    const { platform, dollars, iban } = await createPayer({ balance: 0n })
    await face.fund(platform, dollars, { amount: 10_000 })
    const { body: quote } = await payments.createQuote(platform, {
      source: { sourceType: 'ACCOUNT', accountId: dollars },
      destination: { destinationType: 'ACCOUNT', accountId: iban },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    })
    await payments.executeQuote(platform, quote.id)
    await face.advanceTime(platform, { seconds: 5 })
    expect((await statusOf(platform, quote.transactionId)).status).toBe('COMPLETED')
    expect(await fundsOf(platform, dollars)).toEqual([0, 0])
  }
})
