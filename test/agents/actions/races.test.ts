// Concurrent calls on two gateways over GraphQL and REST: one decision, one movement of money, and no limit exceeded.
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db, sql } from '#database/db.ts'
import {
  type Acting,
  balancesOf,
  createActing,
  createColleague,
  eventually,
  outliveQuote,
  pullOf,
  quoteOf,
  statesOf,
  transferOf,
  usageOf,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { type ActionFace, actionFaces } from '#test/setup/agents/action-faces.ts'
import { type AgentFace, type Answer, agentFaces } from '#test/setup/agents/agent-faces.ts'
import { delayed, interleaved } from '#test/setup/credentials/interleaved.ts'
import { type GatewayProcess, startGateway, through } from '#test/setup/gateway-process.ts'
import { paymentFaces } from '#test/setup/payments/payment-faces.ts'
import { createInternalAccount } from '#test/setup/world.ts'

/** The number of actions. The full campaign sets RACES=300. */
const ACTIONS = Number(process.env['RACES'] ?? 2)
const RACERS = 16
/** Those who spend one account at once. A multiple of five, for a whole number of payments. */
const AGENTS = ACTIONS > 30 ? 50 : 10
/** A generous timeout for a busy machine. */
const SLOWLY = 300_000

let gateways: GatewayProcess[]
beforeAll(async () => {
  const settings = { DATABASE_POOL_SIZE: '12' }
  gateways = await Promise.all([startGateway(settings), startGateway(settings)])
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.kill())))

const inLane = (racer: number, send: (face: ActionFace) => Promise<Answer>): Promise<Answer> => {
  const gateway = gateways[racer % 2]
  const face = actionFaces[(racer >> 1) % 2]
  if (!gateway || !face) throw new Error('No lane')
  return through(gateway, () => insist(() => send(face)))
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** The number of concurrent races: enough to keep the machine busy. */
const overAll = async <T, R>(items: readonly T[], run: (item: T, index: number) => Promise<R>): Promise<R[]> => {
  const results: R[] = []
  const rest = [...items.entries()].values()
  const runner = async () => {
    for (const [index, item] of rest) results[index] = await run(item, index)
  }
  await Promise.all(upTo(4).map(runner))
  return results
}

/** Retries after a 503, like a client. */
const insist = async <A extends Pick<Answer, 'status'>>(send: () => Promise<A>): Promise<A> => {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    busy += 1
    await wait(100 + Math.random() * 300)
  }
}
let busy = 0

const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) =>
  status < 300 ? String(status) : `${status} ${body.code}`

const askFor = async (acting: Acting, index: number): Promise<Answer> => {
  const kind = index % 3
  const out = () => inLane(index, (face) => face.transferOut(acting.agent, transferOf(acting, 1_000)))
  const pull = () => inLane(index, (face) => face.transferIn(acting.agent, pullOf(acting, 1_000)))
  if (kind > 0) return kind === 1 ? out() : pull()
  const quote = await inLane(index, (face) => face.createQuote(acting.agent, quoteOf(acting, 1_000)))
  return inLane(index, (face) => face.execute(acting.agent, quote.body.id))
}

/** The amount that the action's payment has moved on the account, if any. */
const movedOn = async ({ platform, accountId }: Acting, transactionId: string) => {
  const entries = await db.ledgerEntry.findMany({
    where: {
      platformId: platform.id,
      accountId: uuidOf(accountId),
      movement: { transactionId: uuidOf(transactionId) },
    },
  })
  return entries.map(({ amount }) => Number(amount))
}

/** No payment is under way, so that none waits where another one is to stop. */
const untilSettled = async () => {
  const underWay = () => db.transaction.count({ where: { status: 'PROCESSING' } })
  expect(await eventually(underWay, (count) => count === 0)).toBe(0)
}

const isOver = (states: string) => /^(COMPLETED|FAILED|EXPIRED|REFUNDED)/.test(states)
const finalStates = (acting: Acting, transactionId: string) => eventually(() => statesOf(acting, transactionId), isOver)

