// Payments that another institution makes to us: the request, the demand, and the message that it paid.
import { PubKeyResponse } from '@uma-sdk/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { fundsOf, timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { newKey } from '#test/setup/uma/counterpart.ts'
import {
  approving,
  BOB,
  closeReceiver,
  code,
  count,
  lookUp,
  newest,
  openDemand,
  openReceiver,
  own,
  type PayArgs,
  paidMessage,
  pay,
  payee,
  payPath,
  payRequest,
  peer,
  wire,
} from '#test/setup/uma/receiving.ts'

useSettings({ umaAllowPrivate: true })

beforeAll(openReceiver)
afterAll(closeReceiver)

const REFERENCE = /^[A-Z2-7]{12}$/

const referenceOf = async (id: string | undefined): Promise<unknown> =>
  (await send(payee.platform, 'GET', `/transactions/Transaction:${id}`)).body.reconciliationInstructions?.reference

describe('a payment request', () => {
  it.each<[what: string, body: () => unknown, expected: unknown[]]>([
    ['that is no JSON', () => '{"amount":', [400, 'PARSE_PAYREQ_REQUEST_ERROR']],
    ['of a number', async () => ({ ...(await payRequest()), amount: 1.5 }), [400, 'PARSE_PAYREQ_REQUEST_ERROR']],
    ['of 0x10', async () => ({ ...(await payRequest()), amount: '0x10.EUR' }), [400, 'PARSE_PAYREQ_REQUEST_ERROR']],
    [
      'of less than nothing',
      async () => ({ ...(await payRequest()), amount: '-5.EUR' }),
      [400, 'PARSE_PAYREQ_REQUEST_ERROR'],
    ],
    ['of version 0', () => ({ amount: 500, currency: 'EUR' }), [400, 'PARSE_PAYREQ_REQUEST_ERROR']],
    [
      'without a payer',
      async () => ({ ...(await payRequest()), payerData: {} }),
      [400, 'MISSING_REQUIRED_UMA_PARAMETERS'],
    ],
    [
      'of another institution',
      () => payRequest({ payerIdentifier: '$alice@other.example' }),
      [400, 'SENDER_NOT_ACCEPTED'],
    ],
    [
      'signed with another key',
      () => payRequest({ sendingVaspPrivateKey: newKey().bytes }),
      [401, 'INVALID_SIGNATURE'],
    ],
    ['that is too long', () => 'x'.repeat(70_000), [400, 'INVALID_REQUEST_FORMAT']],
  ])('%s leaves no payment', async (_what, body, expected) => {
    const before = await count()
    expect(code(await pay(await body()))).toEqual(expected)
    expect(await count()).toBe(before)
  })

  it('of an unknown look-up leaves no payment', async () => {
    for (const id of ['x', '00000000-0000-4000-8000-000000000000']) {
      expect(code(await wire(`/uma/payreq/${id}`, await payRequest()))).toEqual([404, 'REQUEST_NOT_FOUND'])
    }
  })

  it.each<[what: string, more: Partial<PayArgs>, expected: unknown[], reason: string]>([
    ['over Lightning', { settlement: undefined }, [501, 'NOT_IMPLEMENTED'], 'PAY_REQUEST_FAILED'],
    ['in yen', { receivingCurrencyCode: 'JPY' }, [400, 'INVALID_CURRENCY'], 'PAY_REQUEST_FAILED'],
    ['of too much', { amount: 9e15 }, [400, 'AMOUNT_OUT_OF_RANGE'], 'PAY_REQUEST_FAILED'],
    [
      'of half a satoshi',
      { isAmountInReceivingCurrency: false, amount: 123_456_789 },
      [400, 'AMOUNT_OUT_OF_RANGE'],
      'PAY_REQUEST_FAILED',
    ],
    ['without travel rule data', { trInfo: undefined }, [400, 'MISSING_MANDATORY_PAYER_DATA'], 'PAY_REQUEST_FAILED'],
    ['whose travel rule data is no JSON', { trInfo: 'x' }, [400, 'PARSE_PAYREQ_REQUEST_ERROR'], 'PAY_REQUEST_FAILED'],
    [
      'that must know a shoe size',
      { requestedPayeeData: { shoeSize: { mandatory: true } } },
      [501, 'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY'],
      'MISSING_MANDATORY_PAYEE_DATA',
    ],
  ])('%s fails, and the platform sees why', async (_what, more, expected, reason) => {
    expect(code(await pay(await payRequest(more)))).toEqual(expected)
    const failed = await newest()
    expect(await timelineOf(payee.platform, `Transaction:${failed?.id}`)).toEqual(['CREATED', `FAILED ${reason}`])
    expect(await referenceOf(failed?.id)).toMatch(REFERENCE)
  })

  it('whose travel rule data is for another key fails', async () => {
    const other = PubKeyResponse.fromJson(JSON.stringify(peer.goodKeys())).getEncryptionPubKey()
    expect(code(await pay(await payRequest({ receiverEncryptionPubKey: other })))).toEqual([
      400,
      'PARSE_PAYREQ_REQUEST_ERROR',
    ])
  })

  it('after its look-up fails with LNURLP_FAILED', async () => {
    const path = await payPath()
    await db.$executeRaw`update uma_answered_lookups set expires_at = now()`
    expect(code(await wire(path, await payRequest()))).toEqual([404, 'REQUEST_NOT_FOUND'])
    expect((await newest())?.failureReason).toBe('LNURLP_FAILED')
  })

  it('needs the facts that the platform requires', async () => {
    await send(payee.platform, 'PATCH', '/config', {
      supportedCurrencies: ['EUR', 'USD'].map((currencyCode) => ({
        currencyCode,
        minAmount: 1,
        maxAmount: 1_000_000,
        enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
        requiredCounterpartyFields: [{ name: 'BIRTH_DATE', mandatory: true }],
      })),
    })
    expect((await lookUp()).body.payerData).toMatchObject({ birthDate: { mandatory: true } })
    expect(code(await pay(await payRequest()))).toEqual([400, 'MISSING_MANDATORY_PAYER_DATA'])
    await send(payee.platform, 'PATCH', '/config', { supportedCurrencies: [] })
  })

  it.each([
    ['ends the payment if the gateway fails', 'insert on uma_demands', ['CREATED', 'FAILED PAY_REQUEST_FAILED']],
    ['expires if the process dies before it has an amount', 'update on transactions', ['CREATED', 'EXPIRED']],
  ])('%s', async (_what, step, timeline) => {
    await db.$executeRawUnsafe(
      `create function fails() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    )
    await db.$executeRawUnsafe(`create trigger fails before ${step} for each row execute function fails()`)
    expect(code(await pay(await payRequest()))[0]).toBe(500)
    await db.$executeRawUnsafe('drop function fails() cascade')
    const id = publicId('Transaction', (await newest())?.id ?? '')
    await passTime(payee.platform.id, 30)
    expect(await timelineOf(payee.platform, id)).toEqual(timeline)
  })

  it('is answered with a demand, the facts, and no more than was asked', async () => {
    const { status, body, text } = await approving(pay(await payRequest()), {
      receiverCustomerInfo: { FULL_NAME: 'Robert' },
    })
    expect(status, text).toBe(200)
    expect(await referenceOf((await newest())?.id)).toMatch(REFERENCE)
    expect(body.payeeData).toMatchObject({ name: 'Robert', identifier: BOB })
    expect(body.payeeData.email).toBeUndefined()
    expect(body.disposable).toBe(false)
    expect(body.pr).toMatch(/^ledger1\./)
    expect(body.converted.amount * body.converted.multiplier + body.converted.fee).toBeCloseTo(
      Number(JSON.parse(Buffer.from(body.pr.split('.')[1], 'base64url').toString())[5]),
      0,
    )
    const path = await payPath()
    const again = await payRequest()
    expect((await approving(wire(path, again))).status).toBe(200)
    expect(code(await wire(path, again))).toEqual([400, 'INVALID_NONCE'])
  })
})

describe('the message that a payment was made', () => {
  it('is refused unless it is correct, and then nothing moves', async () => {
    const demand = await openDemand()
    const before = await fundsOf(payee.platform, payee.euros)
    const stranger = newKey()
    const good = await paidMessage(demand)
    const attempts: [unknown, string][] = [
      ['{"utxos":', 'PARSE_UTXO_CALLBACK_ERROR'],
      [{ ...good, settlement: undefined }, 'PARSE_UTXO_CALLBACK_ERROR'],
      [{ ...good, utxos: 'all' }, 'PARSE_UTXO_CALLBACK_ERROR'],
      [await paidMessage(demand, { domain: 'other.example' }), 'SENDER_NOT_ACCEPTED'],
      [await paidMessage(demand, { signer: stranger }), 'INVALID_SIGNATURE'],
      [await paidMessage(demand, { msats: 1_000 }), 'AMOUNT_OUT_OF_RANGE'],
      [await paidMessage(demand, { by: { ...own, signingKey: Buffer.from(stranger.bytes) } }), 'INVALID_SIGNATURE'],
      [await paidMessage({ ...demand, demandId: '00000000-0000-4000-8000-000000000000' }), 'INVALID_SIGNATURE'],
    ]
    for (const [body, expected] of attempts) expect((await wire(demand.path, body)).body.code).toBe(expected)
    expect(code(await wire('/uma/done/00000000-0000-4000-8000-000000000000', good))).toEqual([404, 'REQUEST_NOT_FOUND'])
    expect(await fundsOf(payee.platform, payee.euros)).toEqual(before)
    expect(await timelineOf(payee.platform, `Transaction:${demand.id}`)).toEqual(['CREATED', 'PENDING', 'PROCESSING'])
  })

  it('gets the same answer every time, and moves the money once', async () => {
    const demand = await openDemand()
    const [balance = 0] = await fundsOf(payee.platform, payee.euros)
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => wire(demand.path, await paidMessage(demand))),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await wire(demand.path, await paidMessage(demand))).body.settlement.demandId).toBe(demand.demandId)
    expect((await fundsOf(payee.platform, payee.euros))[0]).toBe(balance + 5_000)
    const replayed = await paidMessage(demand)
    await wire(demand.path, replayed)
    expect(code(await wire(demand.path, replayed))).toEqual([400, 'INVALID_NONCE'])
    expect(await timelineOf(payee.platform, `Transaction:${demand.id}`)).toEqual([
      'CREATED',
      'PENDING',
      'PROCESSING',
      'COMPLETED',
    ])
  })

  it('is refused for good when it arrives too late, even if the clock goes back', async () => {
    const demand = await openDemand()
    await db.$executeRaw`update uma_demands set expires_at = now() where demand_id = ${demand.demandId}::uuid`
    const late = await wire(demand.path, await paidMessage(demand))
    expect(code(late)).toEqual([400, 'QUOTE_EXPIRED'])
    await db.$executeRaw`update uma_demands set expires_at = now() + interval '1 hour' where demand_id = ${demand.demandId}::uuid`
    expect((await wire(demand.path, await paidMessage(demand))).body).toMatchObject({
      code: 'QUOTE_EXPIRED',
      settlement: { demandId: demand.demandId },
    })
    expect(await timelineOf(payee.platform, `Transaction:${demand.id}`)).toEqual([
      'CREATED',
      'PENDING',
      'PROCESSING',
      'FAILED QUOTE_EXPIRED',
    ])
  })
})
