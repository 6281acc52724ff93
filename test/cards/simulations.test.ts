// Every simulation against every state of a card, every status of a transaction and every magic merchant, over both APIs.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CARD_MERCHANTS } from '#cards/sandbox/scenario.ts'
import { CARD_TRANSITIONS } from '#cards/state.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import type { CardState } from '#generated/prisma/client.ts'
import { type CardFace, cardFaces, type Simulation, STEPS, USES } from '#test/setup/cards/card-faces.ts'
import {
  authorized,
  createShopper,
  eventsOf,
  LATER,
  owedTo,
  purchase,
  readTransaction,
  reported,
  type Shopper,
  SOON,
  simulated,
  summariesOf,
  transactionOf,
} from '#test/setup/cards/shoppers.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { fundsOf } from '#test/setup/payments/payers.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import { changePlatform, createToken } from '#test/setup/world.ts'
import { CARD_STEPS } from '#transactions/cards/steps.ts'
import { CARD_TRANSACTION_STATUSES } from '#transactions/transaction.ts'

const STATES = Object.keys(CARD_TRANSITIONS) as CardState[]
const SUFFIXES = ['BAR', ...Object.keys(CARD_MERCHANTS.values)]
const FIRST: Readonly<Record<string, string>> = {
  authorization: 'AUTHORIZED, pull 1 1000 1',
  credit_authorization: 'AUTHORIZED, pull 0 0 0',
  credit_authorization_advice: 'AUTHORIZED, pull 0 0 0',
  financial_authorization: 'SETTLED, pull 1 1000 0',
  financial_credit_authorization: 'SETTLED, pull 0 0 0',
}
const GONE: Readonly<Record<string, readonly [number, number]>> = {
  authorization: [1000, 0],
  credit_authorization: [0, 0],
  credit_authorization_advice: [0, 0],
  financial_authorization: [1000, 1000],
  financial_credit_authorization: [-1000, -1000],
}

const usesOf = ({ platform }: Shopper) => db.transaction.count({ where: { platformId: platform.id } })
const goneOf = async ({ platform, accountId }: Shopper, balance = 20_000) =>
  (await fundsOf(platform, accountId)).map((left) => balance - left)

