// Agents over REST: they reach only `/agents/me` and their customer's data below it, and authenticate with their access token.
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { authenticate } from '#authenticate.ts'
import { operations } from '#contract.ts'
import { type Kind, parseId, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { createRestApp } from '#rest/app.ts'
import contract from '#rest/openapi.json' with { type: 'json' }
import { routes } from '#routes.ts'
import { createActing, transferOf, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import {
  type Authorization,
  bearer,
  bytesOf,
  callGraphQL,
  callRest,
  createConnectedAgent,
} from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { type AmongOthers, createAmongOthers, HIDDEN } from '#test/setup/places/among-others.ts'
import { type Names, NODES, unknownId } from '#test/setup/places/mirrored-platforms.ts'
import { formOf, pdf } from '#test/setup/verification/uploads.ts'
import { createCustomer, createQuote, createTransactions, outgoing, type Platform } from '#test/setup/world.ts'

let platform: Platform
let own: Names
let foreign: Names
let agent: Authorization
let leaksIn: AmongOthers['leaksIn']

beforeAll(async () => {
  ;({ platform, own, foreign, agent, leaksIn } = await createAmongOthers())
})

describe('an agent over REST', () => {
  const mounted = createRestApp(routes, authenticate)
    .routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/2025-10-13'))
    .map(({ method, path }) => ({ method, path: path.replace('/2025-10-13', '') }))
  const isOfAgents = (path: string) => path === '/agents/me' || path.startsWith('/agents/me/')
  const isPublic = (path: string) => /^\/uploads\/|\/(redeem|openapi\.json)$/.test(path)
  const filled = (path: string, id: string) => path.replaceAll(/:\w+/g, id)

  it('is accepted only below /agents/me, and nobody else is accepted there', async () => {
    let tried = 0
    for (const { method, path } of mounted.filter((route) => !isPublic(route.path))) {
      const isForm = path.endsWith('/csv') || path.startsWith('/documents')
      const form = ['POST', 'PUT'].includes(method) && isForm ? formOf(pdf(100), {}) : undefined
      const body = form ?? (['POST', 'PATCH'].includes(method) ? {} : undefined)
      for (const kind of NODES) {
        const refused = isOfAgents(path) ? basic(platform) : agent
        const { status, body: answer } = await callRest(refused, method, filled(path, own[kind][0] ?? ''), body)
        expect({ method, path, status, code: answer.code }).toEqual({ method, path, status: 401, code: 'UNAUTHORIZED' })
        tried += 1
        if (!path.includes(':')) break
      }
    }
    for (const path of [
      '/',
      '/nothing',
      '/agents/me/nothing',
      '/agents/mexico',
      '/agents/me/../',
      '/agents/%6De',
      '/AGENTS/me',
      '/agents//me',
    ]) {
      const { status } = await callRest(agent, 'GET', path)
      const accepted = path === '/agents/%6De' ? 200 : undefined
      // Paths of the platform's operations require a platform. All others are unknown.
      expect([401, 404, accepted], path).toContain(status)
    }
    for (const path of ['/agents/me', '/agents/me/', '/agents/me/nothing', '/agents/%6De']) {
      for (const authorization of [basic(platform), null]) {
        const { status } = await callRest(authorization, 'GET', path)
        expect(path.endsWith('me') || path.endsWith('De') ? [401] : [401, 404], path).toContain(status)
      }
    }
    console.log(`${mounted.length} routes, ${tried} calls with the wrong type of credentials, accepted 0`)
  })

  it('cannot find the data of others: a foreign id gets the same bytes as an unknown one', async () => {
    let tried = 0
    for (const { path } of mounted.filter((route) => route.method === 'GET' && isOfAgents(route.path))) {
      if (!path.includes(':')) {
        const { status, text } = await callRest(agent, 'GET', path)
        expect({ path, status, leaks: leaksIn(text) }).toEqual({ path, status: 200, leaks: [] })
        continue
      }
      for (const kind of NODES) {
        for (const id of foreign[kind].slice(0, 4)) {
          const [answer, toUnknown] = [
            await callRest(agent, 'GET', filled(path, id)),
            await callRest(agent, 'GET', filled(path, unknownId(kind)())),
          ]
          tried += 1
          expect({ path, id, status: answer.status, bytes: bytesOf(answer) }).toEqual({
            path,
            id,
            status: 404,
            bytes: bytesOf(toUnknown),
          })
        }
      }
    }
    console.log(`foreign ids tried below /agents/me ${tried}, distinguishable 0`)
  })

  it('reads itself, its actions, transactions and accounts', async () => {
    const get = async (path: string) => (await callRest(agent, 'GET', `/agents/me${path}`)).body
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id).toSorted()
    expect((await get('')).id).toBe(own.Agent[0])
    const payments = [...own.Transaction, ...own.CardTransaction].toSorted()
    for (const [path, expected] of [
      ['/actions', own.AgentAction],
      ['/actions?status=APPROVED', []],
      ['/actions?status=PENDING_APPROVAL', own.AgentAction],
      ['/transactions', payments],
      ['/transactions?type=INCOMING', own.Transaction.slice(1).toSorted()],
      ['/internal-accounts', own.InternalAccount],
      ['/internal-accounts?currency=USD&type=INTERNAL_FIAT', own.InternalAccount],
      ['/internal-accounts?currency=EUR', []],
      ['/external-accounts', own.ExternalAccount],
      ['/external-accounts?currency=EUR', []],
    ] as const) {
      const body = await get(path)
      expect({ path, ids: idsOf(body), totalCount: body.totalCount, hasMore: body.hasMore }).toEqual({
        path,
        ids: expected,
        totalCount: expected.length,
        hasMore: false,
      })
    }
    const [actionId = ''] = own.AgentAction
    expect(await get(`/actions/${actionId}`)).toMatchObject({
      id: actionId,
      agentId: own.Agent[0],
      customerId: own.Customer[0],
      type: 'TRANSFER_OUT',
      status: 'PENDING_APPROVAL',
    })
    for (const id of payments) expect((await get(`/transactions/${id}`)).id).toBe(id)
    expect((await get(`/external-accounts/${own.ExternalAccount[0]}`)).id).toBe(own.ExternalAccount[0])
    for (const path of [
      '/actions?status=x',
      '/internal-accounts?type=x',
      '/transactions?limit=0',
      `/transactions?customerId=${own.Customer[0]}`,
      '/transactions?platformCustomerId=x',
      '/external-accounts?cursor=x',
    ]) {
      expect((await get(path)).code, path).toBe('INVALID_INPUT')
    }
    expect((await callRest(agent, 'POST', '/agents/me', {})).status).toBe(405)
  })
})

describe('without VIEW_TRANSACTIONS', () => {
  it('transactions and accounts are 403, while the agent, its actions and quotes are readable', async () => {
    const customerId = uuidOf(own.Customer[0] ?? '')
    const { agent: blind, authorization } = await createConnectedAgent(platform, {
      customerId,
      permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'],
    })
    const quote = await createQuote(platform, { customerId, agentId: blind.id })
    const { platformCustomerId } = await db.customer.findFirstOrThrow({ where: { id: customerId } })
    await createTransactions(platform, [
      outgoing({ customerId, platformCustomerId, quoteId: quote.id, agentId: blind.id }),
    ])
    const open: readonly Kind[] = ['Customer', 'Quote', 'Agent', 'AgentAction', ...HIDDEN]
    for (const kind of NODES) {
      for (const id of [own[kind][0], foreign[kind][0], unknownId(kind)()]) {
        const { body } = await callGraphQL(authorization, 'query ($id: ID!) { node(id: $id) { id } }', { id })
        const code = body.errors?.[0].extensions.code
        expect({ id, code }).toEqual({ id, code: open.includes(kind) ? undefined : 'FORBIDDEN' })
      }
    }
    const mine = `{ node(id: "Quote:${quote.id}") { id ... on Quote { transactionId agent { id } } } viewer { agent { id customer { id } approvals { totalCount } } } agents { totalCount } }`
    const { data, errors } = (await callGraphQL(authorization, mine)).body
    expect(errors).toBeUndefined()
    expect(data.node.agent).toEqual({ id: publicId('Agent', blind.id) })
    expect(data.viewer.agent.id).toBe(data.node.agent.id)
    const known = '{ customers { nodes { id platformCustomerId name } } }'
    expect((await callGraphQL(authorization, known)).body.errors).toBeUndefined()
    const details = [
      'email',
      'phoneNumber',
      'umaAddress',
      'customerType',
      'verificationStatus',
      'createdAt',
      'updatedAt',
    ]
    const lists = [
      ...details.map((field) => `customers { nodes { ${field} } }`),
      'customers(filter: { search: "a" }) { nodes { id } }',
      'customers(filter: { umaAddress: "$a@b.example" }) { totalCount }',
      'transactions { totalCount }',
      'viewer { agent { transactions { totalCount } } }',
      'customers { nodes { internalAccounts { nodes { id } } } }',
      `authMethods(filter: { accountId: "${own.InternalAccount[0]}" }) { nodes { id } }`,
      'sessions { totalCount }',
    ]
    for (const list of lists) {
      expect((await callGraphQL(authorization, `{ ${list} }`)).body.errors?.[0].extensions.code, list).toBe('FORBIDDEN')
    }
    for (const path of [
      '/transactions',
      `/transactions/${own.Transaction[0]}`,
      '/transactions/x',
      '/internal-accounts',
      '/external-accounts',
      `/external-accounts/${own.ExternalAccount[0]}`,
    ]) {
      expect((await callRest(authorization, 'GET', `/agents/me${path}`)).body.code, path).toBe('FORBIDDEN')
    }
    for (const path of ['', '/actions'])
      expect((await callRest(authorization, 'GET', `/agents/me${path}`)).status, path).toBe(200)
  })

  it.each(actionFaces)('an action of its own shows its transaction over $name, and nothing behind it', async (face) => {
    const acting = await createActing({ permissions: ['CREATE_TRANSFERS'] })
    const { status, body: action } = await face.transferOut(acting.agent, transferOf(acting, 100))
    expect([status, action.transaction.agentId]).toEqual([201, acting.agentId])
    const { body: read } = await face.readAction(acting.agent, action.id)
    expect(read.transaction.id).toBe(action.transaction.id)
    const behind = ['timeline { to }', 'source { ... on AccountSource { account { id } } }', 'customer { email }']
    for (const field of behind) {
      const document = `query ($id: ID!) { node(id: $id) { ... on AgentAction { transaction { ... on PaymentTransaction { ${field} } } } } }`
      const { body } = await callGraphQL(acting.agent, document, { id: action.id })
      expect(body.errors?.[0].extensions.code, field).toBe('FORBIDDEN')
    }
  })
})

describe("an agent's access", () => {
  const STATUS = '{ viewer { subject } }'
  const statusesOf = async (who: Authorization) => [
    (await callGraphQL(who, STATUS)).status,
    (await callRest(who, 'GET', '/agents/me')).status,
  ]

  it('continues while the agent is paused, and ends at once when it is deleted', async () => {
    const customerId = (await createCustomer(platform)).id
    const { agent: one, authorization } = await createConnectedAgent(platform, { customerId })
    const id = publicId('Agent', one.id)
    expect(await statusesOf(authorization)).toEqual([200, 200])
    await callRest(basic(platform), 'PATCH', `/agents/${id}`, { isPaused: true })
    expect((await callRest(authorization, 'GET', '/agents/me')).body.isPaused).toBe(true)
    expect((await callRest(authorization, 'GET', '/agents/me/transactions')).status).toBe(200)
    expect((await callRest(basic(platform), 'DELETE', `/agents/${id}`)).status).toBe(204)
    expect(await statusesOf(authorization)).toEqual([401, 401])
    expect(parseId(id)?.kind).toBe('Agent')
  })

  it('requires the exact token', async () => {
    const token = String(agent).slice('Bearer '.length)
    for (const scheme of ['Bearer', 'bearer', 'BEARER  '])
      expect(await statusesOf(`${scheme} ${token}`)).toEqual([200, 200])
    const wrong = [
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
      token.slice(4),
      `sat_${randomBytes(20).toString('hex')}`,
      '',
      ' ',
      `${token}, ${token}`,
      `sat_${'0'.repeat(100_000)}`,
    ]
    for (const text of wrong) expect(await statusesOf(bearer(text)), text.slice(0, 60)).toEqual([401, 401])
    expect(await statusesOf(`Basic ${Buffer.from(`${token}:`).toString('base64')}`)).toEqual([401, 401])
    expect(await statusesOf(`Basic ${token}`)).toEqual([401, 401])
  })
})

it('the contract secures the calls by agents, and no others, with the scheme that the specification names', () => {
  expect(contract.components.securitySchemes.AgentAuth).toMatchObject({ type: 'http', scheme: 'bearer' })
  for (const [path, methods] of Object.entries(operations)) {
    const schemes = Object.values(methods).flatMap(({ security = contract.security }) => security)
    const isOfAgents = path === '/agents/me' || path.startsWith('/agents/me/')
    expect(schemes.some((scheme) => 'AgentAuth' in scheme)).toBe(isOfAgents)
  }
})
