// An agent's policy: docs/domain/agents.md#evaluation-order, step by step, over GraphQL and REST.
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import {
  type Acting,
  balancesOf,
  changeAgent,
  createActing,
  createColleague,
  outliveQuote,
  pullOf,
  quoteOf,
  transferOf,
  unknown,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { type ActionFace, actionFaces } from '#test/setup/agents/action-faces.ts'
import { type Answer, type Authorization, bearer } from '#test/setup/agents/agent-faces.ts'
import { newKey, stamp } from '#test/setup/credentials/wallet.ts'
import { createAuthMethod, createInternalAccount } from '#test/setup/world.ts'

const ALL = ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'CREATE_TRANSFERS'] as const

const codeOf = ({ status, body }: Answer) => [status, body.code, body.details?.reason].filter(Boolean).join(' ')
const actionsOf = ({ agentId }: Acting) => db.agentAction.count({ where: { agentId: uuidOf(agentId) } })

/** Every operation of an agent, for the given amount. */
const ACTS = {
  execute: async (face: ActionFace, acting: Acting, who: Authorization, amount: number) => {
    const { permissions } = await db.agent.findFirstOrThrow({ where: { id: uuidOf(acting.agentId) } })
    await changeAgent(acting, { permissions: [...ALL] })
    const quote = await face.createQuote(acting.agent, quoteOf(acting, amount))
    await changeAgent(acting, { permissions })
    return face.execute(who, quote.body.id)
  },
  'transfer out': (face: ActionFace, acting: Acting, who: Authorization, amount: number) =>
    face.transferOut(who, transferOf(acting, amount)),
  'transfer in': (face: ActionFace, acting: Acting, who: Authorization, amount: number) =>
    face.transferIn(who, pullOf(acting, amount)),
}
const acts = Object.entries(ACTS).map(([name, act]) => ({ name, act }))
const stranger = () => bearer(`sat_${randomBytes(20).toString('hex')}`)