/** It leaves nothing: no row, no hold, no movement, no event. */
const expectNothing = async (shopper: Shopper, balance = 20_000) => {
  const { platform } = shopper
  await passTime(platform.id, LATER)
  expect([await usesOf(shopper), await goneOf(shopper, balance)]).toEqual([0, [0, 0]])
  expect(await db.ledgerHold.count({ where: { platformId: platform.id } })).toBe(0)
  const told = await db.$queryRaw<unknown[]>`select type::text from events where platform_id = ${platform.id}::uuid`
  // The opening balance.
  expect(told).toEqual([{ type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED' }])
}

describe.each(cardFaces)('over $name', (face) => {
  it.each(USES.flatMap((use) => STATES.flatMap((state) => SUFFIXES.map((suffix) => [use, state, suffix] as const))))(
    '%s with a card that is %s at a merchant …%s',
    async (use, state, suffix) => {
      const shopper = await createShopper({ state })
      const { status, body } = await face.simulate(shopper.platform, shopper.cardId, use, purchase(1000, suffix))
      if (state !== 'ACTIVE' && state !== 'FROZEN') {
        expect([status, body.code, body.details.reason]).toEqual([400, 'INVALID_INPUT', 'CARD_NOT_ACTIVE'])
        return expectNothing(shopper)
      }
      expect([status, Object.keys(body)]).toEqual([202, ['issuerTransactionToken']])
      await reported(shopper.platform)
      const isPulled = use === 'authorization' || use === 'financial_authorization'
      const failsAtOnce = use === 'financial_authorization' && suffix === '006'
      if (state === 'FROZEN' || suffix === '002' || suffix === '003' || failsAtOnce) return expectNothing(shopper)
      const found = await transactionOf(shopper, body.issuerTransactionToken)
      expect(`${found.status}, ${summariesOf(found).split(',')[0]}`).toBe(FIRST[use])
      expect([found.direction, found.cardId, found.accountId]).toEqual([
        isPulled ? 'DEBIT' : 'CREDIT',
        shopper.cardId,
        shopper.accountId,
      ])
      expect(await goneOf(shopper)).toEqual(GONE[use])
      // Single messages are SETTLED from the start.
      expect(await eventsOf(shopper, found.id)).toEqual([found.status])
      await passTime(shopper.platform.id, SOON)
      const soon = await readTransaction(shopper, found.id)
      await passTime(shopper.platform.id, LATER)
      const later = await readTransaction(shopper, found.id)
      if (use === 'authorization') {
        const ended = suffix === '006' ? 'pull 1 0 0' : 'pull 1 1000 0'
        expect([soon, later].map((each) => summariesOf(each).split(',')[0])).toEqual([
          suffix === '005' ? 'pull 1 1000 1' : ended,
          ended,
        ])
        expect(await goneOf(shopper)).toEqual(suffix === '006' ? [0, 0] : [1000, 1000])
      }
      // Whether a pull confirms or fails, the transaction stays, without an event.
      expect([later.status, await eventsOf(shopper, found.id)]).toEqual([found.status, [found.status]])
      expect(later.lastEventAt).toEqual(found.lastEventAt)
    },
  )

  it.each(STATES)('a balance inquiry with a card that is %s changes nothing', async (state) => {
    const shopper = await createShopper({ state })
    const { merchant } = purchase(1)
    const { status } = await face.simulate(shopper.platform, shopper.cardId, 'balance_inquiry', { merchant })
    expect(status).toBe(state === 'ACTIVE' || state === 'FROZEN' ? 202 : 400)
    await expectNothing(shopper)
  })

  it.each(
    STEPS.flatMap((step) =>
      CARD_TRANSACTION_STATUSES.flatMap((status) =>
        (['DEBIT', 'CREDIT'] as const).map((direction) => [step, status, direction] as const),
      ),
    ),
  )('%s of one that is %s, a %s', async (step, status, direction) => {
    const shopper = await createShopper()
    const id = await inStatus(shopper, status, direction)
    if (id === undefined) return
    const before = await stateOf(shopper, id)
    const input = {
      cardTransactionId: id,
      ...(step !== 'return_reversal' && { amount: step === 'authorization_advice' ? 1200 : 100 }),
    }
    const answer = await face.simulate(shopper.platform, shopper.cardId, step, input)
    const isAllowed =
      CARD_STEPS[step.toUpperCase() as keyof typeof CARD_STEPS].some((each) => each === status) &&
      (step !== 'return' || direction === 'DEBIT')
    await reported(shopper.platform)
    if (isAllowed) {
      expect(answer.status).toBe(202)
      expect(await stateOf(shopper, id)).not.toEqual(before)
      return
    }
    expect([answer.status, answer.body.code, answer.body.details.reason]).toEqual([
      400,
      'INVALID_INPUT',
      'WRONG_STATUS',
    ])
    expect(await stateOf(shopper, id)).toEqual(before)
  })

  it('a production token is refused before anything else', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000)
    await changePlatform(shopper.platform, { environment: 'PRODUCTION' })
    const refusal = { code: 'FORBIDDEN', details: { reason: 'SANDBOX_ONLY' } }
    const unknown = publicId('Card', randomUUID())
    for (const cardId of [shopper.cardId, unknown, 'nonsense'])
      for (const simulation of [...USES, ...STEPS, 'balance_inquiry'] as const) {
        const input = simulation === 'balance_inquiry' ? { merchant: purchase(1).merchant } : inputOf(simulation, id)
        const answer = await face.simulate(shopper.platform, cardId, simulation, input)
        expect([simulation, answer.status, answer.body]).toMatchObject([simulation, 403, refusal])
      }
  })

  it('refuses malformed and unknown input, and callers without the permission', async () => {
    const shopper = await createShopper()
    const { platform, cardId } = shopper
    const other = await createShopper({ platform })
    const foreign = await createShopper()
    const [id, others] = [await authorized(shopper, 1000), await authorized(other, 1000)]
    const viewer = { clientId: randomUUID(), secret: randomUUID() }
    await createToken(platform.id, viewer, ['VIEW', 'TRANSACT'])
    const good = purchase(10)
    const cases: (readonly [Simulation, object, number, string, string?])[] = [
      ['authorization', purchase(0), 400, 'INVALID_INPUT'],
      ['authorization', purchase(9_000_000_000_000_001), 400, 'INVALID_INPUT'],
      ['authorization', purchase(10, 'BAR', 'EUR'), 400, 'INVALID_CURRENCY'],
      ['authorization', purchase(10, 'BAR', 'XXX'), 400, 'INVALID_CURRENCY'],
      ['authorization', { ...good, merchant: { descriptor: '' } }, 400, 'INVALID_INPUT'],
      ['authorization', { ...good, merchant: { descriptor: 'BAR', mcc: '58x4' } }, 400, 'INVALID_INPUT'],
      ['authorization', { ...good, merchant: { descriptor: 'BAR', country: 'XX' } }, 400, 'INVALID_INPUT'],
      ['authorization', good, 404, 'REFERENCE_NOT_FOUND', publicId('Card', randomUUID())],
      ['authorization', good, 404, 'REFERENCE_NOT_FOUND', foreign.cardId],
      ['clearing', { cardTransactionId: id, amount: -1 }, 400, 'INVALID_INPUT'],
      ['clearing', { cardTransactionId: id, amount: 9_000_000_000_000_001 }, 400, 'INVALID_INPUT'],
      ['clearing', { cardTransactionId: others, amount: 1 }, 404, 'REFERENCE_NOT_FOUND'],
      [
        'clearing',
        { cardTransactionId: publicId('CardTransaction', randomUUID()), amount: 1 },
        404,
        'REFERENCE_NOT_FOUND',
      ],
      ['clearing', { cardTransactionId: id, amount: 1 }, 404, 'REFERENCE_NOT_FOUND', foreign.cardId],
      ['authorization_advice', { cardTransactionId: id, amount: 0 }, 400, 'INVALID_INPUT'],
    ]
    for (const [simulation, input, status, code, card = cardId] of cases) {
      const answer = await face.simulate(platform, card, simulation, input)
      expect([simulation, input, answer.status, answer.body.code]).toEqual([simulation, input, status, code])
    }
    expect((await face.simulate(viewer, cardId, 'authorization', good)).status).toBe(403)
  })
})

const inputOf = (simulation: Simulation, id: string) =>
  USES.some((use) => use === simulation)
    ? purchase(10)
    : { cardTransactionId: id, ...(simulation !== 'return_reversal' && { amount: 10 }) }

const stateOf = async (shopper: Shopper, id: string) => ({
  row: await readTransaction(shopper, id),
  funds: await fundsOf(shopper.platform, shopper.accountId),
  owed: await owedTo(shopper),
  events: await eventsOf(shopper, id),
})

/** A transaction of 1000 brought into the status. Undefined if that is not possible. */
const inStatus = async (
  shopper: Shopper,
  status: string,
  direction: 'DEBIT' | 'CREDIT',
): Promise<string | undefined> => {
  const use = direction === 'DEBIT' ? 'authorization' : 'credit_authorization'
  if (direction === 'CREDIT' && (status === 'REFUNDED' || status === 'EXCEPTION')) return undefined
  const input = purchase(1000, status === 'EXCEPTION' ? '006' : 'BAR')
  const { id } = await transactionOf(shopper, await simulated(shopper, use, input))
  const steps: Readonly<Record<string, readonly (readonly [Simulation, number])[]>> = {
    PARTIALLY_SETTLED: [['clearing', 400]],
    SETTLED: [['clearing', 1000]],
    EXCEPTION: [['clearing', 1000]],
    REFUNDED: [
      ['clearing', 1000],
      ['return', 300],
    ],
  }
  for (const [step, amount] of steps[status] ?? []) await simulated(shopper, step, { cardTransactionId: id, amount })
  expect((await readTransaction(shopper, id)).status).toBe(status)
  return id
}

describe('the traps', () => {
  const [, rest] = cardFaces as readonly [CardFace, CardFace]
  const step = (shopper: Shopper, id: string, name: Simulation, amount?: number) =>
    simulated(shopper, name, { cardTransactionId: id, ...(amount !== undefined && { amount }) })

  it('2: a failed pull alone leaves AUTHORIZED, and closing without a clearing is no exception', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 4200, '006')
    await passTime(shopper.platform.id, SOON)
    const failed = await readTransaction(shopper, id)
    expect([failed.status, summariesOf(failed)]).toEqual(['AUTHORIZED', 'pull 1 0 0, settled 0 0, refunded 0 0'])
    await step(shopper, id, 'clearing', 0)
    expect((await readTransaction(shopper, id)).status).toBe('SETTLED')
    expect([await goneOf(shopper), await owedTo(shopper)]).toEqual([[0, 0], 0])
  })

  it('3: a clearing before the 30 seconds of 005 confirms the pull, and the job does nothing then', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000, '005')
    await step(shopper, id, 'clearing', 1000)
    const cleared = await readTransaction(shopper, id)
    await passTime(shopper.platform.id, LATER)
    expect(await readTransaction(shopper, id)).toEqual(cleared)
    expect(await goneOf(shopper)).toEqual([1000, 1000])
  })

  it('4: the end of a pull is an event of the account, and none of the card transaction', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000)
    const before = await eventsOf(shopper, shopper.accountId)
    await passTime(shopper.platform.id, SOON)
    expect((await eventsOf(shopper, shopper.accountId)).length).toBe(before.length + 1)
    expect(await eventsOf(shopper, id)).toEqual(['AUTHORIZED'])
  })

  it('5 and 6: steps that keep the status are events, and a reversal undoes the latest return only', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000)
    await step(shopper, id, 'clearing', 200)
    await step(shopper, id, 'clearing', 300)
    await step(shopper, id, 'clearing', 500)
    await step(shopper, id, 'return', 100)
    await step(shopper, id, 'return', 250)
    await step(shopper, id, 'return_reversal')
    const found = await readTransaction(shopper, id)
    expect([found.status, found.refundedAmount.amount, summariesOf(found)]).toEqual([
      'REFUNDED',
      100,
      'pull 1 1000 0, settled 3 1000, refunded 1 100',
    ])
    expect(await eventsOf(shopper, id)).toEqual([
      ...['AUTHORIZED', 'PARTIALLY_SETTLED', 'PARTIALLY_SETTLED', 'SETTLED'],
      ...['REFUNDED', 'REFUNDED', 'REFUNDED'],
    ])
    expect(await goneOf(shopper)).toEqual([900, 900])
    const tooMuch = await rest.simulate(shopper.platform, shopper.cardId, 'return', {
      cardTransactionId: id,
      amount: 901,
    })
    expect([tooMuch.status, tooMuch.body.details.field]).toEqual([400, 'amount'])
  })

  it('7: an advice is a new total: an increase is held, a decrease is released at once, and the total is never below the cleared amount', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000, '005')
    await step(shopper, id, 'authorization_advice', 1500)
    expect(summariesOf(await readTransaction(shopper, id))).toBe('pull 2 1500 2, settled 0 0, refunded 0 0')
    expect(await goneOf(shopper)).toEqual([1500, 0])
    await step(shopper, id, 'authorization_advice', 600)
    expect(await goneOf(shopper)).toEqual([600, 0])
    await passTime(shopper.platform.id, LATER)
    expect(await goneOf(shopper)).toEqual([600, 600])
    await step(shopper, id, 'authorization_advice', 800)
    await step(shopper, id, 'clearing', 300)
    await step(shopper, id, 'authorization_advice', 500)
    expect(await goneOf(shopper)).toEqual([500, 500])
    const below = await rest.simulate(shopper.platform, shopper.cardId, 'authorization_advice', {
      cardTransactionId: id,
      amount: 299,
    })
    expect([below.status, below.body.code]).toEqual([400, 'INVALID_INPUT'])
    await step(shopper, id, 'authorization_advice', 90_000)
    expect((await readTransaction(shopper, id)).authorizedAmount.amount).toBe(500)
    await step(shopper, id, 'authorization_advice', 300)
    const settled = await readTransaction(shopper, id)
    expect([settled.status, await goneOf(shopper)]).toEqual(['SETTLED', [300, 300]])
    expect(await eventsOf(shopper, id)).toEqual(['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED'])
  })

  it('8: a use without enough money is declined, and leaves no trace', async () => {
    const shopper = await createShopper({ balance: 999n })
    await simulated(shopper, 'authorization', purchase(1000))
    await simulated(shopper, 'financial_authorization', purchase(1000))
    await expectNothing(shopper, 999)
  })

  it('9: a credit has no pull, is credited when it clears, and never beyond what an account can hold', async () => {
    const shopper = await createShopper()
    const { id } = await transactionOf(shopper, await simulated(shopper, 'credit_authorization', purchase(700)))
    await step(shopper, id, 'clearing', 900)
    expect(summariesOf(await readTransaction(shopper, id))).toBe('pull 0 0 0, settled 1 900, refunded 0 0')
    expect(await goneOf(shopper)).toEqual([-900, -900])
    const full = await createShopper({ balance: 9_000_000_000_000_000n - 100n })
    await simulated(full, 'financial_credit_authorization', purchase(101))
    expect(await usesOf(full)).toBe(0)
    const small = await transactionOf(full, await simulated(full, 'credit_authorization', purchase(100)))
    await step(full, small.id, 'clearing', 101)
    expect((await readTransaction(full, small.id)).status).toBe('AUTHORIZED')
  })

  it('11: an open authorization of a closed card still clears and is returned', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000)
    await rest.update(shopper.platform, shopper.cardId, { state: 'CLOSED' })
    await step(shopper, id, 'clearing', 1000)
    await step(shopper, id, 'return', 400)
    expect((await readTransaction(shopper, id)).status).toBe('REFUNDED')
  })

  it('12: clearing more than an empty account can pay is an exception, and the rest is owed', async () => {
    const shopper = await createShopper({ balance: 1000n })
    const id = await authorized(shopper, 1000)
    await step(shopper, id, 'clearing', 1700)
    const found = await readTransaction(shopper, id)
    expect([found.status, summariesOf(found)]).toEqual(['EXCEPTION', 'pull 2 1000 0, settled 1 1700, refunded 0 0'])
    expect([await fundsOf(shopper.platform, shopper.accountId), await owedTo(shopper)]).toEqual([[0, 0], 700])
  })

  it('a reversal that the account cannot pay is owed', async () => {
    const shopper = await createShopper({ balance: 1000n })
    const id = await authorized(shopper, 1000)
    await step(shopper, id, 'clearing', 1000)
    await step(shopper, id, 'return', 600)
    await authorized(shopper, 500)
    await step(shopper, id, 'return_reversal')
    expect((await readTransaction(shopper, id)).status).toBe('SETTLED')
    expect([await fundsOf(shopper.platform, shopper.accountId), await owedTo(shopper)]).toEqual([[100, 600], 600])
  })

  it('a report that arrives twice counts once', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000)
    await rest.simulate(shopper.platform, shopper.cardId, 'clearing', { cardTransactionId: id, amount: 100 })
    await takeJobs()
    const [job] = await db.$queryRaw<{ id: string; payload: object }[]>`
      select id::text, payload from graphile_worker._private_jobs where payload ->> 'platformId' = ${shopper.platform.id} and payload ->> 'step' = 'CLEARING'`
    const { reportCardUse } = await import('#transactions/cards/simulation/report-use.ts')
    await reportCardUse.run(job?.payload as never)
    await passTime(shopper.platform.id, SOON)
    expect(summariesOf(await readTransaction(shopper, id))).toBe('pull 1 1000 0, settled 1 100, refunded 0 0')
  })

  it('the webhook says that the destination is the card', async () => {
    const shopper = await createShopper()
    const id = await authorized(shopper, 1000)
    const { numberEvents } = await import('#events/numbering.ts')
    await numberEvents()
    const { body } = await callRest(shopper.platform, 'GET', `/webhooks/events?subjectId=${id}`)
    expect(body.data[0]).toMatchObject({
      type: 'CARD_TRANSACTION.AUTHORIZED',
      data: { id, status: 'AUTHORIZED', destination: { destinationType: 'CARD', cardId: shopper.cardId } },
    })
  })
})
