// Agents as callers over both APIs, and the operations that manage them. Answers have the shape of REST in either case.
import { createHash, randomBytes } from 'node:crypto'
import { app } from '#app.ts'
import { db } from '#database/db.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { createAgent, type Platform } from '#test/setup/world.ts'

/** The `Authorization` header, or null for none. */
export type Authorization = string | null

export const bearer = (token: string): Authorization => `Bearer ${token}`

/** A connected agent, and its credentials. */
export const createConnectedAgent = async (
  platform: Platform,
  given: Partial<Prisma.AgentUncheckedCreateInput> & { customerId: string },
) => {
  const agent = await createAgent(platform, { ...given, isConnected: true })
  return { agent, authorization: await connect(platform, agent.id) }
}

/** Gives the agent a token. */
export const connect = async (platform: Platform, id: string): Promise<Authorization> => {
  const token = `sat_${randomBytes(20).toString('hex')}`
  const accessTokenHash = new Uint8Array(createHash('sha256').update(token).digest())
  // A trigger does this too, unless the tables are distributed.
  await db.$executeRaw`
    insert into directory (kind, key, platform_id, id)
    values ('AGENT', ${accessTokenHash}, ${platform.id}::uuid, ${id}::uuid) on conflict do nothing`
  await db.agent.update({
    where: { platformId_id: { platformId: platform.id, id } },
    data: { accessTokenHash, isConnected: true },
  })
  return bearer(token)
}

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Json
}

const send = async (request: Request, address: string | null): Promise<Reply> => {
  const response = await app.fetch(request, address)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
}

export const callRest = (
  authorization: Authorization,
  method: string,
  path: string,
  body?: unknown,
  address: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  send(
    new Request(`http://test/2025-10-13${path}`, {
      method,
      headers: {
        ...headers,
        ...(authorization && { authorization }),
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    }),
    address,
  )

export const callGraphQL = (
  authorization: Authorization,
  query: string,
  variables: object = {},
  address: string | null = null,
): Promise<Reply> =>
  send(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify({ query, variables }),
    }),
    address,
  )

/** Status, headers and text, without the parts that differ for every request. */
export const bytesOf = ({ status, headers, text }: Reply): string => {
  const lines = [...headers].map(([name, value]) => `${name}: ${name === 'x-request-id' ? '' : value}`)
  return [status, ...lines, text.replaceAll(/"traceId":"[^"]+"/g, '"traceId":""')].join('\n')
}

export interface Answer {
  readonly status: number
  readonly body: Json
  readonly retryAfter: string | null
}

export interface AgentFace {
  readonly name: 'GraphQL' | 'REST'
  create(caller: Credentials, input: object): Promise<Answer>
  read(caller: Credentials, id: string): Promise<Answer>
  list(caller: Credentials, filter?: object): Promise<Answer>
  update(caller: Credentials, id: string, changes: object): Promise<Answer>
  updatePolicy(caller: Credentials, id: string, changes: object): Promise<Answer>
  remove(caller: Credentials, id: string): Promise<Answer>
  issueCode(caller: Credentials, id: string): Promise<Answer>
  statusOfCode(caller: Credentials, code: string): Promise<Answer>
  redeem(code: string, address?: string | null): Promise<Answer>
}

const at = encodeURIComponent

const overRest = async (
  authorization: Authorization,
  method: string,
  path: string,
  body?: unknown,
  address: string | null = null,
): Promise<Answer> => {
  const reply = await callRest(authorization, method, path, body, address)
  return { status: reply.status, body: reply.body, retryAfter: reply.headers.get('retry-after') }
}

const rest: AgentFace = {
  name: 'REST',
  create: (caller, input) => overRest(basic(caller), 'POST', '/agents', input),
  read: (caller, id) => overRest(basic(caller), 'GET', `/agents/${at(id)}`),
  list: (caller, filter = {}) =>
    overRest(
      basic(caller),
      'GET',
      `/agents?${new URLSearchParams(Object.entries(filter).map(([k, v]) => [k, `${v}`]))}`,
    ),
  update: (caller, id, changes) => overRest(basic(caller), 'PATCH', `/agents/${at(id)}`, changes),
  updatePolicy: (caller, id, changes) => overRest(basic(caller), 'PATCH', `/agents/${at(id)}/policy`, changes),
  remove: (caller, id) => overRest(basic(caller), 'DELETE', `/agents/${at(id)}`),
  issueCode: (caller, id) => overRest(basic(caller), 'POST', `/agents/${at(id)}/device-codes`),
  statusOfCode: (caller, code) => overRest(basic(caller), 'GET', `/agents/device-codes/${at(code)}/status`),
  redeem: (code, address) => overRest(null, 'POST', `/agents/device-codes/${at(code)}/redeem`, undefined, address),
}

const POLICY = `fragment Policy on AgentPolicy {
  permissions defaultExecutionMode repriceToleranceBps
  spendingLimits { currency: currencyCode perTransactionLimit dailyLimit dailyTransactionLimit monthlyLimit }
  accountRestrictions { allowedAccountIds accountRules { accountId executionMode perTransactionLimit } }
  approvalThresholds { currency: currencyCode amount }
}`
const AGENT = `fragment OfAgent on Agent {
  id name customerId isPaused isConnected createdAt updatedAt policy { ...Policy }
  usage { dailyTransactionCount dailySpend dailyResetDate monthlySpend monthlyResetMonth }
} ${POLICY}`
const FAILURE = '... on ApiError { status code message details { field reason } }'
const CODE = 'deviceCode { code agentId expiresAt redeemed }'

/** The null fields that REST omits. */
const without = (object: Json, ...names: string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || !names.includes(name)))

