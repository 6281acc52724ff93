// Transactions over REST, exactly as in the specification.
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { publicId } from '#core/ids.ts'
import { basic } from '#test/setup/faces.ts'
import {
  cardUse,
  createAgent,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createQuote,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const CREATED = '2026-01-01T00:00:00.000Z'
const UPDATED = '2026-01-01T00:00:01.500Z'
const times = { createdAt: at(0), updatedAt: new Date(UPDATED) }

const USD = { code: 'USD', name: 'US Dollar', symbol: '$', decimals: 2 }
const EUR = { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 }
const BTC = { code: 'BTC', name: 'Bitcoin', symbol: '₿', decimals: 8 }

let platform: Platform
let customer: { id: string; platformCustomerId: string }
let account: { id: string }
let bank: { id: string }

beforeAll(async () => {
  platform = await createPlatform()
  customer = await createCustomer(platform, { platformCustomerId: 'customer-7' })
  account = await createInternalAccount(platform, { customerId: customer.id })
  bank = await createExternalAccount(platform, { customerId: customer.id })
})

const ofCustomer = () => ({ customerId: customer.id, platformCustomerId: customer.platformCustomerId, ...times })
const timesBody = { createdAt: CREATED, updatedAt: UPDATED }
const owner = () => publicId('Customer', customer.id)
const common = () => ({ customerId: owner(), platformCustomerId: 'customer-7', ...timesBody })

/** Inserts the row and returns the response, as text and parsed. */
const written = async (row: Parameters<typeof createTransactions>[1][number]) => {
  const [stored] = await createTransactions(platform, [row])
  const id = publicId(row.type === 'CARD' ? 'CardTransaction' : 'Transaction', stored?.id ?? '')
  const headers = { authorization: basic(platform) }
  const response = await app.fetch(new Request(`http://test/2025-10-13/transactions/${id}`, { headers }))
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
  const text = await response.text()
  const { id: sent, ...body } = JSON.parse(text) as { id: string }
  expect(sent).toBe(id)
  return { text, body }
}

describe('an incoming transaction', () => {
  it('that was just looked up has only its amount and a few other fields', async () => {
    const bare = { ...times, status: 'CREATED', sourceType: null, sourceUmaAddress: null } as const
    const { body } = await written(incoming({ ...ofCustomer(), ...bare }))
    expect(body).toEqual({
      type: 'INCOMING',
      status: 'CREATED',
      direction: 'CREDIT',
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$payee@bank.example' },
      receivedAmount: { amount: 1000, currency: USD },
      ...common(),
    })
  })

  it('that is completed shows the source of the money and how it was reconciled', async () => {
    const { body } = await written(
      incoming({
        ...ofCustomer(),
        sourceCurrency: 'EUR',
        destinationType: 'ACCOUNT',
        destinationUmaAddress: null,
        destinationInternalAccountId: account.id,
        destinationCurrency: 'USD',
        sentAmount: 920n,
        sentCurrency: 'EUR',
        fees: 0n,
        exchangeRate: '0.92',
        settledAt: at(60),
        receiptDeliveryConfirmedAt: at(61),
        description: 'Rent – März 🏠',
        counterpartyInformation: { FULL_NAME: 'Ada Lovelace', NATIONALITY: 'GB' },
        reconciliationReference: 'REF-1',
        reconciliationTransactionHash: '0xabc',
      }),
    )
    expect(body).toEqual({
      type: 'INCOMING',
      status: 'COMPLETED',
      direction: 'CREDIT',
      source: { sourceType: 'UMA_ADDRESS', umaAddress: '$payer@bank.example', currency: 'EUR' },
      destination: { destinationType: 'ACCOUNT', accountId: publicId('InternalAccount', account.id), currency: 'USD' },
      sentAmount: { amount: 920, currency: EUR },
      receivedAmount: { amount: 1000, currency: USD },
      fees: 0,
      exchangeRate: 0.92,
      settledAt: '2026-01-01T00:01:00.000Z',
      receiptDeliveryConfirmedAt: '2026-01-01T00:01:01.000Z',
      description: 'Rent – März 🏠',
      counterpartyInformation: { FULL_NAME: 'Ada Lovelace', NATIONALITY: 'GB' },
      reconciliationInstructions: { reference: 'REF-1', transactionHash: '0xabc' },
      ...common(),
    })
  })

  it('that failed has the reason, and one of the platform itself names the platform as the customer', async () => {
    const { body } = await written(
      incoming({ ...times, status: 'FAILED', failureReason: 'OFFRAMP_FAILED', reconciliationTransactionHash: '0xdef' }),
    )
    expect(body).toEqual({
      type: 'INCOMING',
      status: 'FAILED',
      direction: 'CREDIT',
      source: { sourceType: 'UMA_ADDRESS', umaAddress: '$payer@bank.example' },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$payee@bank.example' },
      receivedAmount: { amount: 1000, currency: USD },
      reconciliationInstructions: { transactionHash: '0xdef' },
      failureReason: 'OFFRAMP_FAILED',
      customerId: publicId('PlatformConfig', platform.id),
      platformCustomerId: publicId('PlatformConfig', platform.id),
      ...timesBody,
    })
  })

  it('that was refunded has the refund; a pull payment debits its source account', async () => {
    const { body } = await written(
      incoming({
        ...ofCustomer(),
        direction: 'DEBIT',
        status: 'REFUNDED',
        sourceType: 'ACCOUNT',
        sourceUmaAddress: null,
        sourceExternalAccountId: bank.id,
        sourceCustomerId: customer.id,
        sourceCurrency: 'USD',
        sourceTransactionHash: '5VERv8',
        sourceNetwork: 'SOLANA',
        refundReference: 'RF-1',
        refundInitiatedAt: at(70),
        refundStatus: 'COMPLETED',
        refundSettledAt: at(80),
        refundReason: 'TRANSACTION_FAILED',
      }),
    )
    expect(body).toEqual({
      type: 'INCOMING',
      status: 'REFUNDED',
      direction: 'DEBIT',
      source: {
        sourceType: 'ACCOUNT',
        accountId: publicId('ExternalAccount', bank.id),
        customerId: owner(),
        currency: 'USD',
        onChainTransaction: { transactionHash: '5VERv8', network: 'SOLANA' },
      },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$payee@bank.example' },
      receivedAmount: { amount: 1000, currency: USD },
      refund: {
        reference: 'RF-1',
        initiatedAt: '2026-01-01T00:01:10.000Z',
        status: 'COMPLETED',
        settledAt: '2026-01-01T00:01:20.000Z',
        reason: 'TRANSACTION_FAILED',
      },
      ...common(),
    })
  })

  it('that was funded in real time has the details from the bank', async () => {
    const told = {
      accountHolderName: 'Ada Lovelace',
      accountIdentifier: '****6789',
      bankName: 'Analytical Bank',
      bankIdentifier: '021000021',
      paymentRail: 'RTP',
      remittanceInformation: 'Invoice 7',
      endToEndId: 'E2E-7',
      traceNumber: '021000021234567',
    }
    const { body } = await written(
      incoming({
        ...ofCustomer(),
        sourceType: 'REALTIME_FUNDING',
        sourceUmaAddress: null,
        sourceCurrency: 'USD',
        sourceCustomerId: customer.id,
        sourceFunding: told,
      }),
    )
    expect(body).toMatchObject({
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: owner(), ...told },
    })
  })
})

