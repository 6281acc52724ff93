// The platform's approval queue and history: every filter, alone and combined, over GraphQL and REST.
import { beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { type Acting, createActing, createColleague, unknown, uuidOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { bearer, callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createAgentActions, createPlatform } from '#test/setup/world.ts'

let acting: Acting
let neighbour: Acting
let colleagueId: string
/** Newest first. */
let queue: { id: string; agentId: string; customerId: string; createdAt: Date }[]

beforeAll(async () => {
  acting = await createActing()
  neighbour = await createActing({ platform: acting.platform })
  colleagueId = (await createColleague(acting)).agentId
  const rowsOf = ({ accountId, dollarsId, customerId }: Acting, agentId: string, first: number) =>
    [0, 3, 6].map((more) => ({
      agentId: uuidOf(agentId),
      customerId: uuidOf(customerId),
      internalAccountId: uuidOf(accountId),
      externalAccountId: uuidOf(dollarsId),
      createdAt: new Date(Date.UTC(2026, 0, 1 + first + more)),
    }))
  const rows = [
    ...rowsOf(acting, acting.agentId, 0),
    ...rowsOf(acting, colleagueId, 1),
    ...rowsOf(neighbour, neighbour.agentId, 2),
  ]
  const waiting = await createAgentActions(acting.platform, rows)
  for (const status of ['APPROVED', 'REJECTED', 'FAILED'] as const) {
    await createAgentActions(
      acting.platform,
      rows.map((row) => ({ ...row, status })),
    )
  }
  queue = waiting
    .map(({ id, agentId, customerId, createdAt }) => ({
      id: publicId('AgentAction', id),
      agentId: publicId('Agent', agentId),
      customerId: publicId('Customer', customerId),
      createdAt: createdAt as Date,
    }))
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
})

const day = (number: number, time = '00:00:00Z') => `2026-01-0${number}T${time}`

describe.each(actionFaces)('over $name', (face) => {
  it('contains what matches each filter, and all filters combined', async () => {
    const agents = [undefined, acting.agentId, colleagueId, neighbour.agentId, unknown('Agent')]
    const customers = [
      undefined,
      acting.customerId,
      neighbour.customerId,
      publicId('Customer', uuidOf(unknown('Agent'))),
    ]
    const starts = [undefined, day(1), day(4), day(9, '00:00:00.001Z')]
    const ends = [undefined, day(9), day(5, '01:00:00+01:00'), day(1)]
    let tried = 0
    for (const agentId of agents)
      for (const customerId of customers)
        for (const startDate of starts)
          for (const endDate of ends) {
            if (startDate && endDate && Date.parse(startDate) > Date.parse(endDate)) continue
            const filter = Object.fromEntries(
              Object.entries({ agentId, customerId, startDate, endDate }).filter(([, value]) => value !== undefined),
            )
            const expected = queue
              .filter((action) => !agentId || action.agentId === agentId)
              .filter((action) => !customerId || action.customerId === customerId)
              .filter(({ createdAt }) => !startDate || createdAt.getTime() >= Date.parse(startDate))
              .filter(({ createdAt }) => !endDate || createdAt.getTime() <= Date.parse(endDate))
            const { body } = await face.approvals(acting.owner, filter)
            expect({ filter, ids: body.data.map(({ id }: { id: string }) => id), count: body.totalCount }).toEqual({
              filter,
              ids: expected.map(({ id }) => id),
              count: expected.length,
            })
            tried += 1
          }
    console.log(`${tried} filters over ${face.name}`)
  })

  it.each([
    ['agentId', 'x'],
    ['agentId', 'Customer:00000000-0000-4000-8000-000000000000'],
    ['customerId', 'Agent:00000000-0000-4000-8000-000000000000'],
    ['startDate', '2026-02-30'],
    ['endDate', 'soon'],
  ])('returns 400 for %s %s', async (name, value) => {
    const { status, body } = await face.approvals(acting.owner, { [name]: value })
    const field = face.name === 'REST' ? name : `filter.${name}`
    expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_INPUT', field])
  })

  it('returns 400 when the start is after the end', async () => {
    const { status, body } = await face.approvals(acting.owner, { startDate: day(2), endDate: day(1) })
    const field = face.name === 'REST' ? 'startDate' : 'filter.startDate'
    expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_INPUT', field])
  })

  it("is empty for another platform's ids, and for the other platform", async () => {
    const stranger = await createActing()
    for (const filter of [{}, { agentId: acting.agentId }, { customerId: acting.customerId }]) {
      expect((await face.approvals(stranger.owner, filter)).body).toMatchObject({ data: [], totalCount: 0 })
    }
    const { agentId, customerId } = stranger
    for (const filter of [{ agentId }, { customerId }]) {
      expect((await face.approvals(acting.owner, filter)).body).toMatchObject({ data: [], totalCount: 0 })
    }
  })

  it('needs the permission VIEW', async () => {
    const platform = await createPlatform(['TRANSACT', 'MANAGE'])
    const { status, body } = await face.approvals(basic(platform))
    expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
    expect((await face.approvals(bearer('x'))).status).toBe(401)
  })
})

it('over REST can be paged in either order', async () => {
  for (const sortOrder of ['asc', 'desc']) {
    const seen: string[] = []
    let next = ''
    do {
      const { body } = await callRest(acting.owner, 'GET', `/agents/approvals?limit=2&sortOrder=${sortOrder}${next}`)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      expect([body.totalCount, 'nextCursor' in body]).toEqual([9, body.hasMore])
      next = body.hasMore ? `&cursor=${body.nextCursor}` : ''
    } while (next)
    const ids = queue.map(({ id }) => id)
    expect(seen).toEqual(sortOrder === 'desc' ? ids : ids.toReversed())
  }
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x', 'sortOrder=up']) {
    expect((await callRest(acting.owner, 'GET', `/agents/approvals?${query}`)).body.code, query).toBe('INVALID_INPUT')
  }
})

it('the history of an agent can be filtered by several statuses and types', async () => {
  const { platform, owner, agentId, customerId, accountId, dollarsId } = await createActing()
  const parties = {
    agentId: uuidOf(agentId),
    customerId: uuidOf(customerId),
    internalAccountId: uuidOf(accountId),
    externalAccountId: uuidOf(dollarsId),
  }
  await createAgentActions(
    platform,
    (['PENDING_APPROVAL', 'APPROVED', 'FAILED'] as const).flatMap((status) =>
      (['TRANSFER_OUT', 'TRANSFER_IN'] as const).map((type) => ({ ...parties, status, type })),
    ),
  )
  const path = `/agents/${agentId}/actions`
  const [isDone, isIn] = ['statuses=APPROVED&statuses=FAILED', 'types=TRANSFER_IN']
  for (const { query, filter, totalCount } of [
    { query: isDone, filter: { statuses: ['APPROVED', 'FAILED'] }, totalCount: 4 },
    { query: `${isDone}&${isIn}`, filter: { statuses: ['APPROVED', 'FAILED'], types: ['TRANSFER_IN'] }, totalCount: 2 },
    { query: `types=TRANSFER_OUT&${isIn}`, filter: { types: ['TRANSFER_OUT', 'TRANSFER_IN'] }, totalCount: 6 },
    { query: `${isDone}&status=FAILED`, filter: { statuses: ['FAILED'] }, totalCount: 2 },
  ]) {
    const text = 'query ($filter: AgentActionFilter) { agentActions(filter: $filter) { nodes { id } } }'
    const { nodes } = (await callGraphQL(owner, text, { filter: { agentId, ...filter } })).body.data.agentActions
    const { body } = await callRest(owner, 'GET', `${path}?${query}`)
    const ids = body.data.map(({ id }: { id: string }) => ({ id }))
    expect({ query, ids, totalCount: body.totalCount }).toEqual({ query, ids: nodes, totalCount })
    expect(ids).toHaveLength(totalCount)
  }
  const { body: first } = await callRest(owner, 'GET', `${path}?${isDone}&limit=3`)
  const { body: last } = await callRest(owner, 'GET', `${path}?${isDone}&limit=3&cursor=${first.nextCursor}`)
  expect([first.data.length, last.data.length, last.hasMore]).toEqual([3, 1, false])
  for (const [query, field] of [
    [`${isDone}&statuses=DONE`, 'statuses.2'],
    ['types=', 'types.0'],
    ['status=FAILED&status=APPROVED', 'status'],
  ]) {
    const { status, body } = await callRest(owner, 'GET', `${path}?${query}`)
    expect([status, body.details.field]).toEqual([400, field])
  }
})
