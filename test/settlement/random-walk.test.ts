// Random walks over both APIs through everything that moves money, while jobs run in any order, twice and late: no cent may appear or vanish.
import { randomInt, randomUUID } from 'node:crypto'
import { it } from 'vitest'
import { expireLateActions } from '#agents/actions/expire.ts'
import { StartupError } from '#core/environment.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { reportDeposit, reportPayment } from '#operator-reports.ts'
import { bringDeadlinesForward } from '#sandbox/deadlines.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { STEPS as CARD_STEPS, cardFaces, USES } from '#test/setup/cards/card-faces.ts'
import { purchase } from '#test/setup/cards/shoppers.ts'
import { basic } from '#test/setup/faces.ts'
import { expectBalanced, expectEnded, expectTold } from '#test/setup/payments/books.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { paymentFaces } from '#test/setup/payments/payment-faces.ts'
import { createWorld, feesOf, Walk } from '#test/setup/payments/walk.ts'
import { sandboxFaces } from '#test/setup/sandbox/sandbox-faces.ts'
import { callRest, scaFaces } from '#test/setup/sca/sca-faces.ts'
import { post, quoteBody } from '#test/setup/stablecoins.ts'
import { changePlatform } from '#test/setup/world.ts'

/** The full campaign sets WALKS=60. Each of its walks is another one. */
const WALKS = Number(process.env['WALKS'] ?? 1)
const seed = () => Number(process.env['WALK_SEED'] ?? (WALKS === 1 ? 20_261_130 : randomInt(2 ** 31)))
const STEPS = 60
const DAYS = 30

type Action = (walk: Walk) => Promise<unknown>

const report: Action = async (walk) => {
  const { platform, inside } = walk.world
  const id = await walk.oneOf({ type: { not: 'CARD' }, status: walk.pick(['PROCESSING', 'PROCESSING', 'COMPLETED']) })
  const said = walk.pick([['COMPLETED'], ['FAILED'], ['COMPLETED', 'FAILED'], ['FAILED', 'FAILED']] as const)
  const [to, amount, reference] = [walk.pick(inside), BigInt(walk.amount()), `INV-${walk.below(9)}`]
  const reports = await Promise.allSettled([
    ...said.map((outcome) => reportPayment(platform.id, publicId('Transaction', id ?? randomUUID()), outcome)),
    ...[1, 2].map(() => reportDeposit(platform.id, to, amount, reference)),
    walk.runJobs(),
  ])
  for (const result of reports) {
    if (result.status === 'rejected' && !(result.reason instanceof StartupError)) throw result.reason
  }
}

