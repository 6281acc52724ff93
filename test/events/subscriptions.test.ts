// A stream delivers the events of the list, once and in order (docs/domain/events.md#following-the-stream).
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { endStreams } from '#events/streams/open-streams.ts'
import { inTurn } from '#http/message-turns.ts'
import { keepPartitions } from '#partitions.ts'
import { type Authorization, callGraphQL, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { nextWhere, type Stream, streamEvents, subscribe } from '#test/setup/event-streams.ts'
import { basic } from '#test/setup/faces.ts'
import { insertPastEvent } from '#test/setup/past-event.ts'
import { createPayer } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import {
  createAgentActions,
  createInternalAccount,
  createPlatform,
  createTransactions,
  incoming,
  type Platform,
} from '#test/setup/world.ts'

const EVENTS = `subscription ($after: String, $filter: EventStreamFilter, $most: Int! = 50) {
  events(after: $after, filter: $filter, most: $most) { cursor events { id eventType cursor subjectId data transaction { ... on TransactionNode { id } } } }
}`
const LIST = `query ($filter: EventFilter) { events(filter: $filter, first: 100, sortOrder: ASC) { nodes { id cursor } } }`

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

const streams: Stream[] = []
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})

const follow = async (authorization: Authorization, variables: object = {}, query = EVENTS, headers = {}) => {
  const stream = await subscribe(authorization, query, variables, { headers })
  streams.push(stream)
  return stream
}

/** The ids of the next events, of this many. */
const idsOf = async (stream: Stream, count: number): Promise<string[]> => {
  const ids: string[] = []
  while (ids.length < count) {
    const { data } = await nextWhere(stream, ({ event }) => event === 'next')
    if (data.errors) throw new Error(JSON.stringify(data.errors))
    ids.push(...data.data.events.events.map(({ id }: { id: string }) => id))
  }
  return ids
}

/** Writes payments that are announced, each with its event. */
const happen = async (platform: Platform, count = 1) => {
  const rows = await createTransactions(
    platform,
    Array.from({ length: count }, () => incoming({ status: 'PENDING' })),
  )
  await numberEvents()
  return rows.map(({ id }) => `Transaction:${id}`)
}

const listed = async (authorization: Authorization, filter: object = {}): Promise<{ id: string; cursor: string }[]> =>
  (await callGraphQL(authorization, LIST, { filter })).body.data.events.nodes

it('the first message is a cursor, and then each event comes once, wherever the client resumes', async () => {
  const platform = await createPlatform()
  const authorization = basic(platform)
  await happen(platform, 2)
  const live = await follow(authorization)
  const first = await live.next()
  expect(live.response.headers.get('content-type')).toBe('text/event-stream')
  expect(first).toEqual({
    event: 'next',
    id: expect.any(String),
    data: { data: { events: { cursor: first?.id, events: [] } } },
  })

  await happen(platform, 3)
  const all = await listed(authorization)
  expect(await idsOf(live, 3)).toEqual(all.slice(2).map(({ id }) => id))
  // By the cursor of the first message, of an event of the list, and as EventSource does. The last one reads from the table.
  const resumed = [
    [await follow(authorization, { after: first?.id }), 2],
    [await follow(authorization, { after: all[3]?.cursor }), 4],
    [await follow(authorization, {}, EVENTS, { 'last-event-id': first?.id }), 2],
    // A reconnecting EventSource repeats the cursor of its URL.
    [await follow(authorization, { after: first?.id }, EVENTS, { 'last-event-id': all[3]?.cursor }), 4],
    [await follow(authorization, { after: all[0]?.cursor, most: 1 }), 1],
  ] as const
  for (const [stream, from] of resumed)
    expect(await idsOf(stream, 5 - from)).toEqual(all.slice(from).map(({ id }) => id))
})