it(`${RACERS} approvals and rejections at once decide an action once, ${ACTIONS} times`, {
  timeout: SLOWLY,
}, async () => {
  const actings = await Promise.all(upTo(6).map(() => createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })))
  const actingOf = (index: number) => actings[index % actings.length] as Acting
  const waiting = await overAll(upTo(ACTIONS), async (index) => (await askFor(actingOf(index), index)).body)
  expect(new Set(waiting.map(({ status }) => status))).toEqual(new Set(['PENDING_APPROVAL']))

  const began = performance.now()
  const tally = new Map<string, number>()
  const approvals = actings.map(() => 0)
  await overAll(waiting, async (action, index) => {
    const { owner, agentId } = actingOf(index)
    const answers = await Promise.all(
      upTo(RACERS).map(async (racer) => {
        const isApproval = (racer + index) % 2 === 0
        const byTransaction = (racer >> 2) % 2 === 0
        const verb = isApproval ? 'approve' : 'reject'
        const answer = await inLane(racer, (face) =>
          byTransaction
            ? face[`${verb}Transaction`](owner, action.transaction.id)
            : face[verb](owner, agentId, action.id),
        )
        const expected = byTransaction ? '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL' : '409 CONFLICT'
        return { isApproval, code: codeOf(answer), expected }
      }),
    )
    const winners = answers.filter(({ code }) => code === '200')
    expect({ id: action.id, winners: winners.length }).toEqual({ id: action.id, winners: 1 })
    for (const { code, expected } of answers) if (code !== '200') expect(code).toBe(expected)
    for (const { code } of answers) tally.set(code, (tally.get(code) ?? 0) + 1)
    const approved = winners[0]?.isApproval === true
    if (approved) approvals[index % actings.length] = (approvals[index % actings.length] ?? 0) + 1
    const { status } = await db.agentAction.findFirstOrThrow({ where: { id: uuidOf(action.id) } })
    expect(status).toBe(approved ? 'APPROVED' : 'REJECTED')
  })
  const seconds = (performance.now() - began) / 1000

  let moved = 0
  const totals = actings.map(() => 1_000_000)
  await overAll(waiting, async (action, index) => {
    const acting = actingOf(index)
    const states = await finalStates(acting, action.transaction.id)
    const amounts = await movedOn(acting, action.transaction.id)
    const isApproved = states.endsWith('APPROVED')
    expect([states, amounts]).toEqual([
      expect.stringMatching(isApproved ? /^COMPLETED/ : /^FAILED (FAILED|-) REJECTED/),
      isApproved ? [action.type === 'TRANSFER_IN' ? 1_000 : -1_000] : [],
    ])
    moved += amounts.length
    totals[index % actings.length] = (totals[index % actings.length] ?? 0) + (amounts[0] ?? 0)
  })
  for (const [index, acting] of actings.entries()) {
    expect(await balancesOf(acting)).toEqual([totals[index], totals[index]])
    expect((await usageOf(acting))[0]).toBe(approvals[index])
  }
  console.log(
    `actions ${ACTIONS} x ${RACERS} racers in ${seconds.toFixed(0)} s: ${[...tally].map(([code, count]) => `${code}: ${count}`).join(', ')}; told to retry ${busy}; movements ${moved} for ${approvals.reduce((sum, count) => sum + count, 0)} approvals; decided twice 0, moved twice 0`,
  )
})

