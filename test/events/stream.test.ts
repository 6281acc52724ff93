// State changes can be read as events, in order, with the resources as they were (docs/domain/events.md#event-stream).
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { FIXED_COLUMNS } from '#events/snapshots.ts'
import { keepPartitions } from '#partitions.ts'
import { callGraphQL, callRest, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { insertPastEvent } from '#test/setup/past-event.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createOutside, createPayer, fund, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import {
  cardUse,
  createAgentActions,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createTransactions,
  incoming,
} from '#test/setup/world.ts'

interface Told {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>>
  readonly cursor: string
}

/** Everything from the beginning of the stream on, over REST. */
const eventsOf = async (caller: Credentials, filter = ''): Promise<Told[]> => {
  await numberEvents()
  const events: Told[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { status, body } = await send(caller, 'GET', `/webhooks/events?sortOrder=asc&limit=100${filter}${page}`)
    expect(status, JSON.stringify(body)).toBe(200)
    events.push(...body.data)
    cursor = body.nextCursor
  }
  return events
}

const typesOf = (events: readonly Told[]) => events.map(({ type }) => type.slice(type.indexOf('.') + 1))

const FAILURE = ['PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING']
const ORDERS: readonly (readonly [suffix: string, what: string, order: readonly string[]])[] = [
  ['001', 'success', ['PENDING', 'PROCESSING', 'COMPLETED']],
  ['004', 'failure', [...FAILURE, 'REFUND_COMPLETED']],
  ['007', 'failure of the refund too', [...FAILURE, 'REFUND_FAILED']],
  ['005', 'return by the bank', ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REFUND_PENDING', 'REFUND_COMPLETED']],
  ['006', 'cancellation', ['PENDING', 'PROCESSING', 'REFUND_PENDING', 'REFUND_COMPLETED', 'COMPLETED']],
]

it.each(ORDERS)(
  '%s: the events of a %s are in the documented order, with the body of their moment',
  async (suffix, _what, order) => {
    const { platform, customerId, dollars } = await createPayer()
    const outside = await createOutside(platform, suffix, { ownerId: customerId })
    const quote = (await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))).body
    const read = async () => (await send(platform, 'GET', `/transactions/${quote.transactionId}`)).body
    const ofPayment = () => eventsOf(platform, `&subjectId=${quote.transactionId}`)
    const expectLatest = async () => expect((await ofPayment()).at(-1)?.data).toEqual(await read())
    await expectLatest()
    await send(platform, 'POST', `/quotes/${quote.id}/execute`)
    await expectLatest()
    await passTime(platform.id, 240, expectLatest)

    const events = await ofPayment()
    expect(typesOf(events)).toEqual(order)
    expect(events.map(({ data }) => data['status']).at(-1)).toBe((await read()).status)
    // The row has changed between the two events.
    expect(new Set(events.map(({ data }) => JSON.stringify(data))).size).toBeGreaterThan(2)
    const balances = await eventsOf(platform, `&subjectId=${dollars}&type=INTERNAL_ACCOUNT.BALANCE_UPDATED`)
    const account = (await send(platform, 'GET', `/customers/internal-accounts?customerId=${customerId}`)).body.data
    expect(balances.at(-1)?.data).toEqual(account.find(({ id }: { id: string }) => id === dollars))
  },
)

