// A payment from its quote to its arrival, over GraphQL and REST.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type JobRunner, runJobs } from '#database/jobs/jobs.ts'
import { tasks } from '#tasks.ts'
import {
  createFundedWallet,
  createOutside,
  createPayer,
  fundsOf,
  movementsOf,
  type Payer,
  payloadOf,
  quoteInput,
  timelineOf,
  toAccount,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { type Answer, type PaymentFace, paymentFaces } from '#test/setup/payments/payment-faces.ts'

// Jobs run as in a gateway.
let jobs: JobRunner
beforeAll(async () => {
  jobs = await runJobs(tasks)
})
afterAll(() => jobs.stop())

const USD = { code: 'USD', name: 'US Dollar', symbol: '$', decimals: 2 }
const EUR = { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 }
const USDB = { code: 'USDB', name: 'USD wallet token', symbol: 'USDB', decimals: 6 }
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const QUOTE_ID = expect.stringMatching(/^Quote:[0-9a-f-]{36}$/)
const TRANSACTION_ID = expect.stringMatching(/^Transaction:[0-9a-f-]{36}$/)

const expectStatus = ({ status, body }: Answer, expected: number) => {
  expect({ status, ...(status !== expected && { body }) }).toEqual({ status: expected })
  return body
}

const arrived = (face: PaymentFace, { platform }: Payer, id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await face.readTransaction(platform, id)
      expect(body.status).toBe('COMPLETED')
      return body
    },
    { timeout: 30_000, interval: 50 },
  )

const lifeOf = ({ createdAt, expiresAt }: { createdAt: string; expiresAt: string }) =>
  Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000)

const in4Hours = (time: string) => new Date(Date.parse(time) + 14_400_000).toISOString()

