// Refused executions of quotes: each case over GraphQL and REST, with the same status, code and reason; no money moves.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import {
  createFundedWallet,
  createOutside,
  createPayer,
  fund,
  fundsOf,
  movementsOf,
  openSession,
  payloadOf,
  quoteInput,
  timelineOf,
  toAccount,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { type Answer, type PaymentFace, paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { createWallet, type Platform } from '#test/setup/world.ts'

const partsOf = ({ status, body: { code, details } }: Answer) => ({
  status,
  code,
  ...(details?.reason && { reason: details.reason }),
})

const EXECUTED = { status: 409, code: 'CONFLICT', reason: 'QUOTE_ALREADY_EXECUTED' }
const EXPIRED = { status: 409, code: 'CONFLICT', reason: 'QUOTE_EXPIRED' }
const SHORT = { status: 400, code: 'INVALID_AMOUNT', reason: 'INSUFFICIENT_BALANCE' }
const UNKNOWN = { status: 404, code: 'QUOTE_NOT_FOUND' }
const NOT_READY = { status: 403, code: 'USER_NOT_READY' }

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)
const expire = (id: string) =>
  db.quote.updateMany({ where: { id: uuidOf(id) }, data: { expiresAt: new Date(Date.now() - 1) } })

/** Checks that both APIs give this error and the quote stays unchanged. */
const expectRefusal = async (platform: Platform, id: string, refusal: object, signature: string | null = null) => {
  const quotes = () => db.quote.findMany({ where: { platformId: platform.id }, orderBy: { id: 'asc' } })
  const before = await quotes()
  for (const face of paymentFaces) {
    expect({ face: face.name, ...partsOf(await face.executeQuote(platform, id, signature)) }).toEqual({
      face: face.name,
      ...refusal,
    })
  }
  expect(await quotes()).toEqual(before)
}

const [face] = paymentFaces as readonly [PaymentFace]
const createdQuote = async (platform: Platform, input: object) => {
  const { status, body } = await face.createQuote(platform, input)
  expect([status, body]).toEqual([201, body])
  return body
}

