// An agent from its creation to the money it moved, step by step, over GraphQL and REST.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { type JobRunner, runJobs } from '#database/jobs/jobs.ts'
import { tasks } from '#tasks.ts'
import {
  type Acting,
  balancesOf,
  createActing,
  eventually,
  pullOf,
  quoteOf,
  statesOf,
  transferOf,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { agentFaces, bearer, callGraphQL } from '#test/setup/agents/agent-faces.ts'

let jobs: JobRunner
beforeAll(async () => {
  jobs = await runJobs(tasks)
})
afterAll(() => jobs.stop())

const finished = (acting: Acting, transactionId: string, states: string) =>
  eventually(
    () => statesOf(acting, transactionId),
    (found) => found === states,
  )

/** The transaction's ledger entries: the sum in each currency, and the change of the account's balance. */
const movedBy = async ({ platform, accountId }: Acting, transactionId: string) => {
  const entries = await db.ledgerEntry.findMany({
    where: { platformId: platform.id, movement: { transactionId: uuidOf(transactionId) } },
  })
  const sum = (of: typeof entries) => of.reduce((total, { amount }) => total + Number(amount), 0)
  return {
    entries: entries.length,
    all: sum(entries),
    account: sum(entries.filter((entry) => entry.accountId === uuidOf(accountId))),
  }
}

describe.each(actionFaces)('over $name', (face) => {
  const management = agentFaces.find(({ name }) => name === face.name)
  if (!management) throw new Error('No such face')

  it('an agent is created and connects, pays at once within its policy, and above it after the platform approves', async () => {
    const acting = await createActing()
    const { platform, owner, customerId, platformCustomerId, accountId, eurosId } = acting

    // The platform creates an agent that may pay up to 100.00 by itself, and up to 500.00 with approval.
    const policy = {
      permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
      defaultExecutionMode: 'AUTO',
      spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 100_000 },
      approvalThresholds: { currency: 'USD', amount: 10_000 },
    }
    const made = await management.create(platform, { name: 'Buyer', customerId, policy })
    expect(made.status).toBe(201)
    const agentId = made.body.agent.id

    // The agent's software redeems the code.
    const address = `2001:db8::${randomBytes(2).toString('hex')}`
    const connected = await management.redeem(made.body.deviceCode.code, address)
    expect(connected.body).toMatchObject({ agentId, agentName: 'Buyer' })
    const agent = bearer(connected.body.accessToken)

    // Within the policy: executed at once.
    const small = await face.createQuote(agent, quoteOf(acting, 10_000))
    expect(small).toMatchObject({ status: 201, body: { status: 'PENDING', totalSendingAmount: 10_000 } })
    const paid = await face.execute(agent, small.body.id)
    expect(paid).toMatchObject({
      status: 200,
      body: {
        agentId,
        customerId,
        platformCustomerId,
        type: 'EXECUTE_QUOTE',
        status: 'APPROVED',
        quote: { id: small.body.id, status: 'PROCESSING', transactionId: small.body.transactionId },
        transaction: { id: small.body.transactionId, status: 'PROCESSING', agentId },
      },
    })
    expect(await balancesOf(acting)).toEqual([990_000, 990_000])
    expect(await finished(acting, small.body.transactionId, 'COMPLETED COMPLETED APPROVED')).toBe(
      'COMPLETED COMPLETED APPROVED',
    )

    // Above the threshold: it waits, and no money moves.
    const large = await face.createQuote(agent, quoteOf(acting, 10_001))
    const waiting = await face.execute(agent, large.body.id)
    expect(waiting).toMatchObject({
      status: 200,
      body: { status: 'PENDING_APPROVAL', quote: { status: 'PENDING' }, transaction: { status: 'PENDING' } },
    })
    expect(await balancesOf(acting)).toEqual([990_000, 990_000])
    expect((await movedBy(acting, large.body.transactionId)).entries).toBe(0)
    expect((await management.read(platform, agentId)).body.usage).toMatchObject({
      dailyTransactionCount: 1,
      dailySpend: 10_000,
      monthlySpend: 10_000,
    })

    // The platform reads the action with everything around it in one query.
    const listed = await face.approvals(owner)
    expect(listed.body).toMatchObject({ totalCount: 1, data: [{ id: waiting.body.id, quote: { id: large.body.id } }] })
    const { body } = await callGraphQL(owner, QUEUE)
    expect(body).toEqual({
      data: {
        agentApprovals: {
          totalCount: 1,
          nodes: [
            {
              id: waiting.body.id,
              status: 'PENDING_APPROVAL',
              agent: { id: agentId, name: 'Buyer', policy: { defaultExecutionMode: 'AUTO' } },
              customer: { id: customerId, platformCustomerId, internalAccounts: { nodes: [{ id: accountId }] } },
              quote: {
                totalSendingAmount: 10_001,
                source: { account: { id: accountId, balance: { amount: 990_000 } } },
                destination: { account: { id: eurosId, currency: { code: 'EUR' } } },
              },
              transaction: { id: large.body.transactionId, status: 'PENDING' },
            },
          ],
        },
      },
    })

    // The platform approves, and the payment is executed.
    const approved = await face.approve(owner, agentId, waiting.body.id)
    expect(approved).toMatchObject({
      status: 200,
      body: {
        id: waiting.body.id,
        status: 'APPROVED',
        quote: { status: 'PROCESSING' },
        transaction: { status: 'PROCESSING' },
      },
    })
    expect((await face.approvals(owner)).body).toMatchObject({ totalCount: 0, data: [] })
    expect(await finished(acting, large.body.transactionId, 'COMPLETED COMPLETED APPROVED')).toBe(
      'COMPLETED COMPLETED APPROVED',
    )
    expect(await face.readAction(agent, waiting.body.id)).toMatchObject({
      status: 200,
      body: { status: 'APPROVED', transaction: { status: 'COMPLETED' } },
    })
    expect(await balancesOf(acting)).toEqual([979_999, 979_999])
    expect(await movedBy(acting, large.body.transactionId)).toMatchObject({ all: 0, account: -10_001 })
    expect((await management.read(platform, agentId)).body.usage).toMatchObject({
      dailyTransactionCount: 2,
      dailySpend: 20_001,
    })
  })

  it('transfers out and in execute by themselves, and a waiting one once its transaction is approved', async () => {
    const acting = await createActing({ approvalThresholdCurrency: 'USD', approvalThresholdAmount: 5_000n })
    const { agent, agentId, owner, accountId, dollarsId } = acting
    const out = await face.transferOut(agent, transferOf(acting, 4_000))
    expect(out).toMatchObject({
      status: 201,
      body: {
        type: 'TRANSFER_OUT',
        status: 'APPROVED',
        transferDetails: {
          amount: 4_000,
          currency: 'USD',
          sourceAccountId: accountId,
          destinationAccountId: dollarsId,
        },
        transaction: { type: 'OUTGOING', agentId },
      },
    })
    expect(out.body.quote).toBeUndefined()
    expect((await balancesOf(acting))[0]).toBe(996_000)
    expect(await finished(acting, out.body.transaction.id, 'COMPLETED - APPROVED')).toBe('COMPLETED - APPROVED')
    expect(await balancesOf(acting)).toEqual([996_000, 996_000])

    const pulled = await face.transferIn(agent, pullOf(acting, 1_000))
    expect(pulled).toMatchObject({
      status: 201,
      body: { type: 'TRANSFER_IN', status: 'APPROVED', transaction: { type: 'INCOMING' } },
    })
    expect(await finished(acting, pulled.body.transaction.id, 'COMPLETED - APPROVED')).toBe('COMPLETED - APPROVED')
    expect(await balancesOf(acting)).toEqual([997_000, 997_000])
    expect(await movedBy(acting, pulled.body.transaction.id)).toMatchObject({ all: 0, account: 1_000 })

    for (const [waiting, change] of [
      [await face.transferOut(agent, transferOf(acting, 6_000)), -6_000],
      [await face.transferIn(agent, pullOf(acting, 7_000)), 7_000],
    ] as const) {
      const before = await balancesOf(acting)
      expect(waiting).toMatchObject({
        status: 201,
        body: { status: 'PENDING_APPROVAL', transaction: { status: 'PENDING' } },
      })
      const { id } = waiting.body.transaction
      expect(await face.approveTransaction(owner, id)).toMatchObject({
        status: 200,
        body: { id, status: 'PROCESSING' },
      })
      expect(await finished(acting, id, 'COMPLETED - APPROVED')).toBe('COMPLETED - APPROVED')
      expect(await balancesOf(acting)).toEqual(before.map((amount) => amount + change))
    }
  })

  it('a rejected action moves no money, and the agent can read the reason', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { agent, agentId, owner } = acting
    const quote = await face.createQuote(agent, quoteOf(acting, 1_000))
    const first = (await face.execute(agent, quote.body.id)).body
    expect(await face.reject(owner, agentId, first.id, { reason: 'Too expensive' })).toMatchObject({
      status: 200,
      body: {
        status: 'REJECTED',
        rejectionReason: 'Too expensive',
        quote: { status: 'FAILED' },
        transaction: { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' },
      },
    })
    const second = (await face.transferOut(agent, transferOf(acting, 1_000))).body
    expect(await face.rejectTransaction(owner, second.transaction.id, {})).toMatchObject({
      status: 200,
      body: { id: second.transaction.id, status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' },
    })
    expect(await face.readAction(agent, first.id)).toMatchObject({ body: { rejectionReason: 'Too expensive' } })
    expect((await face.readAction(agent, second.id)).body).not.toHaveProperty('rejectionReason')
    expect(await balancesOf(acting)).toEqual([1_000_000, 1_000_000])
    expect(await db.ledgerHold.count({ where: { transactionId: uuidOf(second.transaction.id) } })).toBe(0)
  })

  it('deleting an agent rejects its waiting actions', async () => {
    const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { platform, agent, agentId, owner } = acting
    const quote = await face.createQuote(agent, quoteOf(acting, 1_000))
    const actions = [
      (await face.execute(agent, quote.body.id)).body,
      (await face.transferIn(agent, pullOf(acting, 1_000))).body,
    ]
    expect((await management.remove(platform, agentId)).status).toBe(204)
    expect((await face.approvals(owner)).body.totalCount).toBe(0)
    for (const { id, transaction } of actions) {
      const { status, rejectionReason } = await db.agentAction.findFirstOrThrow({ where: { id: uuidOf(id) } })
      expect([status, rejectionReason]).toEqual(['REJECTED', 'agent deleted'])
      expect(await statesOf(acting, transaction.id)).toMatch(/^FAILED (FAILED|-) REJECTED$/)
      expect(await face.approve(owner, agentId, id)).toMatchObject({
        status: 404,
        body: { code: 'REFERENCE_NOT_FOUND' },
      })
    }
    expect(await balancesOf(acting)).toEqual([1_000_000, 1_000_000])
  })
})

const QUEUE = `{
  agentApprovals {
    totalCount
    nodes {
      id status
      agent { id name policy { defaultExecutionMode } }
      customer { id platformCustomerId internalAccounts { nodes { id } } }
      quote {
        totalSendingAmount
        source { ... on AccountSource { account { ... on InternalAccount { id balance { amount } } } } }
        destination { ... on AccountDestination { account { ... on ExternalAccount { id currency { code } } } } }
      }
      transaction { id status }
    }
  }
}`