it(`${AGENTS} agents spend one account at once: its balance never goes below zero, and no agent exceeds its limit`, {
  timeout: SLOWLY,
}, async () => {
  // Enough for nine of ten payments that the limits allow.
  const payments = (AGENTS * 2 * 9) / 10
  const acting = await createActing({ balance: BigInt(payments * 1_000) })
  const agents = await Promise.all(upTo(AGENTS).map(() => createColleague(acting, { dailyLimit: 2_000n })))
  const seen: number[] = []
  let isOverNow = false
  const watch = async () => {
    for (; !isOverNow; await wait(20)) seen.push(...(await balancesOf(acting)))
  }
  const watching = watch()
  const answers = await Promise.all(
    agents.map(async ({ agent }, index) => {
      const codes: string[] = []
      for (let turn = 0; turn < 4; turn += 1) {
        const racer = index + turn
        const quote = turn % 2 === 0 && (await inLane(racer, (face) => face.createQuote(agent, quoteOf(acting, 1_000))))
        const answer = await inLane(racer, (face) =>
          quote ? face.execute(agent, quote.body.id) : face.transferOut(agent, transferOf(acting, 1_000)),
        )
        codes.push(codeOf(answer))
      }
      return codes
    }),
  )
  isOverNow = true
  await watching
  const codes = answers.flat()
  const count = (code: string) => codes.filter((each) => each === code).length
  const spent = count('200') + count('201')
  console.log(
    `agents ${AGENTS}, attempts ${codes.length}: spent ${spent}, limit exceeded ${count('403 VELOCITY_LIMIT_EXCEEDED')}, insufficient balance ${count('400 INVALID_AMOUNT')}; told to retry ${busy}; lowest balance seen ${Math.min(...seen)}`,
  )
  const allowed = ['200', '201', '400 INVALID_AMOUNT', '403 VELOCITY_LIMIT_EXCEEDED']
  expect(codes.filter((code) => !allowed.includes(code))).toEqual([])
  expect(spent).toBe(payments)
  expect(Math.min(...seen)).toBeGreaterThanOrEqual(0)
  const rows = await db.agent.findMany({ where: { id: { in: agents.map(({ agentId }) => uuidOf(agentId)) } } })
  const charged = rows.map(({ dailySpend, dailyTransactionCount }) => [Number(dailySpend), dailyTransactionCount])
  for (const [spend = 0, number = 0] of charged) expect([spend <= 2_000, spend]).toEqual([true, number * 1_000])
  expect(charged.reduce((sum, [spend = 0]) => sum + spend, 0)).toBe(payments * 1_000)
  expect((await balancesOf(acting))[0]).toBe(0)
  expect(
    await eventually(
      () => balancesOf(acting),
      ([, total]) => total === 0,
    ),
  ).toEqual([0, 0])
})

it('one agent spends many accounts at once: its daily limits hold', { timeout: SLOWLY }, async () => {
  for (const limits of [{ dailyLimit: 10_000n }, { dailyTransactionLimit: 10 }, { monthlyLimit: 10_000n }]) {
    const acting = await createActing(limits)
    const customerId = uuidOf(acting.customerId)
    const accounts = await Promise.all(
      upTo(8).map(() => createInternalAccount(acting.platform, { customerId, balance: 1_000_000n })),
    )
    const codes = await Promise.all(
      upTo(40).map(async (index) => {
        const source = { accountId: publicId('InternalAccount', accounts[index % 8]?.id ?? '') }
        const answer = await inLane(index, (face) =>
          face.transferOut(acting.agent, { ...transferOf(acting, 1_000), source }),
        )
        return codeOf(answer)
      }),
    )
    expect(codes.toSorted()).toEqual([...Array(10).fill('201'), ...Array(30).fill('403 VELOCITY_LIMIT_EXCEEDED')])
    expect(await usageOf(acting)).toEqual([10, 10_000, 10_000])
  }
})

it('concurrent executions of one quote execute it once', { timeout: SLOWLY }, async () => {
  for (const mode of ['AUTO', 'APPROVAL_REQUIRED'] as const) {
    const acting = await createActing({ defaultExecutionMode: mode })
    for (const round of upTo(10)) {
      const quote = await inLane(round, (face) => face.createQuote(acting.agent, quoteOf(acting, 1_000)))
      const answers = await Promise.all(
        upTo(8).map((racer) => inLane(racer, (face) => face.execute(acting.agent, quote.body.id))),
      )
      expect(answers.map(codeOf).toSorted()).toEqual(['200', ...Array(7).fill('409 CONFLICT')])
    }
    expect(await db.agentAction.count({ where: { agentId: uuidOf(acting.agentId) } })).toBe(10)
    expect((await balancesOf(acting))[0]).toBe(mode === 'AUTO' ? 990_000 : 1_000_000)
  }
})

