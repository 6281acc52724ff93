// The sandbox scenarios (docs/domain/sandbox.md#magic-values): the last three characters of a destination decide how a payment ends.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import {
  createOutside,
  createPayer,
  fundsOf,
  movementsOf,
  quoteInput,
  timelineOf,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { type PaymentFace, paymentFaces } from '#test/setup/payments/payment-faces.ts'
import { createExternalAccount } from '#test/setup/world.ts'

const FAILED = 'FAILED QUOTE_EXECUTION_FAILED'
const BOUNCED = 'FAILED COUNTERPARTY_POST_TX_FAILED'

interface Fate {
  /** The statuses from PROCESSING on. */
  readonly states: readonly string[]
  readonly refund?: string
  /** The final status of the quote. */
  readonly status: string
  /** Whether the money has left for good. */
  readonly isSpent: boolean
  /** The time until the last event. */
  readonly seconds: number
}

const COMPLETES: Fate = { states: ['COMPLETED'], status: 'COMPLETED', isSpent: true, seconds: 1 }
const REFUNDED = 'TRANSACTION_FAILED COMPLETED'

const QUOTES: readonly (readonly [suffix: string, what: string, fate: Fate])[] = [
  ['001', 'ok', COMPLETES],
  ['008', 'ok', COMPLETES],
  [
    '002',
    'QUOTE_EXECUTION_FAILED, refunded',
    { states: [FAILED], refund: REFUNDED, status: 'FAILED', isSpent: false, seconds: 2 },
  ],
  ['003', 'completes after about six minutes', { ...COMPLETES, seconds: 360 }],
  [
    '004',
    'delivery fails, refunded',
    { states: [BOUNCED], refund: REFUNDED, status: 'FAILED', isSpent: false, seconds: 2 },
  ],
  [
    '005',
    'completes, then the bank returns it',
    { states: ['COMPLETED', BOUNCED], refund: REFUNDED, status: 'FAILED', isSpent: false, seconds: 3 },
  ],
  [
    '006',
    'refunded because the user cancelled',
    {
      states: ['COMPLETED'],
      refund: 'USER_CANCELLATION COMPLETED',
      status: 'COMPLETED',
      isSpent: false,
      seconds: 2,
    },
  ],
  [
    '007',
    'payout and refund both fail',
    { states: [BOUNCED], refund: 'TRANSACTION_FAILED FAILED', status: 'FAILED', isSpent: true, seconds: 2 },
  ],
]

const FAILS: Fate = { states: [FAILED], refund: REFUNDED, status: '', isSpent: false, seconds: 2 }
const TRANSFERS: readonly (readonly [suffix: string, what: string, fate: Fate])[] = [
  ['001', 'ok', COMPLETES],
  ['006', 'ok', COMPLETES],
  ['002', 'insufficient funds, fails at once', { ...FAILS, seconds: 0 }],
  ['003', 'account closed, fails', FAILS],
  ['004', 'rejected', FAILS],
  ['005', 'pending about 30 seconds, then fails', { ...FAILS, seconds: 31 }],
]

interface Refund {
  readonly status: string
  readonly reason: string
  readonly reference: string
  readonly settledAt?: string
}

const refundText = (refund: Refund | undefined) => refund && `${refund.reason} ${refund.status}`

const outcomeOf = async (face: PaymentFace, payer: Awaited<ReturnType<typeof createPayer>>, id: string) => {
  const { platform } = payer
  const jobs = await passTime(platform.id, 900)
  const { body } = await face.readTransaction(platform, id)
  expect(body.failureReason).toEqual((await timelineOf(platform, id)).at(-1)?.split(' ')[1])
  return {
    states: await timelineOf(platform, id),
    refund: refundText(body.refund),
    seconds: jobs
      .filter(({ name }) => name === 'advancePayment')
      .reduce((sum, { afterSeconds }) => sum + afterSeconds, 0),
    body,
  }
}

describe.each(paymentFaces)('over $name, a quote', (face) => {
  it.each(QUOTES)('to …%s: %s', async (suffix, _what, fate) => {
    const payer = await createPayer()
    const { platform, dollars } = payer
    const outside = await createOutside(platform, suffix)
    const { body: quote } = await face.createQuote(platform, quoteInput(dollars, outside, 10_000))
    expect((await face.executeQuote(platform, quote.id)).body.status).toBe('PROCESSING')
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
    const { states, refund, seconds, body } = await outcomeOf(face, payer, quote.transactionId)
    expect({ states, refund, seconds }).toEqual({
      states: ['PENDING', 'PROCESSING', ...fate.states],
      refund: fate.refund,
      seconds: fate.seconds,
    })
    expect((await face.readQuote(platform, quote.id)).body.status).toBe(fate.status)
    expect(await fundsOf(platform, dollars)).toEqual(fate.isSpent ? [90_000, 90_000] : [100_000, 100_000])
    // The real time from COMPLETED on. A payment that never settles has none.
    expect(body.settledAt !== undefined).toBe(fate.states.includes('COMPLETED'))
    expect(body.refund?.settledAt !== undefined).toBe(fate.refund?.endsWith(' COMPLETED') ?? false)
  })
})

