// The platform decides on agents' actions: every row of the decision table (docs/domain/agents.md#decisions), over GraphQL and REST.
import { describe, expect, it } from 'vitest'
import type { ApiPermission } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { expireQuote } from '#quotes/expire.ts'
import {
  type Acting,
  balancesOf,
  changeAgent,
  createActing,
  createColleague,
  outliveQuote,
  pullOf,
  quoteOf,
  statesOf,
  transferOf,
  unknown,
  usageOf,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { type ActionFace, actionFaces } from '#test/setup/agents/action-faces.ts'
import { type Answer, callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { paymentFaces } from '#test/setup/payments/payment-faces.ts'
import { createInternalAccount, createToken, createTransactions, incoming, outgoing } from '#test/setup/world.ts'

const codeOf = ({ status, body }: Answer) => `${status} ${body.code}`

/** A waiting action of each type. */
const WAITING = {
  EXECUTE_QUOTE: async (face: ActionFace, acting: Acting) => {
    const quote = await face.createQuote(acting.agent, quoteOf(acting, 1_000))
    return face.execute(acting.agent, quote.body.id)
  },
  TRANSFER_OUT: (face: ActionFace, acting: Acting) => face.transferOut(acting.agent, transferOf(acting, 1_000)),
  TRANSFER_IN: (face: ActionFace, acting: Acting) => face.transferIn(acting.agent, pullOf(acting, 1_000)),
}
const types = Object.entries(WAITING).map(([type, wait]) => ({ type, wait }))

const setAccount = (acting: Acting, status: 'ACTIVE' | 'FROZEN' | 'PENDING' | 'CLOSED') =>
  db.internalAccount.updateMany({ where: { id: uuidOf(acting.accountId) }, data: { status } })
const setOutside = (acting: Acting, status: 'ACTIVE' | 'UNDER_REVIEW' | 'INACTIVE') =>
  db.externalAccount.updateMany({
    where: { id: { in: [uuidOf(acting.dollarsId), uuidOf(acting.eurosId)] } },
    data: { status },
  })
const setCustomer = (acting: Acting, verificationStatus: 'APPROVED' | 'HOLD' | 'REJECTED') =>
  db.customer.updateMany({ where: { id: uuidOf(acting.customerId) }, data: { verificationStatus } })

type Change = (acting: Acting) => Promise<unknown>

/** Conditions that no longer hold when the platform approves and will not hold again by themselves. Each makes the action `FAILED`. */
const CHANGES: Readonly<Record<string, readonly [code: string, change: Change]>> = {
  'its permission is gone': ['AGENT_POLICY', (acting) => changeAgent(acting, { permissions: ['VIEW_TRANSACTIONS'] })],
  'the account is not allowed any more': ['AGENT_POLICY', (acting) => changeAgent(acting, { allowedAccountIds: [] })],
  'the limit per transaction is lower': [
    'VELOCITY_LIMIT_EXCEEDED',
    (acting) => changeAgent(acting, { perTransactionLimit: 999n }),
  ],
  'the rule of the account is lower': [
    'VELOCITY_LIMIT_EXCEEDED',
    (acting) =>
      changeAgent(acting, { accountRules: [{ accountId: uuidOf(acting.accountId), perTransactionLimit: 999 }] }),
  ],
  'the number of the day is used up': [
    'VELOCITY_LIMIT_EXCEEDED',
    (acting) => changeAgent(acting, { dailyTransactionLimit: 0 }),
  ],
  'the daily limit is lower': ['VELOCITY_LIMIT_EXCEEDED', (acting) => changeAgent(acting, { dailyLimit: 999n })],
  'the daily limit is used up': [
    'VELOCITY_LIMIT_EXCEEDED',
    (acting) => changeAgent(acting, { dailyLimit: 10_000n, dailySpend: 9_001n }),
  ],
  'the monthly limit is lower': ['VELOCITY_LIMIT_EXCEEDED', (acting) => changeAgent(acting, { monthlyLimit: 999n })],
  'the account is closed': ['USER_NOT_READY', (acting) => setAccount(acting, 'CLOSED')],
  'the account outside is inactive': ['USER_NOT_READY', (acting) => setOutside(acting, 'INACTIVE')],
  'the customer is rejected': ['USER_NOT_READY', (acting) => setCustomer(acting, 'REJECTED')],
}

/** Temporary obstacles, and how each of them ends. */
const OBSTACLES: Readonly<Record<string, readonly [reason: string, begin: Change, end: Change]>> = {
  'the agent is paused': [
    'AGENT_PAUSED',
    (acting) => changeAgent(acting, { isPaused: true }),
    (acting) => changeAgent(acting, { isPaused: false }),
  ],
  'the account is frozen': [
    'ACCOUNT_FROZEN',
    (acting) => setAccount(acting, 'FROZEN'),
    (acting) => setAccount(acting, 'ACTIVE'),
  ],
  'the account outside is under review': [
    'ACCOUNT_PENDING',
    (acting) => setOutside(acting, 'UNDER_REVIEW'),
    (acting) => setOutside(acting, 'ACTIVE'),
  ],
  'the customer is on hold': [
    'CUSTOMER_UNDER_REVIEW',
    (acting) => setCustomer(acting, 'HOLD'),
    (acting) => setCustomer(acting, 'APPROVED'),
  ],
}

/** The whole available balance is spent elsewhere. */
const spendAll = async (face: ActionFace, acting: Acting) => {
  const other = await createColleague(acting, { perTransactionLimit: 9_000_000n })
  const [balance = 0] = await balancesOf(acting)
  expect((await face.transferOut(other.agent, transferOf(acting, balance))).status).toBe(201)
}

describe.each(actionFaces)('over $name', (face) => {
  describe.each(types)('$type', ({ type, wait }) => {
    const start = async () => {
      const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
      const { body } = await wait(face, acting)
      expect(body).toMatchObject({ type, status: 'PENDING_APPROVAL', transaction: { status: 'PENDING' } })
      return { acting, action: body, transactionId: body.transaction.id as string }
    }

    it('approve: the action is APPROVED and the transaction PROCESSING', async () => {
      for (const byTransaction of [false, true]) {
        const { acting, action, transactionId } = await start()
        const { owner, agentId } = acting
        const answer = byTransaction
          ? await face.approveTransaction(owner, transactionId)
          : await face.approve(owner, agentId, action.id)
        expect(answer).toMatchObject(
          byTransaction
            ? { status: 200, body: { id: transactionId, status: 'PROCESSING' } }
            : { status: 200, body: { id: action.id, status: 'APPROVED', transaction: { status: 'PROCESSING' } } },
        )
        expect(await statesOf(acting, transactionId)).toBe(
          type === 'EXECUTE_QUOTE' ? 'PROCESSING PROCESSING APPROVED' : 'PROCESSING - APPROVED',
        )
        expect(await usageOf(acting)).toEqual([1, 1_000, 1_000])
        const left = type === 'TRANSFER_IN' ? 1_000_000 : 999_000
        expect(await balancesOf(acting)).toEqual([left, left])
      }
    })

    it.each(Object.entries(OBSTACLES))(
      'approve when %s: 409 with the reason, and the action waits until the obstacle is gone',
      async (_name, [reason, begin, end]) => {
        const { acting, action, transactionId } = await start()
        const { owner, agentId } = acting
        const before = await statesOf(acting, transactionId)
        await begin(acting)
        for (const answer of [
          await face.approve(owner, agentId, action.id),
          await face.approveTransaction(owner, transactionId),
        ]) {
          expect([answer.status, answer.body.code, answer.body.details]).toEqual([409, 'CONFLICT', { reason }])
        }
        expect(await statesOf(acting, transactionId)).toBe(before)
        expect((await face.approvals(owner)).body.data.map(({ id }: { id: string }) => id)).toEqual([action.id])
        await end(acting)
        expect((await face.approve(owner, agentId, action.id)).body.status).toBe('APPROVED')
      },
    )

    it.each(Object.entries(CHANGES))(
      'approve when %s: FAILED with the reason, and nothing moves',
      async (_name, [code, change]) => {
        const { acting, action, transactionId } = await start()
        const { owner, agentId } = acting
        await change(acting)
        const before = await usageOf(acting)
        const failed = { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' }
        const answer =
          type === 'TRANSFER_OUT'
            ? await face.approveTransaction(owner, transactionId)
            : await face.approve(owner, agentId, action.id)
        const failure = { code, message: expect.stringMatching(/^[A-Z].{10,}/) }
        expect(answer).toMatchObject({
          status: 200,
          body: type === 'TRANSFER_OUT' ? failed : { status: 'FAILED', failure, transaction: failed },
        })
        expect((await face.readAction(acting.agent, action.id)).body).toMatchObject({ status: 'FAILED', failure })
        expect(await statesOf(acting, transactionId)).toBe(
          type === 'EXECUTE_QUOTE' ? 'FAILED FAILED FAILED' : 'FAILED - FAILED',
        )
        expect([await usageOf(acting), await balancesOf(acting)]).toEqual([before, [1_000_000, 1_000_000]])
        expect(codeOf(await face.approve(owner, agentId, action.id))).toBe('409 CONFLICT')
      },
    )

    it('approve when the balance is short: 409, and the action keeps waiting; a transfer in needs no balance', async () => {
      const { acting, action, transactionId } = await start()
      await spendAll(face, acting)
      const before = await balancesOf(acting)
      const { status, body } = await face.approve(acting.owner, acting.agentId, action.id)
      if (type === 'TRANSFER_IN') expect([status, body.transaction.status]).toEqual([200, 'PROCESSING'])
      else expect([status, body.code, body.details]).toEqual([409, 'CONFLICT', { reason: 'INSUFFICIENT_BALANCE' }])
      expect(await statesOf(acting, transactionId)).toMatch(
        type === 'TRANSFER_IN' ? /APPROVED$/ : /^PENDING .*PENDING_APPROVAL$/,
      )
      expect(await balancesOf(acting)).toEqual(before)
    })

    it('reject: the action is REJECTED with the reason, the transaction and quote are FAILED', async () => {
      for (const byTransaction of [false, true]) {
        const { acting, action, transactionId } = await start()
        const { owner, agentId } = acting
        const answer = byTransaction
          ? await face.rejectTransaction(owner, transactionId, { reason: 'No' })
          : await face.reject(owner, agentId, action.id, { reason: 'No' })
        expect(answer).toMatchObject(
          byTransaction
            ? { status: 200, body: { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' } }
            : { status: 200, body: { status: 'REJECTED', rejectionReason: 'No', transaction: { status: 'FAILED' } } },
        )
        expect(await face.readAction(acting.agent, action.id)).toMatchObject({ body: { rejectionReason: 'No' } })
        expect(await statesOf(acting, transactionId)).toBe(
          type === 'EXECUTE_QUOTE' ? 'FAILED FAILED REJECTED' : 'FAILED - REJECTED',
        )
        expect(await balancesOf(acting)).toEqual([1_000_000, 1_000_000])
      }
    })

    it('a second decision of either kind: 409, over each API', async () => {
      for (const first of ['approve', 'reject'] as const) {
        const { acting, action, transactionId } = await start()
        const { owner, agentId } = acting
        expect((await face[first](owner, agentId, action.id)).status).toBe(200)
        const states = await statesOf(acting, transactionId)
        for (const verb of ['approve', 'reject'] as const) {
          expect(codeOf(await face[verb](owner, agentId, action.id))).toBe('409 CONFLICT')
          expect(codeOf(await face[`${verb}Transaction`](owner, transactionId))).toBe(
            '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
          )
        }
        expect(await statesOf(acting, transactionId)).toBe(states)
      }
    })
  })

  it.each(['approve', 'reject'] as const)(
    'the platform cannot execute a quote that waits for approval, only %s it',
    async (verb) => {
      const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
      const { platform, owner, agentId } = acting
      const { body: action } = await WAITING.EXECUTE_QUOTE(face, acting)
      for (const { executeQuote } of paymentFaces) {
        const { status, body } = await executeQuote(platform, action.quote.id)
        expect([status, body.code, body.details]).toEqual([409, 'CONFLICT', { reason: 'QUOTE_UNDER_APPROVAL' }])
      }
      expect(await statesOf(acting, action.transaction.id)).toBe('PENDING PENDING PENDING_APPROVAL')
      expect((await face[verb](owner, agentId, action.id)).status).toBe(200)
      expect(await statesOf(acting, action.transaction.id)).toBe(
        verb === 'approve' ? 'PROCESSING PROCESSING APPROVED' : 'FAILED FAILED REJECTED',
      )
    },
  )

  it("the platform can execute an agent's quote that is not waiting for approval", async () => {
    const acting = await createActing()
    const { body: quote } = await face.createQuote(acting.agent, quoteOf(acting, 1_000))
    expect(await paymentFaces[0]?.executeQuote(acting.platform, quote.id)).toMatchObject({ status: 200 })
    expect((await face.execute(acting.agent, quote.id)).body.details).toMatchObject({
      reason: 'QUOTE_ALREADY_EXECUTED',
    })
    expect(await usageOf(acting)).toEqual([0, 0, 0])
  })

  it('reject when the quote has expired: REJECTED, and the quote and its payment stay EXPIRED', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { body: action } = await WAITING.EXECUTE_QUOTE(face, acting)
    await outliveQuote(acting, action.quote.id)
    await expireQuote.run({ platformId: acting.platform.id, quoteId: uuidOf(action.quote.id) })
    expect(await face.reject(acting.owner, acting.agentId, action.id)).toMatchObject({
      status: 200,
      body: { status: 'REJECTED', transaction: { status: 'EXPIRED' } },
    })
  })

  it('either, with an unknown agent or action or an action of another agent: 404', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const [colleague, stranger] = [await createColleague(acting), await createActing()]
    const { body: action } = await WAITING.TRANSFER_OUT(face, acting)
    const { owner, agentId } = acting
    for (const verb of ['approve', 'reject'] as const) {
      for (const [who, agent, id] of [
        [owner, unknown('Agent'), action.id],
        [owner, agentId, unknown('AgentAction')],
        [owner, colleague.agentId, action.id],
        [owner, 'x', action.id],
        [owner, agentId, 'x'],
        [owner, agentId, agentId],
        [stranger.owner, agentId, action.id],
      ] as const) {
        expect(codeOf(await face[verb](who, agent, id))).toBe('404 REFERENCE_NOT_FOUND')
      }
      for (const [who, id] of [
        [owner, unknown('Transaction')],
        [owner, 'x'],
        [owner, action.id],
        [stranger.owner, action.transaction.id],
      ] as const) {
        expect(codeOf(await face[`${verb}Transaction`](who, id))).toBe('404 TRANSACTION_NOT_FOUND')
      }
    }
    expect(await statesOf(acting, action.transaction.id)).toBe('PENDING - PENDING_APPROVAL')
  })

  it('either, when the agent is deleted: 404, and by the transaction no longer pending', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { platform, owner, agentId } = acting
    const { body: action } = await WAITING.TRANSFER_OUT(face, acting)
    expect((await callRest(basic(platform), 'DELETE', `/agents/${agentId}`)).status).toBe(204)
    for (const verb of ['approve', 'reject'] as const) {
      expect(codeOf(await face[verb](owner, agentId, action.id))).toBe('404 REFERENCE_NOT_FOUND')
      expect(codeOf(await face[`${verb}Transaction`](owner, action.transaction.id))).toBe(
        '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
      )
    }
  })

  it('a transaction that no agent made is not waiting for a decision', async () => {
    const { platform, owner } = await createActing()
    const rows = await createTransactions(platform, [outgoing({ status: 'PENDING' }), incoming()])
    for (const { id = '' } of rows) {
      for (const verb of ['approveTransaction', 'rejectTransaction'] as const) {
        expect(codeOf(await face[verb](owner, publicId('Transaction', id)))).toBe(
          '409 TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
        )
      }
    }
  })

  it('TRANSACT is required and sufficient to decide; an agent cannot approve its own action', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { platform, agentId } = acting
    const tokenOf = async (permissions: ApiPermission[]) => {
      const credentials = { clientId: `c${permissions.join('')}${acting.agentId.slice(-12)}`, secret: 'secret' }
      await createToken(platform.id, credentials, permissions)
      return basic(credentials)
    }
    const { body: action } = await WAITING.EXECUTE_QUOTE(face, acting)
    const without = await tokenOf(['VIEW', 'MANAGE'])
    for (const verb of ['approve', 'reject'] as const) {
      expect(codeOf(await face[verb](without, agentId, action.id))).toBe('403 FORBIDDEN')
      expect(codeOf(await face[`${verb}Transaction`](without, action.transaction.id))).toBe('403 FORBIDDEN')
      const asAgent = face.name === 'REST' ? '401 UNAUTHORIZED' : '403 FORBIDDEN'
      expect(codeOf(await face[verb](acting.agent, agentId, action.id))).toBe(asAgent)
      expect(codeOf(await face[`${verb}Transaction`](acting.agent, action.transaction.id))).toBe(asAgent)
    }
    expect(await statesOf(acting, action.transaction.id)).toBe('PENDING PENDING PENDING_APPROVAL')
    const only = await tokenOf(['TRANSACT'])
    const { platformCustomerId } = action
    const path = `/agents/${agentId}/actions/${action.id}/approve`
    const input = { agentId, actionId: action.id }
    const { body } =
      face.name === 'REST' ? await callRest(only, 'POST', path) : await callGraphQL(only, APPROVE, { input })
    const approved = { status: 'APPROVED', platformCustomerId, transaction: { status: 'PROCESSING' } }
    if (face.name === 'REST') expect(body).toMatchObject({ ...approved, quote: { status: 'PROCESSING' } })
    else expect(body).toMatchObject({ data: { approveAgentAction: { agentAction: { id: action.id, ...approved } } } })
  })

  it('a reason that is not a string of 1 to 1000 characters is 400, and nothing is decided', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { body: action } = await WAITING.TRANSFER_OUT(face, acting)
    for (const reason of ['', 'x'.repeat(1001), 'a\0b']) {
      expect(codeOf(await face.reject(acting.owner, acting.agentId, action.id, { reason }))).toBe('400 INVALID_INPUT')
      expect(codeOf(await face.rejectTransaction(acting.owner, action.transaction.id, { reason }))).toBe(
        '400 INVALID_INPUT',
      )
    }
    const reason = 'x'.repeat(1000)
    const { body } = await face.reject(acting.owner, acting.agentId, action.id, { reason })
    expect(body).toMatchObject({ status: 'REJECTED', rejectionReason: reason })
  })

  it('an exchange between two accounts arrives once approved, and not if the receiving account is frozen', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { platform, customerId, owner, agentId } = acting
    const euros = await createInternalAccount(platform, { customerId: uuidOf(customerId), currency: 'EUR' })
    const destination = { accountId: publicId('InternalAccount', euros.id) }
    const ask = async () => {
      const quote = await face.createQuote(acting.agent, { ...quoteOf(acting, 1_000), destination })
      return (await face.execute(acting.agent, quote.body.id)).body
    }
    const [one, two] = [await ask(), await ask()]
    expect((await face.approve(owner, agentId, one.id)).body.status).toBe('APPROVED')
    await db.internalAccount.updateMany({ where: { id: euros.id }, data: { status: 'FROZEN' } })
    expect((await face.approve(owner, agentId, two.id)).body.details).toEqual({ reason: 'ACCOUNT_FROZEN' })
    expect(await balancesOf(acting)).toEqual([999_000, 999_000])
  })
})

const APPROVE = `mutation ($input: ApproveAgentActionInput!) {
  approveAgentAction(input: $input) {
    ... on AgentActionSuccess { agentAction { id status platformCustomerId transaction { ... on PaymentTransaction { status } } } }
  }
}`