it('REST streams the bodies of the webhooks, with the same cursors', async () => {
  const platform = await createPlatform()
  await happen(platform, 1)
  const stream = await streamEvents(basic(platform))
  streams.push(stream)
  const first = await stream.next()
  expect(first).toEqual({ event: 'cursor', id: expect.any(String), data: { cursor: first?.id } })
  await happen(platform, 2)
  const { body } = await send(platform, 'GET', `/webhooks/events?sortOrder=asc&cursor=${first?.id}`)
  for (const { cursor, ...envelope } of body.data)
    expect(await stream.next()).toEqual({ event: envelope.type, id: cursor, data: envelope })
  const headers = { 'last-event-id': body.data[0].cursor }
  const resumed = await streamEvents(basic(platform), `?cursor=${first?.id}`, { headers })
  streams.push(resumed)
  expect((await resumed.next())?.id).toBe(body.data[0].cursor)
  expect((await resumed.next())?.data.id).toBe(body.data[1].id)
})

describe('of many kinds of events', () => {
  const createHistory = async () => {
    const payer = await createPayer()
    const { platform } = payer
    const customerId = uuidOf(payer.customerId)
    const { agent, authorization } = await createConnectedAgent(platform, { customerId })
    const { agent: colleague } = await createConnectedAgent(platform, { customerId })
    const write = async () => {
      const account = await createInternalAccount(platform, { customerId, balance: 100n })
      const own = { customerId, platformCustomerId: payer.platformCustomerId, status: 'PENDING' as const }
      const [payment] = await createTransactions(platform, [incoming(own), incoming({ status: 'PENDING' })])
      const party = { internalAccountId: uuidOf(payer.dollars), externalAccountId: uuidOf(payer.outside), customerId }
      const [action] = await createAgentActions(
        platform,
        [agent, colleague].map(({ id: agentId }) => ({ ...party, agentId })),
      )
      await numberEvents()
      return {
        payment: `Transaction:${payment?.id}`,
        account: `InternalAccount:${account.id}`,
        action: `AgentAction:${action?.id}`,
      }
    }
    return { platform, customer: payer.customerId, agent: `Agent:${agent.id}`, authorization, write }
  }

  it('every filter lets through what it does in the list, live and from the table, for platforms and for agents', async () => {
    const { platform, customer, agent, authorization: agentToken, write } = await createHistory()
    const old = await write()
    const foreign = await createHistory()
    const others = await foreign.write()
    const filters = [
      {},
      { types: ['INCOMING_PAYMENT_PENDING', 'AGENT_ACTION_PENDING_APPROVAL'] },
      { subjectId: old.payment },
      { customerId: customer },
      { agentId: agent },
      { agentId: agent, customerId: customer, types: ['AGENT_ACTION_PENDING_APPROVAL'] },
      { subjectId: others.payment },
      { customerId: foreign.customer },
    ]
    let heard = 0
    for (const caller of [basic(platform), agentToken]) {
      const [oldest] = await listed(caller)
      const before = await Promise.all(filters.map((filter) => listed(caller, filter)))
      const live = await Promise.all(filters.map((filter) => follow(caller, { filter })))
      await Promise.all(live.map((stream) => stream.next()))
      await write()
      for (const [index, filter] of filters.entries()) {
        const ids = (await listed(caller, filter)).map(({ id }) => id)
        const news = ids.slice(before[index]?.length)
        expect(await idsOf(live[index] as Stream, news.length), JSON.stringify(filter)).toEqual(news)
        const behind = ids.filter((id) => id !== oldest?.id)
        const whole = await follow(caller, { filter, after: oldest?.cursor, most: 2 })
        expect(await idsOf(whole, behind.length), JSON.stringify(filter)).toEqual(behind)
        heard += news.length + behind.length
        whole.close()
      }
      for (const stream of streams.splice(0)) stream.close()
    }
    // An event of a foreign or another object would have come before these.
    expect(heard).toBeGreaterThan(40)
  })

  it('transactionChanged and agentApprovalRequested report one step each, with the object as it is now', async () => {
    const { platform, agent, authorization: agentToken, write } = await createHistory()
    const changed = await follow(
      basic(platform),
      {},
      'subscription { transactionChanged { cursor event { eventType } transaction { ... on TransactionNode { id } } } }',
    )
    const asked = await follow(
      agentToken,
      { agent },
      'subscription ($agent: ID) { agentApprovalRequested(agentId: $agent) { cursor event { eventType subjectId } action { id } } }',
    )
    expect((await changed.next())?.data.data.transactionChanged).toMatchObject({ event: null, transaction: null })
    expect((await asked.next())?.data.data.agentApprovalRequested).toMatchObject({ event: null, action: null })
    const { payment, action } = await write()
    expect((await changed.next())?.data.data.transactionChanged).toMatchObject({
      event: { eventType: 'INCOMING_PAYMENT_PENDING' },
      transaction: { id: payment },
    })
    expect((await asked.next())?.data.data.agentApprovalRequested).toMatchObject({
      event: { eventType: 'AGENT_ACTION_PENDING_APPROVAL', subjectId: action },
      action: { id: action },
    })
    const one = await follow(
      basic(platform),
      { id: payment },
      'subscription ($id: ID) { transactionChanged(id: $id) { cursor event { subjectId } } }',
    )
    await one.next()
    await write()
    await db.transaction.update({
      where: { platformId_id: { platformId: platform.id, id: payment.slice('Transaction:'.length) } },
      data: { status: 'REJECTED' },
    })
    await numberEvents()
    expect((await one.next())?.data.data.transactionChanged.event).toEqual({ subjectId: payment })
  })
})