describe('every other kind of object', () => {
  const createThings = async () => {
    const platform = await createPlatform()
    const customer = await createCustomer(platform, { verificationStatus: 'UNVERIFIED' })
    const account = await createInternalAccount(platform, { customerId: customer.id, balance: 500n })
    const other = await createInternalAccount(platform, { customerId: customer.id, currency: 'EUR' })
    const bank = await createExternalAccount(platform, { customerId: customer.id })
    const card = await createCard(platform, { customerId: customer.id, accountId: account.id })
    const key = (id: string) => ({ where: { platformId_id: { platformId: platform.id, id } } })
    return { platform, customer, account, other, bank, card, key }
  }

  it('a card has events of its state and of the account that it draws on', async () => {
    const { platform, card, other, key } = await createThings()
    await db.card.update({ ...key(card.id), data: { state: 'FROZEN' } })
    const frozen = (await send(platform, 'GET', `/cards/Card:${card.id}`)).body
    await db.card.update({ ...key(card.id), data: { accountId: other.id } })
    const moved = (await send(platform, 'GET', `/cards/Card:${card.id}`)).body
    await db.card.update({ ...key(card.id), data: { platformCardId: 'mine' } })
    const events = await eventsOf(platform, `&subjectId=Card:${card.id}`)
    expect(events.map(({ type }) => type)).toEqual(['CARD.STATE_CHANGE', 'CARD.FUNDING_SOURCE_CHANGE'])
    expect(events.map(({ data }) => data)).toEqual([frozen, moved])
    expect(moved.currency).toBe('EUR')
  })

  it('a customer has events of its verification', async () => {
    const { platform, customer, key } = await createThings()
    const bodies = []
    for (const verificationStatus of ['PENDING', 'HOLD', 'APPROVED', 'REJECTED'] as const) {
      await db.customer.update({ ...key(customer.id), data: { verificationStatus } })
      bodies.push((await send(platform, 'GET', `/customers/Customer:${customer.id}`)).body)
    }
    const events = await eventsOf(platform, `&subjectId=Customer:${customer.id}`)
    expect(typesOf(events)).toEqual(['KYC_PENDING', 'KYC_APPROVED', 'KYC_REJECTED'])
    expect(events.map(({ data }) => data)).toEqual([bodies[0], bodies[2], bodies[3]])
  })

  it('an account has events of its status', async () => {
    const { platform, account, key } = await createThings()
    await db.internalAccount.update({ ...key(account.id), data: { status: 'FROZEN' } })
    const events = await eventsOf(platform, `&subjectId=InternalAccount:${account.id}`)
    expect(typesOf(events)).toEqual(['BALANCE_UPDATED', 'STATUS_UPDATED'])
    expect(events.map(({ data }) => data['status'])).toEqual(['ACTIVE', 'FROZEN'])
  })

  it('an action has an event that it waits, with its quote and its payment', async () => {
    const payer = await createPayer()
    const { platform } = payer
    const { authorization, agent } = await createConnectedAgent(platform, {
      customerId: payer.customerId.slice('Customer:'.length),
      permissions: ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'CREATE_TRANSFERS'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
    })
    const quote = (await callRest(authorization, 'POST', '/agents/me/quotes', quoteInput(payer.dollars, payer.outside)))
      .body
    const made = [
      await callRest(authorization, 'POST', `/agents/me/quotes/${quote.id}/execute`),
      await callRest(
        authorization,
        'POST',
        '/agents/me/transfer-out',
        transferInput(payer.dollars, payer.outside, 500),
      ),
    ]
    const events = await eventsOf(platform, `&type=AGENT_ACTION.PENDING_APPROVAL&agentId=Agent:${agent.id}`)
    const read = made.map(({ body }) => callRest(authorization, 'GET', `/agents/me/actions/${body.id}`))
    const actions = (await Promise.all(read)).map(({ body }) => body)
    expect(actions.map(({ status }) => status)).toEqual(['PENDING_APPROVAL', 'PENDING_APPROVAL'])
    expect(events.map(({ data }) => data)).toEqual(actions)
  })
})

const STREAM = `query ($after: String, $first: Int, $sortOrder: SortOrder! = ASC, $filter: EventFilter) {
  events(after: $after, first: $first, sortOrder: $sortOrder, filter: $filter) {
    totalCount pageInfo { endCursor hasNextPage }
    nodes { id type: eventType createdAt cursor subjectId data card { id } agentAction { id } customer { id } transaction { ... on TransactionNode { id status } } internalAccount { id } }
  }
}`

const streamOf = async (caller: Credentials, variables: object = {}) => {
  const { body } = await callGraphQL(basic(caller), STREAM, variables)
  return body
}

it('GraphQL and REST return the same events', async () => {
  const { platform, dollars, outside } = await createPayer()
  await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 500))
  await passTime(platform.id)
  const told = await eventsOf(platform)
  const { data } = await streamOf(platform, { first: 100 })
  expect(told.length).toBeGreaterThan(5)
  expect(data.events.totalCount).toBe(told.length)
  expect(data.events.pageInfo.endCursor).toBe(told.at(-1)?.cursor)
  for (const [
    index,
    { id, type, createdAt, cursor, subjectId, data: body, transaction, internalAccount },
  ] of data.events.nodes.entries()) {
    expect({
      id,
      type: type.replace(/^((OUT|IN)[A-Z]+_PAYMENT|INTERNAL_ACCOUNT)_/, '$1.'),
      timestamp: createdAt,
      data: body,
      cursor,
    }).toEqual(told[index])
    expect(subjectId).toBe(body.id)
    expect((transaction ?? internalAccount).id).toBe(subjectId)
    expect((await send(platform, 'GET', `/webhooks/events/${id}`)).body).toEqual(told[index])
  }
  // The node is as it is now, the data as it was.
  const first = data.events.nodes.find(({ transaction }: { transaction: unknown }) => transaction)
  expect([first.data.status, first.transaction.status]).toEqual(['PENDING', 'COMPLETED'])
})

it('events that are not numbered yet are not shown', async () => {
  const platform = await createPlatform()
  const [payment] = await createTransactions(platform, [incoming({ status: 'PENDING' })])
  const [{ id } = { id: '' }] = await db.$queryRaw<
    { id: string }[]
  >`select id from events where object_id = ${payment?.id}::uuid`
  const read = async () => [
    (await streamOf(platform)).data.events.totalCount,
    (await send(platform, 'GET', `/webhooks/events/Webhook:${id}`)).status,
  ]
  expect(await read()).toEqual([0, 404])
  await numberEvents()
  expect(await read()).toEqual([1, 200])
})

