// Payments from UMA addresses over both APIs (docs/domain/transactions.md#incoming-uma-payments).
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { numberEvents } from '#events/numbering.ts'
import { fundsOf, movementsOf, timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { sandboxFaces } from '#test/setup/sandbox/sandbox-faces.ts'
import {
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  type Platform,
} from '#test/setup/world.ts'
import { applyAnswer } from '#webhooks/approval.ts'

const SENDER = '$success.usd@anywhere.example'
const KNOWN = {
  birthDate: '1990-12-10',
  nationality: 'US',
  address: { line1: '1 Market Street', postalCode: '94105', country: 'US' },
}

const createReceiver = async (more: object = {}) => {
  const platform = await createPlatform()
  const { id } = await createCustomer(platform, {
    name: 'Ada',
    umaAddress: '$Ada@bank.example',
    profile: KNOWN,
    ...more,
  })
  const dollars = await createInternalAccount(platform, { customerId: id, balance: 0n })
  return { platform, id, customerId: publicId('Customer', id), dollars: publicId('InternalAccount', dollars.id) }
}

const receipt = (receiver: object, more: object = {}) => ({
  senderUmaAddress: SENDER,
  receivingCurrencyCode: 'USD',
  receivingCurrencyAmount: 2_500,
  ...receiver,
  ...more,
})

const approve = (platform: Platform, id: string, input: object = {}) =>
  send(platform, 'POST', `/transactions/${id}/approve`, input)

const eventOf = async (platform: Platform, id: string) => {
  await numberEvents()
  return (await send(platform, 'GET', `/webhooks/events?subjectId=${id}&sortOrder=asc`)).body.data[0]
}

describe.each(sandboxFaces)('over $name', (face) => {
  it('a payment waits for the platform, is approved, and arrives', async () => {
    const { platform, customerId, dollars } = await createReceiver()
    const { status, body } = await face.receiveUma(platform, receipt({ receiverUmaAddress: '$ada@BANK.example' }))
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        type: 'INCOMING',
        direction: 'CREDIT',
        status: 'PENDING',
        customerId,
        source: { sourceType: 'UMA_ADDRESS', umaAddress: SENDER },
        destination: { destinationType: 'ACCOUNT', accountId: dollars, currency: 'USD' },
        receivedAmount: { amount: 2_500 },
      },
    })
    expect((await eventOf(platform, body.id)).data).toMatchObject({ status: 'PENDING' })
    expect((await approve(platform, body.id)).body.status).toBe('PROCESSING')
    await face.advanceTime(platform, { seconds: 2 })
    expect(await timelineOf(platform, body.id)).toEqual(['CREATED', 'PENDING', 'PROCESSING', 'COMPLETED'])
    expect(await fundsOf(platform, dollars)).toEqual([2_500, 2_500])
    expect(await movementsOf(platform, body.id)).toEqual(['FUNDING: OUTSIDE -2500 USD, account 2500 USD'])
  })

  it('the sender supplies the facts that the platform requires', async () => {
    const { platform, customerId } = await createReceiver()
    const currency = { minAmount: 1, maxAmount: 10_000, enabledTransactionTypes: ['INCOMING'] }
    await send(platform, 'PATCH', '/config', {
      supportedCurrencies: [
        { currencyCode: 'USD', ...currency, requiredCounterpartyFields: [{ name: 'TAX_ID', mandatory: true }] },
      ],
    })
    await face.receiveUma(platform, receipt({ customerId }))
    const { data } = (await send(platform, 'GET', '/transactions')).body
    expect(data[0].counterpartyInformation).toEqual({ FULL_NAME: expect.any(String), TAX_ID: expect.any(String) })
    const tooMuch = await face.receiveUma(platform, receipt({ customerId }, { receivingCurrencyAmount: 10_001 }))
    expect(tooMuch.body).toMatchObject({ status: 400, code: 'AMOUNT_OUT_OF_RANGE' })
  })

  it('arrives on the deposit account of the customer, if it has the currency', async () => {
    const { platform, id, customerId } = await createReceiver()
    const bank = await createExternalAccount(platform, { customerId: id, defaultUmaDepositAccount: true })
    const { body } = await face.receiveUma(platform, receipt({ customerId }))
    expect(body.destination.accountId).toBe(publicId('ExternalAccount', bank.id))
    await approve(platform, body.id)
    await face.advanceTime(platform, { seconds: 2 })
    expect((await timelineOf(platform, body.id)).at(-1)).toBe('COMPLETED')
  })

  it('without a decision fails after ten minutes', async () => {
    const { platform, customerId } = await createReceiver()
    const { body } = await face.receiveUma(platform, receipt({ customerId }))
    await face.advanceTime(platform, { seconds: 500 })
    expect((await timelineOf(platform, body.id)).at(-1)).toBe('PENDING')
    await face.advanceTime(platform, { seconds: 100 })
    expect((await timelineOf(platform, body.id)).at(-1)).toBe('FAILED PAYMENT_APPROVAL_TIMED_OUT')
  })

  describe('a fact about the receiver that the service does not know', () => {
    const REQUESTED = [
      { name: 'BIRTH_DATE', mandatory: true },
      { name: 'NATIONALITY', mandatory: true },
      { name: 'POSTAL_ADDRESS', mandatory: true },
    ]
    const told = { BIRTH_DATE: '1990-12-10', NATIONALITY: 'US', POSTAL_ADDRESS: '1 Market Street' }

    it('is named in the event, and approval must supply it', async () => {
      const { platform, customerId } = await createReceiver({ profile: {} })
      const { body } = await face.receiveUma(platform, receipt({ customerId }))
      expect(body).not.toHaveProperty('requestedReceiverCustomerInfoFields')
      expect((await eventOf(platform, body.id)).data.requestedReceiverCustomerInfoFields).toEqual(REQUESTED)
      expect((await approve(platform, body.id)).body).toMatchObject({
        status: 400,
        code: 'MISSING_MANDATORY_USER_INFO',
        details: { field: 'receiverCustomerInfo', requiredFields: REQUESTED.map(({ name }) => name) },
      })
      expect((await approve(platform, body.id, { receiverCustomerInfo: told })).body.status).toBe('PROCESSING')
    })

    it('fails the payment if the answer to the webhook lacks it', async () => {
      const { platform, customerId } = await createReceiver({ profile: {} })
      for (const [answer, state] of [
        [{}, 'FAILED MISSING_MANDATORY_PAYEE_DATA'],
        [{ receiverCustomerInfo: told }, 'PROCESSING'],
      ] as const) {
        const { body } = await face.receiveUma(platform, receipt({ customerId }))
        const reply = {
          status: 200,
          body: JSON.stringify(answer),
          failure: null,
          milliseconds: 1,
          retryAfterSeconds: null,
        }
        const tenant = { platformId: platform.id, environment: 'SANDBOX' } as const
        await inTransaction((tx) => applyAnswer(tx, tenant, body.id.slice('Transaction:'.length), reply))
        expect((await timelineOf(platform, body.id)).at(-1)).toBe(state)
      }
    })
  })

  it('refuses payments that cannot be received', async () => {
    const { platform, customerId } = await createReceiver()
    const other = await createReceiver()
    const pending = await createCustomer(platform, { verificationStatus: 'PENDING' })
    const cases: readonly (readonly [input: object, answer: object])[] = [
      [receipt({ customerId: publicId('Customer', randomUUID()) }), { status: 404, code: 'USER_NOT_FOUND' }],
      [receipt({ customerId: other.customerId }), { status: 404, code: 'USER_NOT_FOUND' }],
      [receipt({ receiverUmaAddress: '$nobody@bank.example' }), { status: 404, code: 'UMA_NOT_FOUND' }],
      [receipt({ receiverUmaAddress: 'ada@bank.example' }), { status: 400, code: 'INVALID_UMA_ADDRESS' }],
      [receipt({ customerId }, { senderUmaAddress: 'ada' }), { status: 400, code: 'INVALID_UMA_ADDRESS' }],
      [receipt({}), { status: 400, code: 'INVALID_INPUT' }],
      [receipt({ customerId, receiverUmaAddress: '$ada@bank.example' }), { status: 400, code: 'INVALID_INPUT' }],
      [receipt({ customerId }, { receivingCurrencyAmount: 0 }), { status: 400, code: 'INVALID_INPUT' }],
      [receipt({ customerId }, { receivingCurrencyCode: 'XXX' }), { status: 400, code: 'INVALID_CURRENCY' }],
      [receipt({ customerId }, { receivingCurrencyCode: 'EUR' }), { status: 400, code: 'INVALID_CURRENCY' }],
      [
        receipt({ customerId }, { senderUmaAddress: '$ADA@bank.example' }),
        { code: 'SELF_PAYMENT', details: { field: expect.stringMatching(/\bsenderUmaAddress$/) } },
      ],
      [receipt({ customerId: publicId('Customer', pending.id) }), { status: 403, code: 'USER_NOT_READY' }],
    ]
    for (const [input, answer] of cases) expect((await face.receiveUma(platform, input)).body).toMatchObject(answer)
  })
})