it('approvals can be followed for one customer, and an id and a filter that contradict each other are refused', async () => {
  const payer = await createPayer()
  const other = await createPayer({ platform: payer.platform })
  const authorization = basic(payer.platform)
  const asked = await follow(
    authorization,
    { customer: payer.customerId },
    'subscription ($customer: ID) { agentApprovalRequested(customerId: $customer) { action { customerId } } }',
  )
  await asked.next()
  for (const { customerId, dollars, outside } of [other, payer]) {
    const [customer, internalAccountId, externalAccountId] = [customerId, dollars, outside].map(uuidOf) as [
      string,
      string,
      string,
    ]
    const { agent } = await createConnectedAgent(payer.platform, { customerId: customer })
    await createAgentActions(payer.platform, [
      { agentId: agent.id, customerId: customer, internalAccountId, externalAccountId },
    ])
    await numberEvents()
  }
  expect((await asked.next())?.data.data.agentApprovalRequested.action).toEqual({ customerId: payer.customerId })

  const [one, two] = await happen(payer.platform, 2)
  const changed =
    'subscription ($id: ID, $filter: EventStreamFilter) { transactionChanged(id: $id, filter: $filter) { cursor } }'
  const refused = await follow(authorization, { id: one, filter: { subjectId: two } }, changed)
  expect((await refused.next())?.data.errors[0].extensions).toMatchObject({
    code: 'INVALID_INPUT',
    details: { field: 'filter.subjectId' },
  })
  const same = await follow(authorization, { id: one, filter: { subjectId: one } }, changed)
  expect((await same.next())?.data.data.transactionChanged.cursor).toEqual(expect.any(String))
})

it('a cursor that is older than the retention, of another viewer, or malformed is a clear error', async () => {
  const platform = await createPlatform()
  for (let n = 0; n < 2; n += 1) await insertPastEvent(platform, 45)
  await numberEvents()
  await happen(platform, 1)
  const all = await listed(basic(platform))
  await keepPartitions()
  const other = await createPlatform()
  const errorsOf = async (caller: Platform, after: string | undefined) => {
    const stream = await follow(basic(caller), { after })
    const sent = await stream.next()
    expect((await stream.next())?.event).toBe('complete')
    const rest = await streamEvents(basic(caller), `?cursor=${after}`)
    expect(rest.response.status).toBe(400)
    return { sent: sent?.data.errors[0].extensions }
  }
  expect(await errorsOf(platform, all[0]?.cursor)).toMatchObject({
    sent: {
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'after', reason: 'CURSOR_EXPIRED', oldestCursor: all[1]?.cursor },
    },
  })
  for (const [caller, after] of [
    [other, all[2]?.cursor],
    [platform, 'AAAA'],
  ] as const)
    expect(await errorsOf(caller, after)).toMatchObject({
      sent: { code: 'INVALID_INPUT', details: { field: 'after' } },
    })
})