describe.each(paymentFaces)('over $name', (face) => {
  it('a quote from an internal USD account to an external EUR account is created, read, executed, and arrives', async () => {
    const payer = await createPayer()
    const { platform, dollars, iban, customerId, platformCustomerId } = payer
    const input = quoteInput(dollars, iban, 100_000, { description: 'Rent', remittanceInformation: 'Rent May' })
    const quote = expectStatus(await face.createQuote(platform, input), 201)
    const terms = {
      id: QUOTE_ID,
      createdAt: TIME,
      expiresAt: TIME,
      source: { sourceType: 'ACCOUNT', accountId: dollars, customerId, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: iban, currency: 'EUR' },
      sendingCurrency: USD,
      receivingCurrency: EUR,
      totalSendingAmount: 100_000,
      totalReceivingAmount: 91_540,
      exchangeRate: 1.08695652,
      feesIncluded: 500,
      transactionId: TRANSACTION_ID,
      platformFeesIncluded: 0,
    }
    expect(quote).toEqual({ ...terms, status: 'PENDING' })
    expect(lifeOf(quote)).toBe(300)
    expect(expectStatus(await face.readQuote(platform, quote.id), 200)).toEqual(quote)
    const pending = expectStatus(await face.readTransaction(platform, quote.transactionId), 200)
    const payment = {
      id: quote.transactionId,
      type: 'OUTGOING',
      direction: 'DEBIT',
      source: terms.source,
      customerId,
      platformCustomerId,
      createdAt: TIME,
      updatedAt: TIME,
      description: 'Rent',
      sentAmount: { amount: 100_000, currency: USD },
      receivedAmount: { amount: 91_540, currency: EUR },
      fees: 500,
      platformFees: 0,
      exchangeRate: 1.08695652,
      quoteId: quote.id,
      expectedSettlementAt: null,
    }
    const noRail = { paymentRail: null, railSelectionMode: null, settlementTimelineSeconds: null }
    expect(pending).toEqual({ ...payment, ...noRail, status: 'PENDING', destination: terms.destination })
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])

    const executed = expectStatus(await face.executeQuote(platform, quote.id), 200)
    expect(executed).toEqual({ ...quote, status: 'PROCESSING' })
    expect(await fundsOf(platform, dollars)).toEqual([0, 0])
    expect(await movementsOf(platform, quote.transactionId)).toEqual([
      'PAYMENT: account -100000 USD, FEES 500 USD, EXCHANGE 99500 USD',
    ])

    const completed = await arrived(face, payer, quote.transactionId)
    expect(completed).toEqual({
      ...payment,
      status: 'COMPLETED',
      destination: { ...terms.destination, paymentRail: 'SEPA_INSTANT' },
      settledAt: TIME,
      paymentRail: 'SEPA_INSTANT',
      railSelectionMode: 'AUTO',
      settlementTimelineSeconds: 60,
    })
    expect(Date.parse(completed.settledAt) - Date.parse(executed.createdAt)).toBeLessThan(10_000)
    expect(expectStatus(await face.readQuote(platform, quote.id), 200)).toEqual({ ...quote, status: 'COMPLETED' })
    expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect((await movementsOf(platform, quote.transactionId))[1]).toBe(
      'PAYMENT: EXCHANGE -91540 EUR, OUTSIDE 91540 EUR',
    )
  })

  it('a conversion debits one account of the customer and credits the other', async () => {
    const payer = await createPayer()
    const { platform, dollars, euros } = payer
    const input = { ...quoteInput(dollars, euros, 9_154), lockedCurrencySide: 'RECEIVING' }
    const quote = expectStatus(await face.createQuote(platform, input), 201)
    expect([quote.totalSendingAmount, quote.totalReceivingAmount, quote.feesIncluded]).toEqual([10_000, 9_154, 50])
    expectStatus(await face.executeQuote(platform, quote.id), 200)
    const completed = await arrived(face, payer, quote.transactionId)
    expect([completed.paymentRail, completed.railSelectionMode]).toEqual([null, null])
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
    expect(await fundsOf(platform, euros)).toEqual([9_154, 9_154])
  })

  it('a slow rail chosen by the platform shows the expected arrival from the creation on', async () => {
    const payer = await createPayer()
    const { platform, dollars } = payer
    const outside = await createOutside(platform, '003')
    const input = { ...quoteInput(dollars, outside), destination: { ...toAccount(outside), paymentRail: 'WIRE' } }
    const quote = expectStatus(await face.createQuote(platform, input), 201)
    expect(quote.destination.paymentRail).toBe('WIRE')
    const pending = expectStatus(await face.readTransaction(platform, quote.transactionId), 200)
    const rail = { paymentRail: 'WIRE', railSelectionMode: 'MANUAL', settlementTimelineSeconds: 14_400 }
    const expected = in4Hours(pending.createdAt)
    expect(pending).toMatchObject({ ...rail, expectedSettlementAt: expected })
    expect(pending).not.toHaveProperty('settledAt')
    expectStatus(await face.executeQuote(platform, quote.id), 200)
    const underWay = expectStatus(await face.readTransaction(platform, quote.transactionId), 200)
    expect(underWay).toMatchObject({ ...rail, expectedSettlementAt: expected, settledAt: expected })
    const wire = { ...transferInput(dollars, outside, 500), destination: { accountId: outside, paymentRail: 'WIRE' } }
    const transfer = expectStatus(await face.transferOut(platform, wire), 201)
    expect(transfer).toMatchObject({ ...rail, expectedSettlementAt: in4Hours(transfer.createdAt) })
  })

  it('an externally funded quote has funding instructions and cannot be executed', async () => {
    const { platform, dollars, customerId } = await createPayer()
    const input = {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'EUR' },
      destination: toAccount(dollars),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    }
    const quote = expectStatus(await face.createQuote(platform, input), 201)
    expect(quote.source).toEqual({ sourceType: 'REALTIME_FUNDING', currency: 'EUR', customerId })
    const [{ accountOrWalletInfo: info }] = quote.paymentInstructions
    expect(info).toMatchObject({
      accountType: 'EUR_ACCOUNT',
      iban: expect.any(String),
      reference: expect.stringMatching(/^[A-Z2-7]{12}$/),
    })
    expect(quote.paymentInstructions).toHaveLength(1)
    expect(lifeOf(quote)).toBe(900)
    const payment = expectStatus(await face.readTransaction(platform, quote.transactionId), 200)
    expect(payment.paymentInstructions).toEqual(quote.paymentInstructions)
    expect(payment.reconciliationInstructions).toEqual({ reference: info.reference })
    expect(await face.executeQuote(platform, quote.id)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT' },
    })
    const usdc = { sourceType: 'REALTIME_FUNDING', currency: 'USDC', cryptoNetwork: 'SOLANA' }
    const crypto = expectStatus(await face.createQuote(platform, { ...input, source: usdc }), 201)
    expect(crypto.paymentInstructions[0].accountOrWalletInfo).toEqual({
      accountType: 'SOLANA_WALLET',
      address: expect.any(String),
      assetType: 'USDC',
    })
    expect(lifeOf(crypto)).toBe(300)
  })

  it("a wallet pays only with its owner's stamp over payloadToSign", async () => {
    const payer = await createPayer()
    const { platform } = payer
    const wallet = await createFundedWallet(platform)
    const outside = await createOutside(platform, '001')
    const input = quoteInput(wallet.accountId, outside, 5_000_000)
    const quote = expectStatus(await face.createQuote(platform, input), 201)
    expect(quote).toMatchObject({
      sendingCurrency: USDB,
      totalReceivingAmount: 500,
      exchangeRate: 1,
      feesIncluded: 0,
      paymentInstructions: [
        { accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET' } },
        { accountOrWalletInfo: { accountType: 'SPARK_WALLET', assetType: 'USDB' } },
      ],
    })
    const payload = JSON.parse(payloadOf(quote))
    expect(Object.keys(payload)).toEqual(['organizationId', 'parameters', 'requestId', 'timestampMs', 'type'])
    expect(payload).toMatchObject({ type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', requestId: quote.id })
    const unsigned = JSON.parse(Buffer.from(payload.parameters.unsignedTransaction, 'hex').toString('utf8'))
    expect(unsigned).toMatchObject({
      quoteId: quote.id,
      totalSendingAmount: 5_000_000,
      totalReceivingAmount: 500,
      expiresAt: quote.expiresAt,
    })
    const signature = await wallet.device.stamp(payloadOf(quote))
    expectStatus(await face.executeQuote(platform, quote.id, signature), 200)
    await arrived(face, payer, quote.transactionId)
    expect(await fundsOf(platform, wallet.accountId)).toEqual([95_000_000, 95_000_000])
  })

  it('immediatelyExecute creates and executes a quote in one call', async () => {
    const payer = await createPayer()
    const { platform, dollars, iban } = payer
    const quote = expectStatus(
      await face.createQuote(platform, quoteInput(dollars, iban, 10_000, { immediatelyExecute: true })),
      201,
    )
    expect(quote.status).toBe('PROCESSING')
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
    await arrived(face, payer, quote.transactionId)
  })

  it('a transfer out places a hold, then the money leaves', async () => {
    const payer = await createPayer()
    const { platform, dollars, outside, customerId, platformCustomerId } = payer
    const input = transferInput(dollars, outside, 30_000, { remittanceInformation: 'Salary' })
    const created = expectStatus(await face.transferOut(platform, input), 201)
    const transfer = {
      id: TRANSACTION_ID,
      type: 'OUTGOING',
      direction: 'DEBIT',
      source: { sourceType: 'ACCOUNT', accountId: dollars, customerId, currency: 'USD' },
      customerId,
      platformCustomerId,
      createdAt: TIME,
      updatedAt: TIME,
      description: 'Salary',
      sentAmount: { amount: 30_000, currency: USD },
      receivedAmount: { amount: 30_000, currency: USD },
      fees: 0,
      platformFees: 0,
      expectedSettlementAt: null,
    }
    const destination = { destinationType: 'ACCOUNT', accountId: outside, currency: 'USD' }
    expect(created).toEqual({
      ...transfer,
      status: 'PENDING',
      destination,
      paymentRail: null,
      railSelectionMode: null,
      settlementTimelineSeconds: null,
    })
    expect((await fundsOf(platform, dollars))[0]).toBe(70_000)
    expect(await arrived(face, payer, created.id)).toEqual({
      ...transfer,
      status: 'COMPLETED',
      destination: { ...destination, paymentRail: 'RTP' },
      settledAt: TIME,
      paymentRail: 'RTP',
      railSelectionMode: 'AUTO',
      settlementTimelineSeconds: 60,
    })
    expect(await fundsOf(platform, dollars)).toEqual([70_000, 70_000])
    expect(await timelineOf(platform, created.id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await movementsOf(platform, created.id)).toEqual([
      'PAYMENT: account -30000 USD, EXCHANGE 30000 USD',
      'PAYMENT: EXCHANGE -30000 USD, OUTSIDE 30000 USD',
    ])
  })

  it('a transfer out without an amount takes the whole available balance', async () => {
    const payer = await createPayer()
    const { platform, dollars, outside } = payer
    const created = expectStatus(await face.transferOut(platform, transferInput(dollars, outside)), 201)
    expect(created.sentAmount.amount).toBe(100_000)
    await arrived(face, payer, created.id)
    expect(await fundsOf(platform, dollars)).toEqual([0, 0])
  })

  it('a transfer in pulls the money, which is available once it has arrived', async () => {
    const payer = await createPayer()
    const { platform, dollars, outside, customerId } = payer
    const created = expectStatus(await face.transferIn(platform, transferInput(outside, dollars, 2_500)), 201)
    const transfer = {
      ...created,
      source: { sourceType: 'ACCOUNT', accountId: outside, customerId, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: dollars, currency: 'USD' },
      type: 'INCOMING',
      direction: 'DEBIT',
      status: 'PENDING',
      sentAmount: { amount: 2_500, currency: USD },
      receivedAmount: { amount: 2_500, currency: USD },
      fees: 0,
      reconciliationInstructions: { reference: expect.stringMatching(/^[A-Z2-7]{12}$/) },
    }
    expect(created).toEqual(transfer)
    expect(await arrived(face, payer, created.id)).toEqual({
      ...transfer,
      status: 'COMPLETED',
      settledAt: TIME,
      updatedAt: TIME,
    })
    expect(await fundsOf(platform, dollars)).toEqual([102_500, 102_500])
    expect(await timelineOf(platform, created.id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await movementsOf(platform, created.id)).toEqual(['FUNDING: OUTSIDE -2500 USD, account 2500 USD'])
  })
})