describe.each(paymentFaces)('over $name, a transfer out', (face) => {
  it.each(TRANSFERS)('to …%s: %s', async (suffix, _what, fate) => {
    const payer = await createPayer()
    const { platform, dollars } = payer
    const outside = await createOutside(platform, suffix)
    const { body: transfer } = await face.transferOut(platform, transferInput(dollars, outside, 10_000))
    const { states, refund, seconds } = await outcomeOf(face, payer, transfer.id)
    expect({ states, refund, seconds }).toEqual({
      states: ['PENDING', 'PROCESSING', ...fate.states],
      refund: fate.refund,
      seconds: fate.seconds,
    })
    expect(await fundsOf(platform, dollars)).toEqual(fate.isSpent ? [90_000, 90_000] : [100_000, 100_000])
  })
})

describe.each(paymentFaces)('over $name, a transfer in', (face) => {
  it.each(TRANSFERS)('from …%s: %s', async (suffix, _what, fate) => {
    const payer = await createPayer()
    const { platform, dollars } = payer
    const outside = await createOutside(platform, suffix, { ownerId: payer.customerId })
    const { body: transfer } = await face.transferIn(platform, transferInput(outside, dollars, 10_000))
    const { states, refund, seconds } = await outcomeOf(face, payer, transfer.id)
    // Money that never arrived needs no refund.
    expect({ states, refund }).toEqual({ states: ['PENDING', 'PROCESSING', ...fate.states], refund: undefined })
    expect(seconds).toBe(fate.isSpent ? 1 : Math.max(fate.seconds - 1, 0))
    expect(await fundsOf(platform, dollars)).toEqual(fate.isSpent ? [110_000, 110_000] : [100_000, 100_000])
  })
})

describe('the suffix', () => {
  it.each([
    ['an IBAN', { iban: 'DE89370400440532013002' }],
    ['a CLABE', { clabeNumber: '002010077777777002' }],
    ['an address', { address: '0x52908400098527886E0F7030069857D2E4169002' }],
    ['a key, of its part before the @', { vpa: 'shop002@okbank' }],
    ['a phone number', { phoneNumber: '+254900000002' }],
    ['a lightning address, of its part before the @', { lightningAddress: 'sats002@node.example' }],
  ])('is read from %s', async (_what, accountInfo) => {
    const { platform, dollars } = await createPayer()
    const id = publicId('ExternalAccount', (await createExternalAccount(platform, { accountInfo })).id)
    const [face] = paymentFaces
    const quote = await face?.createQuote(platform, quoteInput(dollars, id))
    await face?.executeQuote(platform, quote?.body.id)
    await passTime(platform.id)
    expect((await timelineOf(platform, quote?.body.transactionId)).at(-1)).toBe(FAILED)
  })

  it('has no effect in production', async () => {
    const { platform, dollars } = await createPayer()
    await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
    const outside = await createOutside(platform, '002')
    const [, face] = paymentFaces
    const quote = await face?.createQuote(platform, quoteInput(dollars, outside))
    await face?.executeQuote(platform, quote?.body.id)
    await passTime(platform.id)
    expect(await timelineOf(platform, quote?.body.transactionId)).toEqual(['PENDING', 'PROCESSING'])
  })
})

describe('money that cannot arrive is returned', () => {
  it.each([
    ['is frozen', (id: string) => db.internalAccount.updateMany({ where: { id }, data: { status: 'FROZEN' } })],
    ['is closed', (id: string) => db.internalAccount.updateMany({ where: { id }, data: { status: 'CLOSED' } })],
  ])('because the account %s in the meantime', async (_what, change) => {
    const { platform, dollars, euros } = await createPayer()
    const [face] = paymentFaces
    const quote = await face?.createQuote(platform, quoteInput(dollars, euros))
    await face?.executeQuote(platform, quote?.body.id)
    await change(euros.split(':')[1] ?? '')
    await passTime(platform.id)
    expect((await timelineOf(platform, quote?.body.transactionId)).at(-1)).toBe(FAILED)
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    expect(await fundsOf(platform, euros)).toEqual([0, 0])
    expect(await movementsOf(platform, quote?.body.transactionId)).toEqual([
      'PAYMENT: account -10000 USD, FEES 50 USD, EXCHANGE 9950 USD',
      expect.stringMatching(/^REFUND: /),
    ])
  })

  it('because the account would exceed the maximum balance', async () => {
    const { platform, dollars } = await createPayer()
    const full = await createPayer({ platform, balance: 9_000_000_000_000_000n })
    const [face] = paymentFaces
    const quote = await face?.createQuote(platform, quoteInput(dollars, full.dollars))
    await face?.executeQuote(platform, quote?.body.id)
    await passTime(platform.id)
    expect((await timelineOf(platform, quote?.body.transactionId)).at(-1)).toBe(FAILED)
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  })
})