const ACTIONS: Readonly<Record<string, Action>> = {
  quote: (walk) => {
    const { platform, inside, outside } = walk.world
    const to = walk.pick([walk.pick(inside), walk.pick(outside)])
    const more = { lockedCurrencySide: walk.side(), immediatelyExecute: walk.below(2) === 0 }
    const input = quoteInput(walk.pick(inside), to, walk.amount(), more)
    return walk.call('quote', () => walk.pick(paymentFaces).createQuote(platform, input))
  },
  execute: async (walk) => {
    const quote = await walk.quoteIn({ status: 'PENDING', sourceType: 'ACCOUNT' })
    const headers = { 'idempotency-key': randomUUID() }
    if (quote)
      await walk.call('execute', () =>
        callRest(walk.world.platform, 'POST', `/quotes/Quote:${quote.id}/execute`, {}, headers),
      )
  },
  authorize: async (walk) => {
    const quote = await walk.quoteIn({ status: 'PENDING_AUTHORIZATION' })
    const proof = { code: walk.pick(['123456', '111111']) }
    if (quote)
      await walk.call('authorize', () =>
        walk.pick(scaFaces).authorize(walk.world.platform, publicId('Quote', quote.id), proof),
      )
  },
  pushed: async (walk) => {
    const { platform, customers, inside, outside } = walk.world
    const [currency, cryptoNetwork] = walk.pick([
      ['USD'],
      ['EUR'],
      ['USDC', 'SOLANA'],
      ['USDT', 'TRON'],
      ['BTC', 'LIGHTNING'],
    ])
    const source = { sourceType: 'REALTIME_FUNDING', currency, customerId: walk.pick(customers), cryptoNetwork }
    const input = {
      ...quoteInput('', walk.pick([...inside, ...outside]), walk.amount(), { lockedCurrencySide: walk.side() }),
      source,
    }
    await walk.call('pushed', () => callRest(platform, 'POST', '/quotes', input))
  },
  push: async (walk) => {
    const quote = await walk.quoteIn({ status: { in: ['PENDING', 'EXPIRED'] }, sourceType: 'REALTIME_FUNDING' })
    if (!quote) return
    const currencyAmount = walk.pick([
      Number(quote.totalSendingAmount),
      Number(quote.totalSendingAmount),
      walk.amount(),
    ])
    const input = { quoteId: publicId('Quote', quote.id), currencyCode: quote.sendingCurrency, currencyAmount }
    await walk.call('push', () => walk.pick(sandboxFaces).push(walk.world.platform, input))
  },
  deposit: (walk) =>
    walk.call('deposit', () =>
      walk.pick(sandboxFaces).fund(walk.world.platform, walk.pick(walk.world.inside), { amount: walk.amount() }),
    ),
  transferOut: (walk) => {
    const { accountId, banks } = walk.pick(walk.world.people)
    const input = transferInput(
      accountId,
      walk.pick(banks),
      walk.pick([walk.amount(), walk.amount(), walk.amount(), undefined]),
    )
    const headers = { 'idempotency-key': randomUUID() }
    return walk.call('transferOut', () => callRest(walk.world.platform, 'POST', '/transfer-out', input, headers))
  },
  transferIn: (walk) => {
    const { accountId, banks } = walk.pick(walk.world.people)
    const input = transferInput(walk.pick(banks), accountId, walk.amount())
    return walk.call('transferIn', () => walk.pick(paymentFaces).transferIn(walk.world.platform, input))
  },
  cancel: async (walk) => {
    const id = await walk.oneOf({ type: { not: 'CARD' }, status: 'PROCESSING', refundStatus: null })
    if (id)
      await walk.call('cancel', () =>
        walk.pick(sandboxFaces).cancel(walk.world.platform, publicId('Transaction', id), {}),
      )
  },
  umaIn: (walk) => {
    const senderUmaAddress = walk.pick(['$success.usd@any.example', '$fail.compliance.usd@any.example'])
    const receivingCurrencyCode = walk.pick(['USD', 'EUR', 'JPY', 'BTC'])
    const facts = {
      senderUmaAddress,
      receivingCurrencyCode,
      receivingCurrencyAmount: walk.amount(),
      customerId: walk.pick(walk.world.customers),
    }
    return walk.call('umaIn', () => walk.pick(sandboxFaces).receiveUma(walk.world.platform, facts))
  },
  decide: async (walk) => {
    const found = await walk.oneOf({
      status: 'PENDING',
      OR: [{ sourceType: 'UMA_ADDRESS' }, { agentId: { not: null } }],
    })
    const [face, owner, id] = [
      walk.pick(actionFaces),
      basic(walk.world.platform),
      publicId('Transaction', found ?? randomUUID()),
    ]
    const receiverCustomerInfo = {
      FULL_NAME: 'Ada',
      BIRTH_DATE: '1990-12-10',
      NATIONALITY: 'US',
      POSTAL_ADDRESS: '1 Market Street',
    }
    const call = walk.pick(['approve', 'approve', 'reject'])
    if (!found) return
    await walk.call(call, async () => {
      if (call === 'reject') return face.rejectTransaction(owner, id)
      return callRest(walk.world.platform, 'POST', `/transactions/${id}/approve`, { receiverCustomerInfo })
    })
  },
  agent: async (walk) => {
    const index = walk.below(2)
    const { agent, accountId } = walk.world.agents[index] ?? walk.pick(walk.world.agents)
    const [face, kind] = [walk.pick(actionFaces), walk.pick(['transferOut', 'transferIn', 'quote'] as const)]
    const [amount, bank] = [walk.amount(), walk.pick(walk.world.people[index]?.banks ?? [])]
    if (kind !== 'quote') {
      const [from, to] = kind === 'transferOut' ? [accountId, bank] : [bank, accountId]
      return walk.call(`agent ${kind}`, () => face[kind](agent, { ...transferInput(from, to), amount }))
    }
    const to = walk.pick([...walk.world.inside, ...walk.world.outside])
    const input = {
      source: { accountId },
      destination: { accountId: to },
      lockedCurrencySide: walk.side(),
      lockedCurrencyAmount: amount,
    }
    const { status, body } = await face.createQuote(agent, input)
    return status === 201 && walk.call('agent execute', () => face.execute(agent, body.id))
  },
  card: (walk) => {
    const { platform, cardId } = walk.world.shopper
    const input = purchase(walk.amount(), walk.pick(['BAR', 'BAR', '002', '005', '006']))
    return walk.call('card', () => walk.pick(cardFaces).simulate(platform, cardId, walk.pick(USES), input))
  },
  cardStep: async (walk) => {
    const { platform, cardId } = walk.world.shopper
    const id = await walk.oneOf({ type: 'CARD' })
    if (!id) return
    const { authorizedAmount, settledAmount } = await db.transaction.findFirstOrThrow({
      where: { platformId: platform.id, id },
    })
    const [step, face] = [walk.pick([...CARD_STEPS, 'clearing'] as const), walk.pick(cardFaces)]
    const amount = walk.pick([
      Number(authorizedAmount),
      Number(authorizedAmount) * 2,
      Number(settledAmount ?? 0),
      walk.amount(),
      0,
    ])
    const input = { cardTransactionId: publicId('CardTransaction', id), ...(step !== 'return_reversal' && { amount }) }
    await walk.call(`card ${step}`, () => face.simulate(platform, cardId, step, input))
  },
  stablecoin: async (walk) => {
    const { issuer, wallets, platform } = walk.world
    const type = walk.pick(['mint', 'burn'] as const)
    const body = quoteBody({ ...issuer, wallet: walk.pick(wallets) }, type, `${walk.below(200)}.${10 + walk.below(90)}`)
    const quote = await post(platform, `/stablecoins/${issuer.coin.id}/${type}-quotes`, body)
    if (quote.status === 201)
      await walk.call(type, () => post(platform, `/stablecoin-quotes/${quote.body.id}/execute`, {}))
  },
  freeze: async (walk) => {
    const { platform, inside } = walk.world
    const status = walk.pick(['FROZEN', 'ACTIVE'] as const)
    await db.internalAccount.updateMany({
      where: { platformId: platform.id, status: 'FROZEN' },
      data: { status: 'ACTIVE' },
    })
    const where = { platformId: platform.id, id: uuidOf(walk.pick(inside)), status: 'ACTIVE' } as const
    await db.internalAccount.updateMany({ where, data: { status } })
  },
  report,
  fees: (walk) =>
    callRest(walk.world.platform, 'PATCH', '/config', walk.pick([feesOf(0, 0), feesOf(250, 0), feesOf(37, 3)])),
  leave: (walk) =>
    walk.call('leave', () => callRest(walk.world.platform, 'DELETE', `/customers/${walk.pick(walk.world.customers)}`)),
  jobs: (walk) => walk.runJobs(),
  time: (walk) => {
    const seconds = walk.pick([1, 2, 31, 301, 901])
    return walk.isProduction
      ? passTime(walk.world.platform.id, 2)
      : walk.call('time', () => callRest(walk.world.platform, 'POST', '/sandbox/advance-time', { seconds }))
  },
}
const OF_SANDBOX = 'pushed push deposit cancel umaIn card cardStep stablecoin'.split(' ')
/** Drawn more often than the others. */
const OFTEN = 'jobs jobs jobs execute execute push decide agent cardStep cardStep transferOut time time'.split(' ')
const OFTEN_IN_PRODUCTION = 'report report report report report'.split(' ')

