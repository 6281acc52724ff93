// Agents over GraphQL: an agent reaches its customer's data and nothing else of its platform. The queries are generated from
// the schema.
import { beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { type Authorization, bytesOf, callGraphQL, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { type AmongOthers, createAmongOthers, HIDDEN, REFUSED } from '#test/setup/places/among-others.ts'
import { type Name, type Names, NODES, UNKNOWN } from '#test/setup/places/mirrored-platforms.ts'
import {
  everythingOf,
  leavesOf,
  mutations,
  type Question,
  queries,
  questionOf,
  typeOf,
} from '#test/setup/places/schema-queries.ts'
import { useHugeQueries } from '#test/setup/settings.ts'
import type { Platform } from '#test/setup/world.ts'

useHugeQueries()

const IS_FULL = process.env['CRAWL'] === 'full'

/** In CI each place that takes an id gets this number of kinds: the next place gets the next kinds. */
const KINDS_OF_A_PLACE = 2

/** Thousands of calls, on a machine that may be busy. */
const LONG = { timeout: 180_000 }

/** The operations of agents, which other tests cover. */
const FOR_AGENTS: readonly string[] = [
  'redeemAgentDeviceCode',
  'createQuote',
  'agentExecuteQuote',
  'agentTransferOut',
  'agentTransferIn',
]

let platform: Platform
let own: Names
let foreign: Names
let agent: Authorization
let leaksIn: AmongOthers['leaksIn']

beforeAll(async () => {
  ;({ platform, own, foreign, agent, leaksIn } = await createAmongOthers())
})

const idKindsFor = (index: number): readonly Name[] => {
  const kinds: readonly Name[] = [...NODES, 'PlatformConfig']
  const inTurn = kinds.map((_, at) => kinds[(index * KINDS_OF_A_PLACE + at) % kinds.length] as Name)
  return inTurn.slice(0, IS_FULL ? Infinity : KINDS_OF_A_PLACE)
}

const place = (id: string) => ({ platformId_id: { platformId: platform.id, id: uuidOf(id) } })
const ask = (who: Authorization, { query, variables }: Question) => callGraphQL(who, query, variables)

describe('an agent over GraphQL', () => {
  const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }'

  it('sees the nodes of its customer, and its own, but is refused credentials and sessions', async () => {
    for (const kind of NODES) {
      const [id = ''] = own[kind]
      const { body } = await callGraphQL(agent, NODE, { id })
      if (REFUSED.includes(kind)) {
        expect({ kind, code: body.errors?.[0].extensions.code }).toEqual({ kind, code: 'FORBIDDEN' })
        continue
      }
      const seen = HIDDEN.includes(kind) ? null : { __typename: expect.any(String), id }
      expect({ kind, body }).toEqual({ kind, body: { data: { node: seen } } })
    }
  })

  it('is refused exactly the root fields whose descriptions say so', async () => {
    const fields = await Promise.all(
      queries().map(async (field) => {
        const { body } = await ask(agent, questionOf('query', field, '{ __typename }'))
        const isRefused = body.errors?.[0]?.extensions.code === 'FORBIDDEN'
        return { name: field.name, isRefused, isDocumented: /`FORBIDDEN` for an agent/.test(field.description ?? '') }
      }),
    )
    expect(fields.filter(({ isRefused, isDocumented }) => isRefused !== isDocumented)).toEqual([])
    expect(fields.filter(({ isRefused }) => isRefused).length).toBeGreaterThan(15)
  })

  it('finds no data of others from any root field, at any depth', async () => {
    let objects = 0
    const texts: string[] = []
    for (const field of queries()) {
      const paths = leavesOf(field).filter(({ path, type }) => type === 'ID' && path.length === 1)
      const questions = paths.length === 0 ? [questionOf('query', field, everythingOf(typeOf(field), 4))] : []
      for (const { path } of paths) {
        for (const kind of NODES) {
          questions.push(...own[kind].map((id) => questionOf('query', field, everythingOf(typeOf(field), 1), path, id)))
        }
      }
      for (const question of questions) {
        const { text } = await ask(agent, question)
        objects += [...text.matchAll(/"__typename"/g)].length
        texts.push(text)
        expect({ query: question.query.slice(0, 80), leaks: leaksIn(text) }).toEqual({
          query: question.query.slice(0, 80),
          leaks: [],
        })
      }
    }
    console.log(`${queries().length} root fields, ${texts.length} documents, ${objects} objects, foreign 0`)
    expect(objects).toBeGreaterThan(500)
    expect(texts.some((text) => text.includes(uuidOf(own.CardTransaction[0] ?? '')))).toBe(true)
    // The platform finds them with the same queries.
    const [transactions] = queries().filter(({ name }) => name === 'transactions')
    if (!transactions) throw new Error('No transactions')
    const { text } = await ask(
      basic(platform),
      questionOf('query', transactions, everythingOf(typeOf(transactions), 3)),
    )
    expect(leaksIn(text).length).toBeGreaterThan(50)
  })

  it('gets the same bytes for a foreign id, name or reference as for an unknown one', LONG, async () => {
    let tried = 0
    let places = 0
    for (const field of queries()) {
      const selection = everythingOf(typeOf(field), 2)
      for (const { path, type } of leavesOf(field)) {
        const names: readonly Name[] =
          type === 'ID'
            ? idKindsFor(places++)
            : ['platformCustomerId', 'umaAddress', 'reference', 'InternalAccount', 'ExternalAccount']
        for (const name of names) {
          const toUnknown = await ask(agent, questionOf('query', field, selection, path, UNKNOWN[name]()))
          for (const value of foreign[name].slice(0, IS_FULL ? 4 : 1)) {
            const answer = await ask(agent, questionOf('query', field, selection, path, value))
            tried += 1
            const where = `${field.name} ${path.join('.')} ${value}`
            expect({ where, leaks: leaksIn(answer.text, value), bytes: bytesOf(answer) }).toEqual({
              where,
              leaks: [],
              bytes: bytesOf(toUnknown),
            })
          }
        }
      }
    }
    console.log(`foreign names tried as an agent ${tried}, leaked 0, distinguishable 0`)
    expect(tried).toBeGreaterThan(4 * places)
  })

  it('counts and lists only its own transactions, before and after the counters are folded', async () => {
    const query = `{
      transactions { totalCount nodes { ... on TransactionNode { id } } }
      months: transactions(filter: { startDate: "2025-01-01T00:00:00Z", endDate: "2027-01-01T00:00:00Z" }) { totalCount }
      customers { totalCount nodes { id } }
      agents { totalCount nodes { id } }
      agentApprovals { totalCount nodes { id } }
      viewer { agent { customer { transactions { totalCount } agentApprovals { totalCount } agents { nodes { id } } } transactions { totalCount } } }
    }`
    for (let round = 0; round < 2; round += 1) {
      const { data } = (await callGraphQL(agent, query)).body
      const payments = [...own.Transaction, ...own.CardTransaction].toSorted()
      expect(data.transactions.nodes.map(({ id }: { id: string }) => id).toSorted()).toEqual(payments)
      expect(data).toMatchObject({
        transactions: { totalCount: payments.length },
        months: { totalCount: payments.length },
        customers: { totalCount: 1, nodes: [{ id: own.Customer[0] }] },
        agents: { totalCount: 1, nodes: [{ id: own.Agent[0] }] },
        agentApprovals: { totalCount: 1, nodes: [{ id: own.AgentAction[0] }] },
        viewer: {
          agent: {
            customer: {
              transactions: { totalCount: payments.length },
              agentApprovals: { totalCount: 1 },
              agents: { nodes: [{ id: own.Agent[0] }] },
            },
            transactions: { totalCount: 3 },
          },
        },
      })
      await db.$queryRaw`select fold_transaction_counts()`
    }
  })

  it('is refused every mutation except those for agents, and nothing changes', async () => {
    const state =
      () => db.$queryRaw`select (select count(*) from agents) as agents, (select count(*) from auth_methods) as credentials,
      (select max(updated_at) from agents) as changed, (select count(*) from signed_requests) as requests, (select count(*) from quotes) as quotes`
    const before = await state()
    const refused = mutations().filter(({ name }) => !FOR_AGENTS.includes(name))
    for (const field of refused) {
      const ofInput = leavesOf(field).filter(({ type }) => type === 'ID')
      const questions = [null, ...ofInput].flatMap((leaf) =>
        leaf === null
          ? [questionOf('mutation', field, '{ __typename ... on ApiError { code } }')]
          : NODES.map((kind) =>
              questionOf('mutation', field, '{ __typename ... on ApiError { code } }', leaf.path, own[kind][0]),
            ),
      )
      for (const question of questions) {
        const { body } = await ask(agent, question)
        const code = body.errors?.[0].extensions.code ?? body.data.answer.code
        expect({ name: field.name, code, body }).toEqual({ name: field.name, code: 'FORBIDDEN', body })
      }
    }
    console.log(`${refused.length} mutations refused to an agent`)
    expect(await state()).toEqual(before)
  })

  it('cannot use a cursor of its platform or of another agent', async () => {
    const query = 'query ($after: String) { transactions(first: 1, after: $after) { pageInfo { endCursor } } }'
    const cursorOf = async (who: Authorization) =>
      (await callGraphQL(who, query)).body.data.transactions.pageInfo.endCursor
    const customerId = uuidOf(own.Customer[0] ?? '')
    const colleague = await createConnectedAgent(platform, { customerId })
    const callers = { agent, colleague: colleague.authorization, platform: basic(platform) }
    for (const [owner, who] of Object.entries(callers)) {
      const after = await cursorOf(who)
      for (const [name, other] of Object.entries(callers)) {
        const { body } = await callGraphQL(other, query, { after })
        expect({ owner, name, code: body.errors?.[0].extensions.code }).toEqual({
          owner,
          name,
          code: owner === name ? undefined : 'INVALID_INPUT',
        })
      }
    }
    await db.agent.delete({ where: place(publicId('Agent', colleague.agent.id)) })
  })
})