/** Fields that the specification types as "or null" are present even without a value. */
const UNRESOLVED = {
  paymentRail: null,
  railSelectionMode: null,
  expectedSettlementAt: null,
  settlementTimelineSeconds: null,
}

describe('an outgoing transaction', () => {
  it('without optional values sends four fields as null and omits the others', async () => {
    const { body, text } = await written(outgoing({ ...ofCustomer(), status: 'PENDING' }))
    expect(body).toEqual({
      type: 'OUTGOING',
      status: 'PENDING',
      direction: 'DEBIT',
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$payee@bank.example' },
      sentAmount: { amount: 1000, currency: USD },
      ...UNRESOLVED,
      ...common(),
    })
    expect([...text.matchAll(/"(\w+)":null/g)].map(([, field]) => field)).toEqual(Object.keys(UNRESOLVED))
  })

  it('with all optional values sends every field', async () => {
    const quote = await createQuote(platform, { customerId: customer.id })
    const agent = await createAgent(platform, { customerId: customer.id })
    const rateDetails = {
      counterpartyMultiplier: 1.08,
      counterpartyFixedFee: 3,
      serviceApiMultiplier: 0.000123,
      serviceApiFixedFee: 5,
      serviceApiVariableFeeRate: 0.003,
      serviceApiVariableFeeAmount: 30,
    }
    const paymentInstructions = [
      {
        accountOrWalletInfo: {
          accountType: 'USD_ACCOUNT',
          paymentRails: ['ACH'],
          accountNumber: '1',
          reference: 'PAY-1',
        },
        instructionsNotes: 'Include the reference.',
        isPlatformAccount: true,
      },
      { accountOrWalletInfo: { accountType: 'SPARK_WALLET', assetType: 'BTC', address: 'sp1', invoice: 'lnbc1' } },
    ]
    const { body } = await written(
      outgoing({
        ...ofCustomer(),
        status: 'FAILED',
        failureReason: 'QUOTE_EXECUTION_FAILED',
        sourceType: 'ACCOUNT',
        sourceCurrency: 'BTC',
        sourceInternalAccountId: account.id,
        destinationType: 'ACCOUNT',
        destinationUmaAddress: null,
        destinationExternalAccountId: bank.id,
        destinationCurrency: 'USD',
        destinationPaymentRail: 'ACH',
        destinationTransactionHash: '0x123',
        destinationNetwork: 'ETHEREUM',
        sentAmount: 150_000n,
        sentCurrency: 'BTC',
        receivedAmount: 9_000_000_000_000_000n,
        receivedCurrency: 'USD',
        fees: 250n,
        platformFees: 0n,
        exchangeRate: '0.000015',
        settledAt: at(60),
        receiptDeliveryConfirmedAt: at(61),
        agentId: agent.id,
        description: 'Invoice 7',
        quoteId: quote.id,
        counterpartyInformation: {},
        reconciliationReference: 'REF-2',
        refundReference: 'RF-2',
        refundInitiatedAt: at(70),
        refundStatus: 'PENDING',
        paymentInstructions,
        rateDetails,
        paymentRail: 'ACH',
        railSelectionMode: 'MANUAL',
        expectedSettlementAt: at(90),
        settlementTimelineSeconds: 86_400,
      }),
    )
    expect(body).toEqual({
      type: 'OUTGOING',
      status: 'FAILED',
      direction: 'DEBIT',
      source: { sourceType: 'ACCOUNT', accountId: publicId('InternalAccount', account.id), currency: 'BTC' },
      destination: {
        destinationType: 'ACCOUNT',
        accountId: publicId('ExternalAccount', bank.id),
        currency: 'USD',
        paymentRail: 'ACH',
        onChainTransaction: { transactionHash: '0x123', network: 'ETHEREUM' },
      },
      sentAmount: { amount: 150_000, currency: BTC },
      receivedAmount: { amount: 9_000_000_000_000_000, currency: USD },
      fees: 250,
      platformFees: 0,
      exchangeRate: 0.000015,
      settledAt: '2026-01-01T00:01:00.000Z',
      receiptDeliveryConfirmedAt: '2026-01-01T00:01:01.000Z',
      agentId: publicId('Agent', agent.id),
      description: 'Invoice 7',
      quoteId: publicId('Quote', quote.id),
      counterpartyInformation: {},
      reconciliationInstructions: { reference: 'REF-2' },
      refund: { reference: 'RF-2', initiatedAt: '2026-01-01T00:01:10.000Z', status: 'PENDING' },
      paymentInstructions,
      rateDetails,
      failureReason: 'QUOTE_EXECUTION_FAILED',
      paymentRail: 'ACH',
      railSelectionMode: 'MANUAL',
      expectedSettlementAt: '2026-01-01T00:01:30.000Z',
      settlementTimelineSeconds: 86_400,
      ...common(),
    })
  })

  it.each([0n, 1n, 9_007_199_254_740n, 9_000_000_000_000_000n])(
    'writes the amount %s exactly, digit by digit',
    async (amount) => {
      const { text } = await written(outgoing({ sentAmount: amount, fees: amount }))
      expect(text).toContain(`"sentAmount":{"amount":${amount},"currency"`)
      expect(text).toContain(`"fees":${amount},`)
    },
  )
})

