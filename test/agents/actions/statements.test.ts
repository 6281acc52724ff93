// A page of the approval queue costs a fixed number of SQL statements, whatever the number of rows.
import { beforeAll, expect, it } from 'vitest'
import { type Acting, createActing, quoteOf, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

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

let platform: Platform
let owner: Acting['owner']

beforeAll(async () => {
  platform = await createPlatform()
  const [face] = actionFaces
  if (!face) throw new Error('No face')
  // Rows share nothing with each other, so that no cache can hide a statement.
  for (let index = 0; index < 100; index += 1) {
    const acting = await createActing({ platform, defaultExecutionMode: 'APPROVAL_REQUIRED' })
    owner = acting.owner
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
  console.log(`approvals over ${name}: ${counts.join(', ')} statements for ${SIZES.join(', ')} rows`)
  expect(new Set(counts).size).toBe(1)
  for (const statements of runs) expect(statements.toSorted()).toEqual(runs[0]?.toSorted())
  for (const text of runs.flat().filter((text) => !text.includes('from api_tokens'))) {
    expect(text).toMatch(/platform_id = \$\d+::uuid/)
  }
})
