// A page of agent actions takes the same number of SQL statements for 5 rows as for 100. So does a page of payments with their actions.
import { beforeAll, expect, it } from 'vitest'
import {
  type Acting,
  createActing,
  createColleague,
  quoteOf,
  transferOf,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { type ActionFace, actionFaces } from '#test/setup/agents/action-faces.ts'
import { type Authorization, callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

const SIZES = [5, 50, 100]

/** The agent, the action, the account and the recipient. */
const QUEUE = `query ($first: Int!) {
  agentApprovals(first: $first) {
    totalCount
    nodes {
      id type status createdAt
      agent { name }
      customer { name }
      quote {
        totalSendingAmount
        source { ... on AccountSource { account { __typename } } }
        destination { ... on AccountDestination { account { __typename } } }
      }
      transferDetails { amount sourceAccount { id } destinationAccount { id } }
      transaction { id status }
    }
  }
}`

const PAYMENTS = `query ($first: Int!) {
  transactions(first: $first) {
    nodes { id ... on PaymentTransaction { agentAction { actingAgentId transaction { id } agent { name } } } }
  }
}`

interface Payment {
  readonly agentAction: object | null
}

const [face] = actionFaces as [ActionFace]

let platform: Platform
let owner: Acting['owner']
let last: Acting

beforeAll(async () => {
  platform = await createPlatform()
  // Rows share nothing with each other, so that no cache can hide a statement.
  for (let index = 0; index < 100; index += 1) {
    const acting = await createActing({ platform, defaultExecutionMode: 'APPROVAL_REQUIRED' })
    owner = acting.owner
    last = acting
    const { agent } = acting
    const { status } =
      index % 2 === 0
        ? await face.transferOut(agent, transferOf(acting, 100))
        : await face.execute(agent, (await face.createQuote(agent, quoteOf(acting, 100))).body.id)
    expect(status).toBeLessThan(300)
  }
}, 180_000)

it.each([
  // Token, page, count; agents, customers, quotes, payments, and two types of accounts behind quotes and transfers.
  [
    'GraphQL',
    async (first: number) => {
      const { body } = await callGraphQL(owner, QUEUE, { first })
      expect([body.errors, body.data.agentApprovals.nodes.length]).toEqual([undefined, first])
    },
  ],
  // The page and its token; actions; agents and payments.
  [
    'GraphQL, from the payments',
    async (first: number) => {
      const { body } = await callGraphQL(owner, PAYMENTS, { first })
      expect([body.errors, body.data.transactions.nodes.length]).toEqual([undefined, first])
      expect(body.data.transactions.nodes.filter(({ agentAction }: Payment) => agentAction).length).toBe(first)
    },
  ],
  [
    'REST',
    async (first: number) => {
      const { body } = await callRest(owner, 'GET', `/agents/approvals?limit=${first}`)
      expect(body.data).toHaveLength(first)
    },
  ],
] as const)('over %s', async (name, ask) => {
  const runs: string[][] = []
  for (const first of SIZES) runs.push(await statementsOf(() => ask(first)))
  const counts = runs.map((statements) => statements.length)
  console.log(`over ${name}: ${counts.join(', ')} statements for ${SIZES.join(', ')} rows`)
  expect(new Set(counts).size).toBe(1)
  for (const statements of runs) expect(statements.toSorted()).toEqual(runs[0]?.toSorted())
  for (const text of runs.flat().filter((text) => !text.includes('from api_tokens'))) {
    expect(text).toMatch(/platform_id = \$\d+::uuid/)
  }
})

it('a payment names the action of its agent to the platform and to that agent, and no other payment has one', async () => {
  const { platformCustomerId } = last
  const colleague = await createColleague(last)
  await face.createQuote(colleague.agent, quoteOf(last, 100))
  await createTransactions(platform, [
    incoming({ customerId: uuidOf(last.customerId), platformCustomerId, createdAt: new Date() }),
  ])
  const actionsFor = async (who: Authorization) => {
    const { body } = await callGraphQL(who, PAYMENTS, { first: 100 })
    expect(body.errors).toBeUndefined()
    const { nodes } = body.data.transactions
    const found = nodes.filter(({ agentAction }: Payment) => agentAction !== null)
    for (const { id, agentAction } of found) expect(agentAction.transaction.id).toBe(id)
    return [nodes.length, found.length, found[0]?.agentAction.actingAgentId]
  }
  expect(await actionsFor(owner)).toEqual([100, 98, last.agentId])
  expect(await actionsFor(last.agent)).toEqual([3, 1, last.agentId])
  expect(await actionsFor(colleague.agent)).toEqual([3, 0, undefined])
})