const policyOf = ({ accountRestrictions: restrictions, spendingLimits, ...policy }: Json) => ({
  ...without(policy, 'approvalThresholds'),
  spendingLimits: without(spendingLimits, 'dailyTransactionLimit'),
  ...(restrictions && {
    accountRestrictions: {
      ...restrictions,
      accountRules: restrictions.accountRules.map((rule: Json) => without(rule, 'executionMode')),
    },
  }),
})

/** A policy with the name that GraphQL has for the code of a currency. */
const renamed = (policy: Json) =>
  policy &&
  Object.fromEntries(
    Object.entries(policy).map(([part, value]: [string, Json]) => {
      if (!value || !Object.hasOwn(value, 'currency')) return [part, value]
      const { currency: currencyCode, ...others } = value
      return [part, { ...others, currencyCode }]
    }),
  )
const agentOf = ({ policy, ...agent }: Json) => ({ ...agent, policy: policyOf(policy) })

const overGraphQL = async (
  authorization: Authorization,
  query: string,
  variables: object,
  bodyOf: (answer: Json) => { status?: number; body: Json },
  address: string | null = null,
): Promise<Answer> => {
  const { body, headers } = await callGraphQL(authorization, query, variables, address)
  const retryAfter = headers.get('retry-after')
  const error = body.errors?.[0]
  const failed = error ? { message: error.message, ...error.extensions } : body.data.answer
  if (failed?.code && failed.status) {
    const { status, code, message, details } = failed
    const field = details?.field?.replace(/\.currencyCode$/, '.currency')
    return { status, body: { status, code, message, ...(details && { details: { ...details, field } }) }, retryAfter }
  }
  return { status: 200, ...bodyOf(body.data.answer), retryAfter }
}

const mutate = (name: string, success: string, fragments = '') =>
  `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) {
    answer: ${name}(input: $input) { __typename ... on ${name.charAt(0).toUpperCase()}${name.slice(1)}Success { ${success} } ${FAILURE} }
  } ${fragments}`
const CHANGED = 'agent { ...OfAgent }'
const MISSING = { status: 404, body: { status: 404, code: 'REFERENCE_NOT_FOUND', message: 'null' } }

const graphql: AgentFace = {
  name: 'GraphQL',
  create: (caller, input: Json) =>
    overGraphQL(
      basic(caller),
      mutate('createAgent', `${CHANGED} ${CODE}`, AGENT),
      { input: { ...input, policy: renamed(input.policy) } },
      ({ agent, deviceCode }) => ({
        status: 201,
        body: { agent: agentOf(agent), deviceCode },
      }),
    ),
  read: (caller, id) =>
    overGraphQL(basic(caller), `query ($id: ID!) { answer: node(id: $id) { ...OfAgent } } ${AGENT}`, { id }, (agent) =>
      agent ? { body: agentOf(agent) } : MISSING,
    ),
  list: (caller, filter = {}) => {
    const query = `query ($filter: AgentFilter) { answer: agents(filter: $filter) { totalCount nodes { ...OfAgent } } } ${AGENT}`
    return overGraphQL(basic(caller), query, { filter }, ({ totalCount, nodes }) => ({
      body: { data: nodes.map(agentOf), totalCount, hasMore: false },
    }))
  },
  update: (caller, id, changes) =>
    overGraphQL(basic(caller), mutate('updateAgent', CHANGED, AGENT), { input: { id, ...changes } }, ({ agent }) => ({
      body: agentOf(agent),
    })),
  updatePolicy: (caller, id, policy) =>
    overGraphQL(
      basic(caller),
      mutate('updateAgentPolicy', CHANGED, AGENT),
      { input: { id, policy: renamed(policy) } },
      ({ agent }) => ({ body: agentOf(agent) }),
    ),
  remove: (caller, id) =>
    overGraphQL(basic(caller), mutate('deleteAgent', 'deletedAgentId'), { input: { id } }, () => ({
      status: 204,
      body: null,
    })),
  issueCode: (caller, agentId) =>
    overGraphQL(basic(caller), mutate('createAgentDeviceCode', CODE), { input: { agentId } }, ({ deviceCode }) => ({
      status: 201,
      body: deviceCode,
    })),
  statusOfCode: (caller, code) =>
    overGraphQL(
      basic(caller),
      'query ($code: String!) { answer: agentDeviceCode(code: $code) { code redeemed } }',
      { code },
      (status) => (status ? { body: status } : MISSING),
    ),
  redeem: (code, address) =>
    overGraphQL(
      null,
      mutate('redeemAgentDeviceCode', 'agentId agentName accessToken policy { ...Policy }', POLICY),
      { input: { code } },
      ({ __typename: _, policy, ...connection }) => ({ body: { ...connection, policy: policyOf(policy) } }),
      address,
    ),
}

export const agentFaces: readonly AgentFace[] = [graphql, rest]