describe('a quote is not executed', () => {
  it('when it is unknown, of another platform, or not a quote', async () => {
    const { platform } = await createPayer()
    const other = await createPayer()
    const foreign = await createdQuote(other.platform, quoteInput(other.dollars, other.iban))
    const ids = [`Quote:${randomUUID()}`, foreign.id, foreign.transactionId, 'Quote:1', 'quote', `${foreign.id} `]
    for (const id of ids) await expectRefusal(platform, id, UNKNOWN)
  })

  it('a second time, whether the first is running or completed', async () => {
    const { platform, dollars } = await createPayer()
    for (const suffix of ['001', '002']) {
      const quote = await createdQuote(platform, quoteInput(dollars, await createOutside(platform, suffix), 1_000))
      await face.executeQuote(platform, quote.id)
      await expectRefusal(platform, quote.id, EXECUTED)
      await passTime(platform.id)
      await expectRefusal(platform, quote.id, EXECUTED)
    }
    expect(await fundsOf(platform, dollars)).toEqual([99_000, 99_000])
  })

  it('after its window, whether or not the expiry job has run', async () => {
    const { platform, dollars, iban } = await createPayer()
    const quote = await createdQuote(platform, quoteInput(dollars, iban))
    await expire(quote.id)
    await expectRefusal(platform, quote.id, EXPIRED)
    expect(await passTime(platform.id, 310)).toMatchObject([{ name: 'expireQuote' }])
    expect((await face.readQuote(platform, quote.id)).body.status).toBe('EXPIRED')
    expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING', 'EXPIRED'])
    await expectRefusal(platform, quote.id, EXPIRED)
    expect(await movementsOf(platform, quote.transactionId)).toEqual([])
  })

  it('when it is funded externally', async () => {
    const { platform, dollars } = await createPayer()
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' }
    const quote = await createdQuote(platform, { ...quoteInput('', dollars), source })
    await expectRefusal(platform, quote.id, { status: 400, code: 'INVALID_INPUT' })
  })

  it('when the balance is insufficient; it stays PENDING, and can be executed once money has arrived', async () => {
    const { platform, dollars, iban } = await createPayer({ balance: 9_999n })
    const quote = await createdQuote(platform, quoteInput(dollars, iban))
    await expectRefusal(platform, quote.id, SHORT)
    expect(await timelineOf(platform, quote.transactionId)).toEqual(['PENDING'])
    expect(await fundsOf(platform, dollars)).toEqual([9_999, 9_999])
    await fund(platform, dollars, 'USD', 1n)
    expect(await face.executeQuote(platform, quote.id)).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    expect(await fundsOf(platform, dollars)).toEqual([0, 0])
  })

  it('with money that is on hold', async () => {
    const { platform, dollars, iban, outside } = await createPayer()
    await face.transferOut(platform, {
      source: { accountId: dollars },
      destination: { accountId: outside },
      amount: 95_000,
    })
    const quote = await createdQuote(platform, quoteInput(dollars, iban))
    await expectRefusal(platform, quote.id, SHORT)
  })

  it('when an account or the customer is no longer ready', async () => {
    const { platform, dollars, euros, iban, customerId } = await createPayer()
    const out = await createdQuote(platform, quoteInput(dollars, iban))
    const conversion = await createdQuote(platform, quoteInput(dollars, euros))
    const where = (id: string) => ({ where: { id: uuidOf(id) } })
    await db.internalAccount.updateMany({ ...where(dollars), data: { status: 'FROZEN' } })
    await expectRefusal(platform, out.id, { ...NOT_READY, reason: 'ACCOUNT_FROZEN' })
    await db.internalAccount.updateMany({ ...where(dollars), data: { status: 'ACTIVE' } })
    await db.internalAccount.updateMany({ ...where(euros), data: { status: 'CLOSED' } })
    await expectRefusal(platform, conversion.id, NOT_READY)
    await db.externalAccount.updateMany({ ...where(iban), data: { status: 'INACTIVE' } })
    await expectRefusal(platform, out.id, NOT_READY)
    await db.externalAccount.updateMany({ ...where(iban), data: { status: 'ACTIVE' } })
    await db.customer.updateMany({ ...where(customerId), data: { verificationStatus: 'HOLD' } })
    await expectRefusal(platform, out.id, { ...NOT_READY, reason: 'CUSTOMER_UNDER_REVIEW' })
    await db.customer.updateMany({ ...where(customerId), data: { verificationStatus: 'APPROVED' } })
    expect((await face.executeQuote(platform, out.id)).status).toBe(200)
  })

  it("without the account that receives the platform's fee", async () => {
    const { platform, dollars, iban } = await createPayer()
    await db.platformFee.create({ data: { platformId: platform.id, sendingCurrency: 'USD', fixed: 50n, rate: 0 } })
    await db.internalAccount.create({
      data: { platformId: platform.id, id: randomUUID(), type: 'INTERNAL_FIAT', status: 'ACTIVE', currency: 'USD' },
    })
    const quote = await createdQuote(platform, quoteInput(dollars, iban))
    const ofPlatform = { platformId: platform.id, customerId: null }
    await db.internalAccount.updateMany({ where: ofPlatform, data: { status: 'CLOSED' } })
    await expectRefusal(platform, quote.id, { status: 400, code: 'QUOTE_REQUEST_FAILED' })
  })
})

