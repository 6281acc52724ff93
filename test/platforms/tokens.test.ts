// API tokens over both faces: a platform creates, lists, reads and deletes them.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { forgetCallers } from '#core/known-callers.ts'
import { db } from '#database/db.ts'
import { createPlatformToken, revokeApiToken } from '#platforms/provisioning.ts'
import { callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { createPlatform, createToken } from '#test/setup/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

interface Answer {
  readonly status: number
  readonly body: Json
}

interface Face {
  readonly name: string
  create(caller: Credentials, input: object): Promise<Answer>
  list(caller: Credentials, filter?: Readonly<Record<string, string>>): Promise<Answer>
  read(caller: Credentials, id: string): Promise<Answer>
  remove(caller: Credentials, id: string): Promise<Answer>
  /** Where the face says that a field of the input is. */
  place(field: string): string
}

const REST: Face = {
  name: 'REST',
  create: (caller, input) => callRest(basic(caller), 'POST', '/tokens', input),
  list: (caller, filter = {}) => callRest(basic(caller), 'GET', `/tokens?${new URLSearchParams(filter)}`),
  read: (caller, id) => callRest(basic(caller), 'GET', `/tokens/${id}`),
  remove: (caller, id) => callRest(basic(caller), 'DELETE', `/tokens/${id}`),
  place: (field) => field,
}

const TOKEN = 'id name permissions clientId createdAt updatedAt'
const FAILURE = '... on ApiError { status code message details { field } }'

const overGraphQL = async (caller: Credentials, query: string, variables: object, bodyOf: (answer: Json) => Answer) => {
  const { status, body } = await callGraphQL(basic(caller), query, variables)
  const error = body.errors?.[0]
  if (error) return { status: error.extensions.status ?? status, body: { ...error.extensions, message: error.message } }
  const { answer } = body.data
  return answer?.code ? { status: answer.status, body: answer } : bodyOf(answer)
}

const GRAPHQL: Face = {
  name: 'GraphQL',
  create: (caller, input) =>
    overGraphQL(
      caller,
      `mutation ($input: CreateApiTokenInput!) { answer: createApiToken(input: $input) {
        ... on CreateApiTokenSuccess { apiToken { ${TOKEN} } clientSecret } ${FAILURE} } }`,
      { input },
      ({ apiToken, clientSecret }) => ({ status: 201, body: { ...apiToken, clientSecret } }),
    ),
  list: (caller, filter = {}) =>
    overGraphQL(
      caller,
      `query ($filter: ApiTokenFilter) { answer: apiTokens(filter: $filter) { totalCount nodes { ${TOKEN} } } }`,
      { filter },
      ({ totalCount, nodes }) => ({ status: 200, body: { data: nodes, hasMore: false, totalCount } }),
    ),
  read: (caller, id) =>
    overGraphQL(
      caller,
      `query ($id: ID!) { answer: node(id: $id) { ... on ApiToken { ${TOKEN} } } }`,
      { id },
      (body) => (body === null ? { status: 404, body: { code: 'TOKEN_NOT_FOUND' } } : { status: 200, body }),
    ),
  remove: (caller, id) =>
    overGraphQL(
      caller,
      `mutation ($input: DeleteApiTokenInput!) { answer: deleteApiToken(input: $input) {
        ... on DeleteApiTokenSuccess { deletedApiTokenId } ${FAILURE} } }`,
      { input: { id } },
      () => ({ status: 204, body: null }),
    ),
  place: (field) => `input.${field}`,
}

const idOfOwn = async ({ clientId }: Credentials) => {
  const { id } = await db.apiToken.findUniqueOrThrow({ where: { clientId } })
  return `Token:${id}`
}

const credentialsIn = ({ clientId, clientSecret }: Json): Credentials => ({ clientId, secret: clientSecret })

describe.each([REST, GRAPHQL])('over $name', (face) => {
  it('a token is created with its secret, which is shown only then, and works at once', async () => {
    const platform = await createPlatform()
    const input = { name: 'Nightly report', permissions: ['MANAGE', 'VIEW', 'VIEW'] }
    const { status, body } = await face.create(platform, input)
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^Token:[0-9a-f]{8}-[0-9a-f]{4}-7/),
        name: 'Nightly report',
        permissions: ['VIEW', 'MANAGE'],
        clientId: expect.stringMatching(/^[0-9a-f]{32}$/),
        clientSecret: expect.stringMatching(/^[0-9a-f]{36}$/),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    })
    const { clientSecret, ...shown } = body
    const own = credentialsIn(body)
    expect((await face.read(own, body.id)).body).toEqual(shown)
    const { body: list } = await face.list(own)
    expect(list).toMatchObject({ hasMore: false, totalCount: 2 })
    expect(list.data[0]).toEqual(shown)
    expect(JSON.stringify(list)).not.toContain(clientSecret)
    const [row] = await db.$queryRaw<
      { row: string }[]
    >`select t::text as row from api_tokens t where client_id = ${own.clientId}`
    expect(row?.row).not.toContain(clientSecret)
  })

  it('the list can be filtered by name and time, and contains no token of another platform', async () => {
    const platform = await createPlatform()
    await face.create(await createPlatform(), { name: 'A', permissions: ['VIEW'] })
    for (const name of ['A', 'B', 'a']) await face.create(platform, { name, permissions: ['VIEW'] })
    const named = await face.list(platform, { name: 'A' })
    expect(named.body.data.map(({ name }: Json) => name)).toEqual(['A'])
    expect((await face.list(platform)).body.totalCount).toBe(4)
    expect((await face.list(platform, { createdBefore: '2020-01-01' })).body.data).toEqual([])
    expect((await face.list(platform, { updatedAfter: '2020-01-01' })).body.totalCount).toBe(4)
  })

  it.each([
    [{ permissions: ['VIEW'] }, 'name'],
    [{ name: '', permissions: ['VIEW'] }, 'name'],
    [{ name: ' ', permissions: ['VIEW'] }, 'name'],
    [{ name: 'x'.repeat(256), permissions: ['VIEW'] }, 'name'],
    [{ name: 'x', permissions: [] }, 'permissions'],
    [{ name: 'x', permissions: ['ADMIN'] }, 'permissions.0'],
    [{ name: 'x' }, 'permissions'],
  ])('%o is refused', async (input, field) => {
    const platform = await createPlatform()
    const { status, body } = await face.create(platform, input)
    expect([status, body.code, body.details?.field]).toEqual([400, 'INVALID_INPUT', face.place(field)])
    expect(await db.apiToken.count({ where: { platformId: platform.id } })).toBe(1)
  })

  it('a deleted token is refused from the next request on, although it was known a moment ago', async () => {
    const platform = await createPlatform()
    const { body } = await face.create(platform, { name: 'Short', permissions: ['VIEW', 'MANAGE'] })
    const short = credentialsIn(body)
    expect((await face.list(short)).status).toBe(200)
    expect((await face.remove(platform, body.id)).status).toBe(204)
    expect(await face.list(short)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(await face.remove(platform, body.id)).toMatchObject({ status: 404, body: { code: 'TOKEN_NOT_FOUND' } })
    expect(await face.read(platform, body.id)).toMatchObject({ status: 404, body: { code: 'TOKEN_NOT_FOUND' } })
  })

  it('a token cannot delete itself, and an id of another platform is unknown', async () => {
    const [platform, other] = [await createPlatform(), await createPlatform()]
    const own = await face.remove(platform, await idOfOwn(platform))
    expect(own).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', details: { field: face.place('id') } } })
    for (const id of [await idOfOwn(other), `Token:${randomUUID()}`, `Customer:${randomUUID()}`, 'Token:x']) {
      expect(await face.remove(platform, id)).toMatchObject({ status: 404, body: { code: 'TOKEN_NOT_FOUND' } })
    }
    expect(await db.apiToken.count({ where: { platformId: { in: [platform.id, other.id] } } })).toBe(2)
  })

  it('a token that this process still remembers can neither create nor delete after its own deletion', async () => {
    const platform = await createPlatform()
    const ghost = { clientId: randomUUID(), secret: 'ghost' }
    await createToken(platform.id, ghost, ['VIEW', 'MANAGE'])
    const victim = await idOfOwn(platform)
    expect((await face.list(ghost)).status).toBe(200)
    // Deletes it as another process would, which cannot change this one's memory.
    await db.apiToken.delete({ where: { clientId: ghost.clientId } })
    expect((await face.list(ghost)).status).toBe(200)
    expect((await face.create(ghost, { name: 'Heir', permissions: ['VIEW'] })).status).toBe(401)
    expect((await face.remove(ghost, victim)).status).toBe(401)
    expect(await db.apiToken.count({ where: { platformId: platform.id } })).toBe(1)
    forgetCallers()
  })

  it('one of two tokens that delete each other at the same time remains', async () => {
    for (let round = 0; round < 5; round += 1) {
      const platform = await createPlatform()
      const { body } = await face.create(platform, { name: 'Rival', permissions: ['MANAGE'] })
      const answers = await Promise.all([
        face.remove(platform, body.id),
        face.remove(credentialsIn(body), await idOfOwn(platform)),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401])
      expect(await db.apiToken.count({ where: { platformId: platform.id } })).toBe(1)
    }
  })
})

it("the operator's command makes the same kind of token", async () => {
  const platform = await createPlatform()
  const issued = await createPlatformToken(platform.id, ['VIEW'])
  if (!issued) throw new Error('No token')
  const { body } = await REST.list(issued, { name: 'VIEW' })
  expect(body.data).toMatchObject([{ id: `Token:${issued.id}`, clientId: issued.clientId, permissions: ['VIEW'] }])
  expect(issued.secret).toMatch(/^[0-9a-f]{36}$/)
  expect(await revokeApiToken(issued.clientId)).toBe(true)
  expect((await REST.list(issued)).status).toBe(401)
})