describe('a card transaction', () => {
  it('without clearings has no summaries', async () => {
    const { body } = await written(cardUse({ ...ofCustomer(), sourceInternalAccountId: account.id }))
    expect(body).toEqual({
      type: 'CARD',
      status: 'AUTHORIZED',
      direction: 'DEBIT',
      merchant: { descriptor: 'COFFEE BAR' },
      authorizedAmount: { amount: 450, currency: USD },
      accountId: publicId('InternalAccount', account.id),
      authorizedAt: CREATED,
      ...common(),
    })
  })

  it('with clearings shows each summary', async () => {
    const card = await createCard(platform, { customerId: customer.id, accountId: account.id })
    const { body } = await written(
      cardUse({
        ...ofCustomer(),
        status: 'REFUNDED',
        sourceInternalAccountId: account.id,
        cardId: card.id,
        issuerTransactionToken: 'tok_1',
        merchantMcc: '0742',
        merchantCountry: 'US',
        settledAmount: 500n,
        refundedAmount: 100n,
        pullCount: 2,
        pullTotalAmount: 500n,
        pullPendingCount: 0,
        settlementCount: 1,
        settlementTotalAmount: 500n,
        refundCount: 1,
        refundTotalAmount: 100n,
        lastEventAt: at(99),
      }),
    )
    expect(body).toEqual({
      type: 'CARD',
      status: 'REFUNDED',
      direction: 'DEBIT',
      cardId: publicId('Card', card.id),
      issuerTransactionToken: 'tok_1',
      merchant: { descriptor: 'COFFEE BAR', mcc: '0742', country: 'US' },
      authorizedAmount: { amount: 450, currency: USD },
      settledAmount: { amount: 500, currency: USD },
      refundedAmount: { amount: 100, currency: USD },
      accountId: publicId('InternalAccount', account.id),
      pullSummary: { count: 2, totalAmount: 500, pendingCount: 0 },
      settlementSummary: { count: 1, totalAmount: 500 },
      refundSummary: { count: 1, totalAmount: 100 },
      authorizedAt: CREATED,
      lastEventAt: '2026-01-01T00:01:39.000Z',
      ...common(),
    })
  })
})