it('an event stays on its page of the table when it gets its position, so that little is logged', async () => {
  const platform = await createPlatform()
  await createTransactions(
    platform,
    Array.from({ length: 60 }, () => incoming({ status: 'PENDING' })),
  )
  const pages = async () => {
    const rows = await db.$queryRaw<{ page: number }[]>`
      select (ctid::text::point)[0]::int as page from events where platform_id = ${platform.id}::uuid order by recorded`
    return rows.map(({ page }) => page)
  }
  const written = await pages()
  await numberEvents()
  const numbered = await pages()
  const moved = written.filter((page, index) => page !== numbered[index])
  expect(moved.length).toBeLessThan(written.length / 4)
})

it('a cursor continues with other filters and in the other order', async () => {
  const platform = await createPlatform()
  const account = await createInternalAccount(platform)
  await createTransactions(
    platform,
    Array.from({ length: 6 }, () => incoming({ status: 'PENDING' })),
  )
  await db.internalAccount.update({
    where: { platformId_id: { platformId: platform.id, id: account.id } },
    data: { status: 'FROZEN' },
  })
  const all = await eventsOf(platform)
  const after = all[3]?.cursor
  const idsOf = async (variables: object) =>
    (await streamOf(platform, { after, ...variables })).data.events.nodes.map(({ id }: Told) => id)
  expect(await idsOf({})).toEqual(all.slice(4).map(({ id }) => id))
  expect(await idsOf({ sortOrder: 'DESC' })).toEqual(
    all
      .slice(0, 3)
      .reverse()
      .map(({ id }) => id),
  )
  expect(await idsOf({ filter: { types: ['INTERNAL_ACCOUNT_STATUS_UPDATED'] } })).toEqual([all[6]?.id])
})

it('a week after 30 days events are deleted, and a cursor before them is refused', async () => {
  const platform = await createPlatform()
  // The fourth is newer than the fifth: transactions may end in another order than they began.
  for (const age of [45, 45, 45, 29, 45, 1]) {
    await insertPastEvent(platform, age)
    await numberEvents()
  }
  const all = await eventsOf(platform)
  await keepPartitions()
  expect((await eventsOf(platform)).map(({ id }) => id)).toEqual([all[3]?.id, all[5]?.id])
  const from = (index: number) => streamOf(platform, { after: all[index]?.cursor })
  const expired = async (index: number) => {
    const { errors } = await from(index)
    expect(errors[0].extensions).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'after', reason: 'CURSOR_EXPIRED' },
    })
    return errors[0].extensions.details.oldestCursor
  }
  const oldestCursor = await expired(1)
  expect(oldestCursor).toBe(all[2]?.cursor)
  expect((await from(2)).data.events.nodes.map(({ id }: Told) => id)).toEqual([all[3]?.id, all[5]?.id])
  expect(await expired(3)).toBe(all[4]?.cursor)
  expect((await from(4)).data.events.nodes.map(({ id }: Told) => id)).toEqual([all[5]?.id])
  const rest = await send(platform, 'GET', `/webhooks/events?sortOrder=asc&cursor=${all[0]?.cursor}`)
  expect(rest).toMatchObject({
    status: 400,
    body: { details: { field: 'cursor', reason: 'CURSOR_EXPIRED', oldestCursor } },
  })
})

it('an agent sees the events of its customer’s transactions and of its own actions, and no others', async () => {
  const payer = await createPayer()
  const { platform } = payer
  const customerId = payer.customerId.slice('Customer:'.length)
  const { agent, authorization } = await createConnectedAgent(platform, { customerId })
  const { agent: colleague } = await createConnectedAgent(platform, { customerId })
  const { authorization: blind } = await createConnectedAgent(platform, { customerId, permissions: ['CREATE_QUOTES'] })
  const own = { customerId, platformCustomerId: payer.platformCustomerId, status: 'PENDING' as const }
  const [payment] = await createTransactions(platform, [incoming(own), incoming({ status: 'PENDING' })])
  const party = {
    internalAccountId: payer.dollars.slice('InternalAccount:'.length),
    externalAccountId: payer.outside.slice('ExternalAccount:'.length),
    customerId,
  }
  const [action] = await createAgentActions(
    platform,
    [agent, colleague].map(({ id: agentId }) => ({ ...party, agentId })),
  )
  const all = await eventsOf(platform)
  const subjects = [`Transaction:${payment?.id}`, `AgentAction:${action?.id}`]
  const visible = all.filter(({ data }) => subjects.includes(String(data['id'])))
  expect(all.length).toBeGreaterThan(visible.length + 2)

  const { body } = await callGraphQL(authorization, STREAM, {})
  expect(body.data.events.nodes.map(({ id }: Told) => id)).toEqual(visible.map(({ id }) => id))
  expect(body.data.events.totalCount).toBe(2)
  const { body: nodes } = await callGraphQL(authorization, 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: all.map(({ id }) => id),
  })
  expect(nodes.data.nodes.filter((node: unknown) => node !== null)).toEqual(visible.map(({ id }) => ({ id })))
  // A cursor of the platform is not the agent's.
  const foreign = await callGraphQL(authorization, STREAM, { after: all[0]?.cursor })
  expect(foreign.body.errors[0].extensions.code).toBe('INVALID_INPUT')
  const refused = await callGraphQL(blind, STREAM, {})
  expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN')
})