describe.each(actionFaces)('over $name', (face) => {
  it('an execution with several problems reports the first in evaluation order', async () => {
    const acting = await createActing()
    const { agent } = acting
    const make = async () => (await face.createQuote(agent, quoteOf(acting, 5_000))).body.id as string
    const [expired, fresh] = [await make(), await make()]
    await outliveQuote(acting, expired)
    await changeAgent(acting, { isPaused: true, permissions: [], allowedAccountIds: [], perTransactionLimit: 1n })

    expect(codeOf(await face.execute(stranger(), unknown('Quote')))).toBe('401 UNAUTHORIZED')
    const paused = await face.execute(agent, unknown('Quote'))
    expect([codeOf(paused), paused.body.message]).toEqual(['403 FORBIDDEN AGENT_PAUSED', 'The agent is paused'])
    await changeAgent(acting, { isPaused: false })
    const unable = await face.execute(agent, unknown('Quote'))
    expect([codeOf(unable), unable.body.message]).toEqual([
      '403 FORBIDDEN',
      "The agent's policy lacks the permission EXECUTE_QUOTES",
    ])
    await changeAgent(acting, { permissions: [...ALL] })
    expect(codeOf(await face.execute(agent, unknown('Quote')))).toBe('404 QUOTE_NOT_FOUND')
    const outside = await face.execute(agent, expired)
    expect([codeOf(outside), outside.body.message]).toEqual([
      '403 FORBIDDEN',
      "The agent's policy does not allow this account",
    ])
    await changeAgent(acting, { allowedAccountIds: [uuidOf(acting.accountId)] })
    expect(codeOf(await face.execute(agent, expired))).toBe('409 CONFLICT QUOTE_EXPIRED')
    expect(codeOf(await face.execute(agent, fresh))).toBe('403 VELOCITY_LIMIT_EXCEEDED')
    expect([await actionsOf(acting), await balancesOf(acting)]).toEqual([0, [1_000_000, 1_000_000]])
    await changeAgent(acting, { perTransactionLimit: 5_000n })
    expect(await face.execute(agent, fresh)).toMatchObject({ status: 200, body: { status: 'APPROVED' } })
  })

  it.each([
    ['transfer out', 'transferOut', transferOf],
    ['transfer in', 'transferIn', pullOf],
  ] as const)('a %s with several problems also reports the first', async (_name, verb, inputOf) => {
    const acting = await createActing({
      isPaused: true,
      permissions: [],
      allowedAccountIds: [],
      perTransactionLimit: 1n,
    })
    const { agent } = acting
    const good = inputOf(acting, 5_000)
    const malformed = { ...good, amount: 0 }
    expect(codeOf(await face[verb](stranger(), malformed))).toBe('401 UNAUTHORIZED')
    expect((await face[verb](agent, malformed)).body.message).toBe('The agent is paused')
    await changeAgent(acting, { isPaused: false })
    expect((await face[verb](agent, malformed)).body.message).toBe(
      "The agent's policy lacks the permission CREATE_TRANSFERS",
    )
    await changeAgent(acting, { permissions: ['CREATE_TRANSFERS', 'VIEW_TRANSACTIONS'] })
    expect(codeOf(await face[verb](agent, malformed))).toBe('400 INVALID_INPUT')
    const other = verb === 'transferOut' ? 'ExternalAccount' : 'InternalAccount'
    const elsewhere = { ...good, destination: { accountId: unknown(other) } }
    expect(codeOf(await face[verb](agent, elsewhere))).toBe('404 REFERENCE_NOT_FOUND')
    expect((await face[verb](agent, good)).body.message).toBe("The agent's policy does not allow this account")
    await changeAgent(acting, { allowedAccountIds: [uuidOf(acting.accountId)] })
    expect(codeOf(await face[verb](agent, good))).toBe('403 VELOCITY_LIMIT_EXCEEDED')
    expect([
      await actionsOf(acting),
      await db.transaction.count({ where: { platformId: acting.platform.id } }),
    ]).toEqual([0, 0])
    await changeAgent(acting, { perTransactionLimit: 5_000n })
    expect(await face[verb](agent, good)).toMatchObject({ status: 201, body: { status: 'APPROVED' } })
  })

  it('4: ids of another customer, of another agent and unknown ids get the same 404', async () => {
    const [acting, other] = [await createActing(), await createActing()]
    const neighbour = await createActing({ platform: acting.platform })
    const colleague = await createColleague(acting)
    const quotes = [
      await face.createQuote(other.agent, quoteOf(other, 100)),
      await face.createQuote(neighbour.agent, quoteOf(neighbour, 100)),
      await face.createQuote(colleague.agent, quoteOf(acting, 100)),
    ]
    for (const id of [...quotes.map(({ body }) => body.id), unknown('Quote')]) {
      expect(codeOf(await face.execute(acting.agent, id))).toBe('404 QUOTE_NOT_FOUND')
    }
    for (const { accountId, dollarsId, eurosId } of [other, neighbour]) {
      const answers = [
        await face.createQuote(acting.agent, { ...quoteOf(acting, 100), source: { accountId } }),
        await face.createQuote(acting.agent, { ...quoteOf(acting, 100), destination: { accountId: eurosId } }),
        await face.createQuote(acting.agent, { ...quoteOf(acting, 100), destination: { accountId } }),
        await face.transferOut(acting.agent, { ...transferOf(acting, 100), source: { accountId } }),
        await face.transferOut(acting.agent, { ...transferOf(acting, 100), destination: { accountId: dollarsId } }),
        await face.transferIn(acting.agent, { ...pullOf(acting, 100), source: { accountId: dollarsId } }),
        await face.transferIn(acting.agent, { ...pullOf(acting, 100), destination: { accountId } }),
      ]
      expect(answers.map(codeOf)).toEqual(Array(answers.length).fill('404 REFERENCE_NOT_FOUND'))
    }
  })

  it('5: both internal accounts of an exchange must be allowed', async () => {
    const acting = await createActing()
    const second = await createInternalAccount(acting.platform, {
      customerId: uuidOf(acting.customerId),
      currency: 'EUR',
    })
    const input = { ...quoteOf(acting, 100), destination: { accountId: publicId('InternalAccount', second.id) } }
    const quote = await face.createQuote(acting.agent, input)
    expect(quote.status).toBe(201)
    for (const allowed of [[second.id], [uuidOf(acting.accountId)]]) {
      await changeAgent(acting, { allowedAccountIds: allowed })
      expect(codeOf(await face.execute(acting.agent, quote.body.id))).toBe('403 FORBIDDEN')
    }
    await changeAgent(acting, { allowedAccountIds: [second.id, uuidOf(acting.accountId)] })
    expect(await face.execute(acting.agent, quote.body.id)).toMatchObject({ body: { status: 'APPROVED' } })
  })

  it('6: a quote is executed once, and not while it waits for approval', async () => {
    const acting = await createActing()
    const [one, two] = [
      await face.createQuote(acting.agent, quoteOf(acting, 100)),
      await face.createQuote(acting.agent, quoteOf(acting, 100)),
    ]
    expect((await face.execute(acting.agent, one.body.id)).body.status).toBe('APPROVED')
    expect(codeOf(await face.execute(acting.agent, one.body.id))).toBe('409 CONFLICT QUOTE_ALREADY_EXECUTED')
    await changeAgent(acting, { defaultExecutionMode: 'APPROVAL_REQUIRED' })
    expect((await face.execute(acting.agent, two.body.id)).body.status).toBe('PENDING_APPROVAL')
    expect(codeOf(await face.execute(acting.agent, two.body.id))).toBe('409 CONFLICT QUOTE_UNDER_APPROVAL')
    const waiting = await db.agentAction.findFirstOrThrow({ where: { quoteId: uuidOf(two.body.id) } })
    // The database rejects a second one too.
    await expect(db.agentAction.create({ data: { ...waiting, id: randomUUID() } })).rejects.toThrow('Unique constraint')
  })

  it("6: a payment from a wallet needs the stamp of its owner's session", async () => {
    const acting = await createActing({ perTransactionLimit: 1_000_000_000n })
    const { platform, customerId, agent } = acting
    const wallet = await createInternalAccount(platform, {
      customerId: uuidOf(customerId),
      type: 'EMBEDDED_WALLET',
      currency: 'USDB',
      balance: 5_000_000n,
    })
    const key = newKey()
    const { id: authMethodId } = await createAuthMethod(platform, { accountId: wallet.id, nickname: 'me@mail.example' })
    await db.walletSession.create({
      data: {
        platformId: platform.id,
        id: randomUUID(),
        accountId: wallet.id,
        authMethodId,
        publicKey: new Uint8Array(Buffer.from(key.publicKey, 'hex')),
        expiresAt: new Date(Date.now() + 900_000),
      },
    })
    const quote = await face.createQuote(agent, {
      ...quoteOf(acting, 1_000_000),
      source: { accountId: publicId('InternalAccount', wallet.id) },
      destination: { accountId: acting.dollarsId },
    })
    const { paymentInstructions } = await db.quote.findFirstOrThrow({ where: { id: uuidOf(quote.body.id) } })
    const [instruction] = paymentInstructions as { accountOrWalletInfo: { payloadToSign: string } }[]
    const payload = instruction?.accountOrWalletInfo.payloadToSign ?? ''
    expect(codeOf(await face.execute(agent, quote.body.id))).toBe('401 WALLET_SIGNATURE_MISSING')
    expect((await face.execute(agent, quote.body.id, 'x')).body.code).toBe('WALLET_SIGNATURE_MALFORMED')
    for (const [wrong, reason] of [
      [await stamp(newKey(), payload), 'SIGNER_NOT_ALLOWED'],
      [await stamp(key, `${payload} `), 'SIGNATURE_MISMATCH'],
    ] as const) {
      expect(codeOf(await face.execute(agent, quote.body.id, wrong))).toBe(`401 WALLET_SIGNATURE_INVALID ${reason}`)
    }
    expect(await actionsOf(acting)).toBe(0)
    const signed = await face.execute(agent, quote.body.id, await stamp(key, payload))
    expect(signed).toMatchObject({ status: 200, body: { status: 'APPROVED' } })
  })

  describe.each(acts)('$name', ({ act }) => {
    /** Checks the outcome for this amount, and that a refusal creates nothing. */
    const outcomeOf = async (acting: Acting, amount: number) => {
      const before = await actionsOf(acting)
      const answer = await act(face, acting, acting.agent, amount)
      expect((await actionsOf(acting)) - before).toBe(answer.status < 300 ? 1 : 0)
      return answer.body.status < 300 || answer.status < 300 ? answer.body.status : codeOf(answer)
    }
    const EXCEEDED = '403 VELOCITY_LIMIT_EXCEEDED'

    it('7: an amount equal to the limit per transaction is allowed, a higher one is not', async () => {
      const acting = await createActing({ perTransactionLimit: 5_000n })
      expect(await outcomeOf(acting, 5_001)).toBe(EXCEEDED)
      expect(await outcomeOf(acting, 5_000)).toBe('APPROVED')
    })

    it("7: an account rule replaces the policy's limit, higher or lower; null inherits it", async () => {
      const acting = await createActing({ perTransactionLimit: 5_000n })
      const rule = (perTransactionLimit: number | null) =>
        changeAgent(acting, { accountRules: [{ accountId: uuidOf(acting.accountId), perTransactionLimit }] })
      await rule(6_000)
      expect([await outcomeOf(acting, 6_001), await outcomeOf(acting, 6_000)]).toEqual([EXCEEDED, 'APPROVED'])
      await rule(4_000)
      expect([await outcomeOf(acting, 4_001), await outcomeOf(acting, 4_000)]).toEqual([EXCEEDED, 'APPROVED'])
      await rule(0)
      expect(await outcomeOf(acting, 100)).toBe(EXCEEDED)
      await rule(null)
      expect([await outcomeOf(acting, 5_001), await outcomeOf(acting, 5_000)]).toEqual([EXCEEDED, 'APPROVED'])
    })

    it('7: the daily number of transactions is limited', async () => {
      const acting = await createActing({ dailyTransactionLimit: 2 })
      expect([await outcomeOf(acting, 100), await outcomeOf(acting, 100), await outcomeOf(acting, 100)]).toEqual([
        'APPROVED',
        'APPROVED',
        EXCEEDED,
      ])
    })

    it('7: the daily and monthly totals are limited; null means no limit', async () => {
      const acting = await createActing({ dailyLimit: 3_000n })
      expect([await outcomeOf(acting, 2_000), await outcomeOf(acting, 1_001), await outcomeOf(acting, 1_000)]).toEqual([
        'APPROVED',
        EXCEEDED,
        'APPROVED',
      ])
      await changeAgent(acting, { dailyLimit: null, monthlyLimit: 3_500n })
      expect([await outcomeOf(acting, 501), await outcomeOf(acting, 500)]).toEqual([EXCEEDED, 'APPROVED'])
      await changeAgent(acting, { monthlyLimit: null })
      expect(await outcomeOf(acting, 50_000)).toBe('APPROVED')
    })

    it('7: limits in another currency use the current rate, rounded up', async () => {
      // 100.00 USD at 1.08695652 are 92.00000033 EUR.
      const acting = await createActing({ limitCurrency: 'EUR', perTransactionLimit: 9_200n })
      expect([await outcomeOf(acting, 10_000), await outcomeOf(acting, 9_999)]).toEqual([
        rounded(10_000) > 9_200n ? EXCEEDED : 'APPROVED',
        'APPROVED',
      ])
    })

    it('8: an amount equal to the threshold is allowed; above it a person must approve in every mode', async () => {
      const acting = await createActing({ approvalThresholdCurrency: 'USD', approvalThresholdAmount: 5_000n })
      expect([await outcomeOf(acting, 5_000), await outcomeOf(acting, 5_001)]).toEqual(['APPROVED', 'PENDING_APPROVAL'])
      await changeAgent(acting, { accountRules: [{ accountId: uuidOf(acting.accountId), executionMode: 'AUTO' }] })
      expect(await outcomeOf(acting, 5_001)).toBe('PENDING_APPROVAL')
      await changeAgent(acting, { approvalThresholdAmount: null })
      expect(await outcomeOf(acting, 5_001)).toBe('APPROVED')
      await changeAgent(acting, { approvalThresholdCurrency: 'VND', approvalThresholdAmount: 254_000n })
      expect([await outcomeOf(acting, 1_000), await outcomeOf(acting, 1_001)]).toEqual(['APPROVED', 'PENDING_APPROVAL'])
    })

    it("8: the account rule's mode takes precedence over the default", async () => {
      const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
      const rule = (executionMode: string | null) =>
        changeAgent(acting, { accountRules: [{ accountId: uuidOf(acting.accountId), executionMode }] })
      expect(await outcomeOf(acting, 100)).toBe('PENDING_APPROVAL')
      await rule('AUTO')
      expect(await outcomeOf(acting, 100)).toBe('APPROVED')
      await rule(null)
      expect(await outcomeOf(acting, 100)).toBe('PENDING_APPROVAL')
      await changeAgent(acting, { defaultExecutionMode: 'AUTO' })
      expect(await outcomeOf(acting, 100)).toBe('APPROVED')
      await rule('APPROVAL_REQUIRED')
      expect(await outcomeOf(acting, 100)).toBe('PENDING_APPROVAL')
    })

    it('9: an insufficient balance is 400, and no action is created', async () => {
      const acting = await createActing({ balance: 100n })
      const isPull = act === ACTS['transfer in']
      expect(await outcomeOf(acting, 101)).toBe(isPull ? 'APPROVED' : '400 INVALID_AMOUNT INSUFFICIENT_BALANCE')
      expect(await outcomeOf(acting, 100)).toBe('APPROVED')
    })

    it('9: an amount that the policy refuses gets the same answer whether or not the balance covers it', async () => {
      const acting = await createActing({ balance: 100n, allowedAccountIds: [] })
      expect([await outcomeOf(acting, 100), await outcomeOf(acting, 101)]).toEqual(['403 FORBIDDEN', '403 FORBIDDEN'])
      await changeAgent(acting, { allowedAccountIds: [uuidOf(acting.accountId)], perTransactionLimit: 1n })
      expect([await outcomeOf(acting, 100), await outcomeOf(acting, 101)]).toEqual([EXCEEDED, EXCEEDED])
    })
  })
})

/** The exchange rate of 1.08695652 US dollars to the euro. */
const rounded = (cents: bigint | number) => (BigInt(cents) * 100_000_000n + 108_695_651n) / 108_695_652n
