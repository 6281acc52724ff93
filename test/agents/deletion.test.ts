// Deleting an agent rejects all of its waiting actions, however many there are.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { createActing, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { agentFaces, callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { rowsReadBy, sentBy } from '#test/setup/sent-statements.ts'
import { createAgent, createAgentActions, createTransactions, outgoing } from '#test/setup/world.ts'

/** The number of each kind. It is far beyond the number of statements that the deletion may take. */
const WAITING = 250

/** Inserts payments of quotes and transfers directly, each with the action that waits for it. */
const createWaiting = async ({ platform, ...acting }: Awaited<ReturnType<typeof createActing>>) => {
  const [agentId, customerId, internalAccountId, externalAccountId] = [
    acting.agentId,
    acting.customerId,
    acting.accountId,
    acting.dollarsId,
  ].map(uuidOf) as [string, string, string, string]
  const quotes = Array.from({ length: WAITING }, () => randomUUID())
  await db.quote.createMany({
    data: quotes.map((id) => ({
      platformId: platform.id,
      id,
      customerId,
      agentId,
      status: 'PENDING',
      sourceType: 'ACCOUNT',
      sourceInternalAccountId: internalAccountId,
      destinationType: 'ACCOUNT',
      destinationExternalAccountId: externalAccountId,
      sendingCurrency: 'USD',
      receivingCurrency: 'USD',
      totalSendingAmount: 100n,
      totalReceivingAmount: 100n,
      exchangeRate: '1',
      feesIncluded: 0n,
      expiresAt: new Date('2099-01-01T00:00:00Z'),
    })),
  })
  const payment = outgoing({
    status: 'PENDING',
    customerId,
    platformCustomerId: acting.platformCustomerId,
    agentId,
    sourceType: 'ACCOUNT',
    sourceInternalAccountId: internalAccountId,
  })
  const transfers = await createTransactions(platform, Array<typeof payment>(WAITING).fill(payment))
  const payments = await createTransactions(
    platform,
    quotes.map((quoteId) => ({ ...payment, quoteId })),
  )
  await createAgentActions(platform, [
    ...transfers.map(({ id }) => ({ agentId, customerId, transactionId: id, internalAccountId, externalAccountId })),
    ...payments.map(({ id, quoteId = null }) => ({
      ...{ agentId, customerId, transactionId: id, quoteId },
      ...{ type: 'EXECUTE_QUOTE' as const, amount: null, currency: null },
    })),
  ])
}

it.each(agentFaces)('over $name hundreds of waiting actions fail, and access ends at once', async (face) => {
  const acting = await createActing()
  const { platform, agent, agentId } = acting
  await createWaiting(acting)
  const sent = vi.spyOn(pg.Client.prototype, 'query')
  expect((await face.remove(platform, agentId)).status).toBe(204)
  // One statement for each action would take longer than a database transaction may.
  expect(sent.mock.calls.flatMap(([query]) => sentBy(query)).length).toBeLessThan(20)
  sent.mockRestore()
  expect((await callRest(agent, 'GET', '/agents/me')).status).toBe(401)

  const where = { platformId: platform.id, agentId: uuidOf(agentId) }
  const all = { _count: { _all: true as const }, where }
  expect(await db.agentAction.groupBy({ by: ['status', 'rejectionReason'], ...all })).toEqual([
    { status: 'REJECTED', rejectionReason: 'agent deleted', _count: { _all: 2 * WAITING } },
  ])
  expect(await db.transaction.groupBy({ by: ['status', 'failureReason'], ...all })).toEqual([
    { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED', _count: { _all: 2 * WAITING } },
  ])
  expect(await db.quote.groupBy({ by: ['status'], ...all })).toEqual([{ status: 'FAILED', _count: { _all: WAITING } }])
  const steps = await db.transactionStateChange.groupBy({
    by: ['sequence', 'fromStatus', 'toStatus', 'reason'],
    _count: { _all: true },
    where: { platformId: platform.id },
    orderBy: { sequence: 'asc' },
  })
  expect(steps).toEqual([
    {
      ...{ sequence: 2, fromStatus: 'PENDING', toStatus: 'FAILED', reason: 'QUOTE_EXECUTION_FAILED' },
      _count: { _all: 2 * WAITING },
    },
  ])
})

it("lists of a customer's agents skip deleted ones without reading them", async () => {
  const { platform, owner, customerId, agentId } = await createActing()
  for (let index = 0; index < 20; index += 1) {
    await createAgent(platform, { customerId: uuidOf(customerId), deletedAt: new Date() })
  }
  const { rows, result } = await rowsReadBy(
    () => callGraphQL(owner, '{ customers(first: 1) { nodes { agents { nodes { id } } } } }'),
    'from agents t',
  )
  expect(result.body.data.customers.nodes).toEqual([{ agents: { nodes: [{ id: agentId }] } }])
  expect(rows).toBe(1)
})