it('a client that gets its errors as JSON gets them with their status, because no data comes with them', async () => {
  const platform = await createPlatform()
  const forbidden = await createPlatform(['MANAGE'])
  const refused = (caller: Platform, variables: object, accept: string) =>
    follow(basic(caller), variables, EVENTS, { accept }).then(async ({ response: { status, headers }, next }) => ({
      status,
      type: headers.get('content-type'),
      body: headers.get('content-type')?.includes('event-stream') ? (await next())?.data : undefined,
    }))
  for (const type of ['application/graphql-response+json', 'application/json']) {
    const accept = `text/event-stream, ${type}`
    const json = { type: `${type}; charset=utf-8` }
    expect(await refused(platform, { after: 'AAAA' }, accept)).toMatchObject({ status: 400, ...json })
    expect(await refused(forbidden, {}, accept)).toMatchObject({ status: 403, ...json })
  }
  expect(await refused(forbidden, {}, 'text/event-stream')).toEqual({
    status: 200,
    type: 'text/event-stream',
    body: { errors: [expect.objectContaining({ path: ['events'] })] },
  })
})

it('without the permission, without credentials and without text/event-stream nothing is streamed', async () => {
  const platform = await createPlatform(['MANAGE'])
  const refused = await (await follow(basic(platform))).next()
  expect(refused?.data.errors[0].extensions.code).toBe('FORBIDDEN')
  expect((await follow(null)).response.status).toBe(401)
  expect((await streamEvents(basic(platform))).response.status).toBe(403)
  const json = await follow(basic(await createPlatform()), {}, EVENTS, { accept: 'application/json' })
  expect([json.response.status, json.response.headers.get('content-type')]).toEqual([
    400,
    expect.stringContaining('json'),
  ])
})

it('a token has at most 20 streams, as apiInfo.limits says, and another stream has to wait until one ends', async () => {
  const platform = await createPlatform()
  const { body } = await callGraphQL(
    null,
    '{ apiInfo { limits { streamsPerToken streamsPerPlatform streamsPerProcess } } }',
  )
  expect(body.data.apiInfo.limits).toEqual({ streamsPerToken: 20, streamsPerPlatform: 100, streamsPerProcess: 1000 })
  const open = await Promise.all(Array.from({ length: 20 }, () => follow(basic(platform))))
  await Promise.all(open.map((stream) => stream.next()))
  const { response } = await follow(basic(platform))
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10'])
  expect((await streamEvents(basic(platform))).response.status).toBe(429)
  open[0]?.close()
  expect((await follow(basic(platform))).response.status).toBe(200)
})

it('a stream that is ended while it reads what its client has missed ends at once', async () => {
  const platform = await createPlatform()
  const before = await streamEvents(basic(platform))
  const cursor = (await before.next())?.id
  before.close()
  await happen(platform)
  // The stream waits for its turn to read from the table, where it finds no event of this type.
  let endTurn = () => {}
  const turn = inTurn(platform.id, () => new Promise<void>((resolve) => (endTurn = resolve)))
  const stream = await streamEvents(basic(platform), `?cursor=${cursor}&type=CARD.STATE_CHANGE`)
  expect(await stream.next()).toMatchObject({ event: 'cursor' })
  await wait(50)
  endStreams()
  endTurn()
  await turn
  expect(await Promise.race([stream.next(), wait(3_000, 'It is open')])).toBeUndefined()
})

it('one read serves all streams of a platform', async () => {
  const platform = await createPlatform()
  const query = 'subscription { events { cursor events { id eventType } } }'
  const open = await Promise.all(Array.from({ length: 15 }, () => follow(basic(platform), {}, query)))
  await Promise.all(open.map((stream) => stream.next()))
  const statements = await statementsOf(async () => {
    for (let turn = 0; turn < 3; turn++) {
      await happen(platform, 2)
      await Promise.all(open.map((stream) => idsOf(stream, 2)))
    }
  })
  const reads = statements.filter((text) => /from numbered_events t /.test(text))
  console.log(`15 streams, 3 wake-ups: ${reads.length} reads`)
  // A poll may coincide with a notification, and then finds nothing.
  expect(reads.length).toBeGreaterThanOrEqual(3)
  expect(reads.length).toBeLessThanOrEqual(6)
})