it('a quote is executed by its agent or by the platform, whichever is first', { timeout: SLOWLY }, async () => {
  const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
  for (const [index, asPlatform] of [...paymentFaces, ...paymentFaces].entries()) {
    const quote = await inLane(index, (face) => face.createQuote(acting.agent, quoteOf(acting, 1_000)))
    const byAgent = () => inLane(index, (face) => face.execute(acting.agent, quote.body.id))
    const byPlatform = () => insist(() => asPlatform.executeQuote(acting.platform, quote.body.id))
    await untilSettled()
    const answers =
      index < paymentFaces.length
        ? await interleaved('insert on agent_actions', byAgent, byPlatform)
        : await interleaved('update on quotes', byPlatform, byAgent)
    expect(answers.map(codeOf)).toEqual(['200', '409 CONFLICT'])
  }
})

interface Opponent {
  readonly what: string
  readonly write: string
  readonly run: (acting: Acting, quoteId: string, management: AgentFace) => Promise<unknown>
  /** What the approval is answered after it, the states of the payment, and whether that has a new price. */
  readonly afterwards: readonly [status: number, states: string, isRepriced: boolean]
}

it.each<Opponent>([
  {
    what: 'deleting the agent',
    write: 'update on agents',
    run: async ({ platform, agentId }, _quoteId, management) =>
      expect((await management.remove(platform, agentId)).status).toBe(204),
    afterwards: [409, 'FAILED FAILED REJECTED', false],
  },
  {
    what: 'pausing the agent',
    write: 'update on agents',
    run: async ({ platform, agentId }, _quoteId, management) =>
      expect((await management.update(platform, agentId, { isPaused: true })).status).toBe(200),
    afterwards: [409, 'PENDING PENDING PENDING_APPROVAL', false],
  },
  {
    what: "the quote's expiry",
    write: 'update of expires_at on quotes',
    run: (acting, quoteId) => outliveQuote(acting, quoteId),
    afterwards: [200, 'COMPLETED COMPLETED APPROVED', true],
  },
])('approval concurrent with $what: one happens first', { timeout: SLOWLY }, async ({ write, run, afterwards }) => {
  for (const [index, management] of [...agentFaces, ...agentFaces].entries()) {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const quote = await inLane(index, (face) => face.createQuote(acting.agent, quoteOf(acting, 1_000)))
    const { body: action } = await inLane(index, (face) => face.execute(acting.agent, quote.body.id))
    const approve = () => inLane(index, (face) => face.approve(acting.owner, acting.agentId, action.id))
    const oppose = () => run(acting, quote.body.id, management)
    const isFirst = index < agentFaces.length
    const [approval] = isFirst
      ? await interleaved('update on agent_actions', approve, oppose)
      : ((await interleaved(write, oppose, approve)).toReversed() as [Answer, unknown])
    const { status, transactionId } = await db.agentAction.findFirstOrThrow({ where: { id: uuidOf(action.id) } })
    const payment = `Transaction:${transactionId}`
    const statesNow = status === 'PENDING_APPROVAL' ? statesOf : finalStates
    const isRepriced = payment !== action.transaction.id
    expect([approval.status, await statesNow(acting, payment), isRepriced]).toEqual(
      isFirst ? [200, 'COMPLETED COMPLETED APPROVED', false] : afterwards,
    )
    expect(await movedOn(acting, payment)).toEqual(status === 'APPROVED' ? [-1_000] : [])
    if (isRepriced) expect(await movedOn(acting, action.transaction.id)).toEqual([])
  }
})

it.each(actionFaces)(
  '$name: an action whose week ends while its approval waits for the agent is not executed',
  async (face) => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { body: transfer } = await face.transferOut(acting.agent, transferOf(acting, 1_000))
    const answer = await delayed(
      sql`select from agents where platform_id = ${acting.platform.id}::uuid and id = ${uuidOf(acting.agentId)}::uuid for no key update`,
      () => face.approve(acting.owner, acting.agentId, transfer.id),
      () =>
        db.$executeRaw`update agent_actions set approval_expires_at = now() where id = ${uuidOf(transfer.id)}::uuid`,
    )
    expect(codeOf(answer)).toBe('409 CONFLICT')
    expect(await balancesOf(acting)).toEqual([1_000_000, 1_000_000])
  },
)