describe('executing a quote from a wallet', () => {
  const create = async () => {
    const { platform, outside } = await createPayer()
    const wallet = await createFundedWallet(platform)
    const quote = await createdQuote(platform, quoteInput(wallet.accountId, outside, 5_000_000))
    return { platform, outside, wallet, quote, payload: payloadOf(quote) }
  }
  const unsigned = (code: string) => ({ status: 401, code: `WALLET_SIGNATURE_${code}` })
  const MISMATCH = { ...unsigned('INVALID'), reason: 'SIGNATURE_MISMATCH' }
  const STRANGE = { ...unsigned('INVALID'), reason: 'SIGNER_NOT_ALLOWED' }

  it('requires exactly one stamp', async () => {
    const { platform, quote, payload, wallet } = await create()
    await expectRefusal(platform, quote.id, unsigned('MISSING'))
    await expectRefusal(platform, quote.id, unsigned('MISSING'), '')
    await expectRefusal(platform, quote.id, { ...unsigned('MALFORMED'), reason: 'STAMP_JSON' }, 'bm9uZQ')
    await expectRefusal(platform, quote.id, { ...unsigned('MALFORMED'), reason: 'STAMP_ENCODING' }, '%')
    await expectRefusal(platform, quote.id, MISMATCH, await wallet.device.stamp(`${payload} `))
    expect((await face.executeQuote(platform, quote.id, await wallet.device.stamp(payload))).status).toBe(200)
    await expectRefusal(platform, quote.id, EXECUTED, await wallet.device.stamp(payload))
    // An expired quote is reported as such to everybody.
    await expectRefusal(platform, quote.id, EXECUTED)
    expect(await fundsOf(platform, wallet.accountId)).toEqual([95_000_000, 95_000_000])
  })

  it('requires a stamp over this quote', async () => {
    const { platform, outside, wallet, quote } = await create()
    const twin = await createdQuote(platform, quoteInput(wallet.accountId, outside, 5_000_000))
    expect(payloadOf(twin)).not.toBe(payloadOf(quote))
    await expectRefusal(platform, quote.id, MISMATCH, await wallet.device.stamp(payloadOf(twin)))
  })

  it('is impossible without a payload to sign: no stamp is right', async () => {
    const { platform, quote, wallet } = await create()
    for (const paymentInstructions of [
      [],
      [{ accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET' } }],
      Prisma.DbNull,
    ]) {
      await db.quote.updateMany({ where: { id: uuidOf(quote.id) }, data: { paymentInstructions } })
      await expectRefusal(platform, quote.id, MISMATCH, await wallet.device.stamp(''))
    }
  })

  it('requires a stamp of an active session of this wallet', async () => {
    const { platform, wallet, quote, payload } = await create()
    const others = await createFundedWallet(platform)
    await expectRefusal(platform, quote.id, STRANGE, await others.device.stamp(payload))
    const stranger = await createFundedWallet((await createPayer()).platform)
    await expectRefusal(platform, quote.id, STRANGE, await stranger.device.stamp(payload))
    const over = await openSession(platform, wallet, new Date(Date.now() - 1_000))
    await expectRefusal(platform, quote.id, STRANGE, await over.stamp(payload))
    await db.walletSession.updateMany({ where: { id: wallet.device.sessionId }, data: { revokedAt: new Date() } })
    await expectRefusal(platform, quote.id, STRANGE, await wallet.device.stamp(payload))
    expect(await fundsOf(platform, wallet.accountId)).toEqual([100_000_000, 100_000_000])
  })

  it('fails with an insufficient balance, by every signer', async () => {
    const { platform, outside } = await createPayer()
    const wallet = await createWallet(platform)
    const device = await openSession(platform, wallet)
    const quote = await createdQuote(platform, quoteInput(wallet.accountId, outside, 5_000_000))
    await expectRefusal(platform, quote.id, SHORT, await device.stamp(payloadOf(quote)))
  })

  it('does not affect other accounts: their quotes ignore a stamp', async () => {
    const { platform, dollars, iban } = await createPayer()
    const quote = await createdQuote(platform, { ...quoteInput(dollars, iban), destination: toAccount(iban) })
    expect((await face.executeQuote(platform, quote.id, 'whatever')).status).toBe(200)
  })
})

describe.each(paymentFaces)("the platform's fee, over $name", (own) => {
  const chargeFees = async ({ id: platformId }: Platform) => {
    await db.platformFee.create({ data: { platformId, sendingCurrency: 'USD', fixed: 50n, rate: 3_000 } })
    const { id } = await db.internalAccount.create({
      data: { platformId, id: randomUUID(), type: 'INTERNAL_FIAT', status: 'ACTIVE', currency: 'USD' },
    })
    return `InternalAccount:${id}`
  }

  const prepare = async (suffix: string) => {
    const { platform, dollars } = await createPayer()
    const fees = await chargeFees(platform)
    const outside = await createOutside(platform, suffix)
    await db.externalAccount.updateMany({ where: { id: uuidOf(outside) }, data: { currency: 'EUR' } })
    const { body: quote } = await own.createQuote(platform, quoteInput(dollars, outside, 100_000))
    await own.executeQuote(platform, quote.id)
    return { platform, dollars, quote, fees }
  }

  it("is credited to an account of the platform's own, which opens with the first fee", async () => {
    const { platform, dollars, euros } = await createPayer()
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps: 30 }
    const feeConfigs = [{ ...fee, fixedFee: { amount: 50, currency: { code: 'USD' } } }]
    for (const _ of [1, 2]) expect((await send(platform, 'PATCH', '/config', { feeConfigs })).status).toBe(200)
    const { data } = (await send(platform, 'GET', '/platform/internal-accounts')).body
    expect(data).toMatchObject([{ type: 'INTERNAL_FIAT', status: 'ACTIVE', balance: { currency: { code: 'USD' } } }])
    const { body: quote } = await own.createQuote(platform, quoteInput(dollars, euros, 100_000))
    await own.executeQuote(platform, quote.id)
    expect(await fundsOf(platform, data[0].id)).toEqual([350, 350])
  })

  it("is credited to the platform's account and contained in the fees", async () => {
    const { platform, dollars, quote, fees } = await prepare('001')
    // 50 + 0.3 % of 999.50 for the platform, 0.5 % of it as the service fee.
    expect([quote.platformFeesIncluded, quote.feesIncluded]).toEqual([350, 850])
    expect(await fundsOf(platform, fees)).toEqual([350, 350])
    await passTime(platform.id)
    const { body } = await own.readTransaction(platform, quote.transactionId)
    expect(body).toMatchObject({ status: 'COMPLETED', fees: 850, platformFees: 350 })
    expect(await fundsOf(platform, fees)).toEqual([350, 350])
    expect(await fundsOf(platform, dollars)).toEqual([0, 0])
  })

  it('does not pay for a payment from the account that it is credited to', async () => {
    const { platform } = await createPayer()
    const fees = await chargeFees(platform)
    const outside = await createOutside(platform, '001')
    await db.externalAccount.updateMany({
      where: { id: uuidOf(outside) },
      data: { currency: 'EUR', customerId: null },
    })
    await fund(platform, fees, 'USD', 99_999n)
    const { body: quote } = await own.createQuote(platform, quoteInput(fees, outside, 100_000))
    await expectRefusal(platform, quote.id, SHORT)
    await fund(platform, fees, 'USD', 1n)
    await own.executeQuote(platform, quote.id)
    expect(await fundsOf(platform, fees)).toEqual([350, 350])
  })

  it('is returned with a refund', async () => {
    const { platform, dollars, quote, fees } = await prepare('002')
    expect(await fundsOf(platform, fees)).toEqual([350, 350])
    await passTime(platform.id)
    expect((await own.readTransaction(platform, quote.transactionId)).body.refund.status).toBe('COMPLETED')
    expect(await fundsOf(platform, fees)).toEqual([0, 0])
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  })

  it.each([
    ['fails', '002', 350],
    ['is returned by the bank', '005', 300],
  ])(
    'does not block a refund when it has been spent and the payment %s: the platform owes the rest',
    async (_what, suffix, spent) => {
      const { platform, dollars, quote, fees } = await prepare(suffix)
      const elsewhere = await createOutside(platform, '001')
      expect((await own.transferOut(platform, transferInput(fees, elsewhere, spent))).status).toBe(201)
      await passTime(platform.id)
      const { body } = await own.readTransaction(platform, quote.transactionId)
      expect(body).toMatchObject({ status: 'FAILED', refund: { status: 'COMPLETED' } })
      expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
      expect(await fundsOf(platform, fees)).toEqual([0, 0])
      expect((await movementsOf(platform, quote.transactionId)).at(-1)).toMatch(
        new RegExp(`^REFUND: .*RECEIVABLE -${spent} USD`),
      )
    },
  )

  it('does not block a refund when it has been spent', async () => {
    const { platform, dollars, euros } = await createPayer()
    const fees = await chargeFees(platform)
    const { body: quote } = await own.createQuote(platform, quoteInput(dollars, euros, 100_000))
    await own.executeQuote(platform, quote.id)
    await own.transferOut(platform, transferInput(fees, await createOutside(platform, '001')))
    await db.internalAccount.updateMany({ where: { id: uuidOf(euros) }, data: { status: 'CLOSED' } })
    await passTime(platform.id)
    expect(await timelineOf(platform, quote.transactionId)).toEqual([
      'PENDING',
      'PROCESSING',
      'FAILED QUOTE_EXECUTION_FAILED',
    ])
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  })
})