/** All jobs run and all deadlines pass. In production the operator reports the rest. */
const end = async (walk: Walk) => {
  const { platform } = walk.world
  await db.internalAccount.updateMany({
    where: { platformId: platform.id, status: 'FROZEN' },
    data: { status: 'ACTIVE' },
  })
  if (!walk.isProduction) {
    for (let seconds = DAYS * 86_400; seconds > 0; ) {
      seconds = (await callRest(platform, 'POST', '/sandbox/advance-time', { seconds })).body.remainingSeconds
    }
    return
  }
  await inTransaction((tx) => bringDeadlinesForward(tx, platform.id, DAYS * 86_400_000))
  await passTime(platform.id, DAYS * 86_400)
  await expireLateActions(platform.id)
  for (let id = await walk.oneOf({ status: 'PROCESSING' }); id; id = await walk.oneOf({ status: 'PROCESSING' })) {
    await reportPayment(platform.id, publicId('Transaction', id), walk.pick(['COMPLETED', 'FAILED']))
  }
}

/** The seed repeats the choices, but not the order in which calls at the same moment arrive. */
it.each(['SANDBOX', 'PRODUCTION'] as const)(
  '%s: random walks keep every cent',
  { timeout: 3_600_000 },
  async (environment) => {
    for (let done = 0; done < WALKS; done += 1) {
      const world = await createWorld()
      const { platform } = world
      const walk = new Walk(world, seed(), environment === 'PRODUCTION')
      await changePlatform(platform, { environment })
      const names = Object.keys(ACTIONS).filter((name) => !walk.isProduction || !OF_SANDBOX.includes(name))
      const choices = [
        ...names,
        ...OFTEN.filter((name) => names.includes(name)),
        ...(walk.isProduction ? OFTEN_IN_PRODUCTION : []),
      ]
      try {
        for (let step = 1; step <= STEPS; step += 1) {
          await Promise.all(Array.from({ length: walk.pick([1, 1, 3]) }, () => ACTIONS[walk.pick(choices)]?.(walk)))
          if (step % 20 === 0) await expectBalanced(platform)
        }
        await end(walk)
        await expectBalanced(platform)
        await expectEnded(platform)
        await expectTold(platform)
      } catch (error) {
        console.log(`WALK_SEED=${walk.seed} ${environment}\n${walk.log.join('\n')}`)
        throw error
      }
    }
  },
)