it('a page costs the same number of statements whatever its size', async () => {
  const payer = await createPayer()
  const { platform } = payer
  const customerId = payer.customerId.slice('Customer:'.length)
  const accountId = payer.dollars.slice('InternalAccount:'.length)
  const { id: agentId } = (await createConnectedAgent(platform, { customerId })).agent
  const party = { internalAccountId: accountId, externalAccountId: payer.outside.slice('ExternalAccount:'.length) }
  const update = (id: string) => ({ where: { platformId_id: { platformId: platform.id, id } } })
  for (let round = 0; round < 8; round++) {
    const card = await createCard(platform, { customerId, accountId })
    await db.card.update({ ...update(card.id), data: { state: 'FROZEN' } })
    await db.customer.update({
      ...update(customerId),
      data: { verificationStatus: round % 2 ? 'APPROVED' : 'PENDING' },
    })
    await createAgentActions(platform, [{ ...party, agentId, customerId }])
    await fund(platform, payer.dollars, 'USD', 1n)
    await createTransactions(platform, [
      incoming({ status: 'PENDING' }),
      cardUse({ sourceInternalAccountId: accountId }),
    ])
  }
  await numberEvents()
  const count = async (first: number) => {
    const sent = await statementsOf(() => streamOf(platform, { first, sortOrder: 'DESC' }))
    const rest = await statementsOf(() => send(platform, 'GET', `/webhooks/events?limit=${first}`))
    return [sent.length, rest.length]
  }
  expect(await count(48)).toEqual(await count(6))
})

it('the snapshot of a payment keeps the nulls inside of every column of JSON', async () => {
  const platform = await createPlatform()
  const [payment] = await createTransactions(platform, [incoming()])
  const columns = await db.$queryRaw<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = 'transactions' and data_type = 'jsonb' and column_name <> 'receiver_customer_info'`
  expect(columns.length).toBeGreaterThan(3)
  const inside = Object.fromEntries(columns.map(({ name }) => [name, [{ given: 1, missing: null }]]))
  const [row] = await db.$queryRaw<{ snapshot: object; before: object }[]>`
    select payment_snapshot(to_jsonb(jsonb_populate_record(t, ${inside}))) as snapshot, payment_snapshot(to_jsonb(t)) as before
    from transactions t where t.id = ${payment?.id}::uuid`
  expect(row?.snapshot).toEqual({ ...row?.before, ...inside })
  expect(Object.values(row?.before ?? {})).not.toContain(null)
})

it.each(Object.entries(FIXED_COLUMNS))(
  'snapshots of %s leave out what is read from the row',
  async (table, columns) => {
    const [row] = await db.$queryRaw<{ left: string[] }[]>`select fixed_columns(${table}) as left`
    expect(columns.toSorted()).toEqual(row?.left.toSorted())
  },
)

it('a snapshot is read after columns of its table were added and dropped', async () => {
  const platform = await createPlatform()
  const [payment] = await createTransactions(platform, [incoming({ status: 'PENDING', description: 'Rent' })])
  const [before] = await eventsOf(platform)
  await db.$executeRaw`update events set snapshot = snapshot - 'description' || '{"dropped": 1}' where object_id = ${payment?.id}::uuid`
  const [after] = await eventsOf(platform)
  const { description, ...data } = before?.data ?? {}
  expect(description).toBe('Rent')
  expect(after).toEqual({ ...before, data })
})

it('a range of time may begin or end before 1970', async () => {
  const platform = await createPlatform()
  await createTransactions(platform, [incoming({ status: 'PENDING' })])
  await numberEvents()
  const countOf = async (range: string) => (await send(platform, 'GET', `/webhooks/events?${range}`)).body.data.length
  expect(await countOf('startDate=1960-01-01T00:00:00Z')).toBe(1)
  expect(await countOf('startDate=0001-01-01T00:00:00Z&endDate=9999-12-31T23:59:59Z')).toBe(1)
  expect(await countOf('endDate=1960-01-01T00:00:00Z')).toBe(0)
})
