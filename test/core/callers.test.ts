// Authentication and permissions, and the operations that need neither, over GraphQL and REST.
import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { db } from '#database/db.ts'
import { ask, basic, rest } from '#test/setup/faces.ts'
import { createPlatform, createToken, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

let platform: Platform

beforeAll(async () => {
  platform = await createPlatform()
  await createTransactions(platform, [incoming()])
})

interface Reply {
  readonly http: number
  readonly headers: Headers
  readonly text: string
}

const send = async (path: string, init: RequestInit): Promise<Reply> => {
  const response = await app.fetch(new Request(`http://test${path}`, init))
  return { http: response.status, headers: response.headers, text: await response.text() }
}

const post = (query: string, headers: Record<string, string>) =>
  send('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  })

/** The same request over each API, and where each has its error body. */
const FACES = {
  REST: {
    list: (headers: Record<string, string>) => send('/2025-10-13/transactions', { headers }),
    errorOf: ({ text }: Reply) => JSON.parse(text) as object,
  },
  GraphQL: {
    list: (headers: Record<string, string>) => post('{ transactions { totalCount } }', headers),
    errorOf: ({ text, headers }: Reply) => {
      const { errors } = JSON.parse(text) as { errors: [{ message: string; extensions: object }] }
      const [{ message, extensions }] = errors
      const { traceId, ...error } = { message, ...extensions } as { traceId?: string }
      expect(traceId).toBe(headers.get('x-request-id'))
      return error
    },
  },
}

describe.each(Object.entries(FACES))('over %s', (_name, { list, errorOf }) => {
  const encode = (text: string | Uint8Array) => `Basic ${Buffer.from(text).toString('base64')}`

  const WRONG: Record<string, (platform: Platform) => string | undefined> = {
    'no header': () => undefined,
    'an empty header': () => '',
    'only the scheme': () => 'Basic',
    'another scheme': ({ secret }) => `Bearer ${secret}`,
    'the plain text': ({ clientId, secret }) => `${clientId}:${secret}`,
    'the plain text after the scheme': ({ clientId, secret }) => `Basic ${clientId}:${secret}`,
    'base64url characters': () => 'Basic _-_-',
    'two values': (ours) => `${basic(ours)}, ${basic(ours)}`,
    'no colon': ({ clientId }) => encode(clientId),
    'only a colon': () => encode(':'),
    'an empty client id': ({ secret }) => encode(`:${secret}`),
    'an empty secret': ({ clientId }) => encode(`${clientId}:`),
    'a wrong secret': ({ clientId }) => encode(`${clientId}:${randomBytes(18).toString('hex')}`),
    'a secret of other length': ({ clientId, secret }) => encode(`${clientId}:${secret}0`),
    'the secret in upper case': ({ clientId, secret }) => encode(`${clientId}:${secret.toUpperCase()}`),
    'the hash of the secret': ({ clientId, secret }) =>
      encode(`${clientId}:${createHash('sha256').update(secret).digest('hex')}`),
    'an unknown client id': ({ secret }) => encode(`${randomBytes(16).toString('hex')}:${secret}`),
    'a client id with a space': ({ clientId, secret }) => encode(` ${clientId}:${secret}`),
    'a NUL in the client id': ({ clientId, secret }) => encode(`${clientId}\0:${secret}`),
    'a NUL in the secret': ({ clientId, secret }) => encode(`${clientId}:${secret}\0`),
    'bytes that are no UTF-8': ({ clientId }) =>
      encode(Buffer.from([0xff, 0xfe, ...Buffer.from(`${clientId}:`), 0xc0])),
    'half a surrogate pair': () => encode(Buffer.from([0xed, 0xa0, 0x80, 0x3a, 0x78])),
    '100 KB': () => encode('x'.repeat(75_000)),
  }

  it.each(Object.keys(WRONG))('%s is 401', async (credentials) => {
    const authorization = WRONG[credentials]?.(platform)
    const reply = await list(authorization === undefined ? {} : { authorization })
    expect(reply.http).toBe(401)
    expect(errorOf(reply)).toEqual({
      status: 401,
      code: 'UNAUTHORIZED',
      message: expect.stringMatching(/^(The )?API credentials are /),
    })
    expect(reply.headers.get('www-authenticate')).toBe('Basic realm="Payments API", charset="UTF-8"')
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('valid credentials are accepted, in any case of the scheme', async () => {
    for (const scheme of ['Basic', 'basic', 'BASIC', 'Basic  ']) {
      const { http, text } = await list({ authorization: basic(platform).replace('Basic', scheme) })
      expect([http, text]).toEqual([200, expect.stringContaining('"totalCount":1')])
    }
  })

  it('a secret may contain colons and any Unicode', async () => {
    const token = { clientId: randomBytes(16).toString('hex'), secret: 'a:b:ключ 🔑' }
    await createToken(platform.id, token, ['VIEW'])
    expect((await list({ authorization: basic(token) })).http).toBe(200)
  })

  it('a token without VIEW is 403, even with every other permission', async () => {
    const blind = await createPlatform(['TRANSACT', 'MANAGE'])
    const reply = await list({ authorization: basic(blind) })
    expect(errorOf(reply)).toEqual({ status: 403, code: 'FORBIDDEN', message: expect.stringContaining('VIEW') })
  })

  it('each response has a unique request id', async () => {
    const headers = { authorization: basic(platform), 'x-request-id': 'mine' }
    const ids = new Set(
      (await Promise.all([list(headers), list(headers), list({})])).map((reply) => reply.headers.get('x-request-id')),
    )
    expect(ids.size).toBe(3)
    expect([...ids].every((id) => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true)
  })
})

it('VIEW alone is enough to read everything', async () => {
  const viewer = await createPlatform(['VIEW'])
  const { errors } = await ask(
    viewer,
    '{ transactions { totalCount nodes { __typename } } customers { totalCount } viewer { subject } }',
  )
  expect(errors).toBeUndefined()
})

it('only the SHA-256 of a secret is stored', async () => {
  const { secretHash } = await db.apiToken.findUniqueOrThrow({ where: { clientId: platform.clientId } })
  expect(Buffer.from(secretHash)).toEqual(createHash('sha256').update(platform.secret, 'utf8').digest())
  const rows = await db.$queryRaw<{ row: string }[]>`select to_jsonb(t)::text as row from api_tokens t`
  expect(rows.filter(({ row }) => row.includes(platform.secret))).toEqual([])
})

describe('without credentials', () => {
  const INFO = 'apiInfo { version environment limits { maxPageSize defaultPageSize } }'

  it('the response says how to send them and where the documentation is', async () => {
    const { text: unknown } = await send('/2025-10-13/transactions', {})
    expect(unknown).toContain('send Authorization: Basic with clientId:secret')
    const { http, text: nowhere } = await send('/', {})
    expect(http).toBe(404)
    for (const place of ['/graphql', '/2025-10-13', '/docs']) expect(nowhere).toContain(place)
  })

  it('apiInfo is answered', async () => {
    const { status, data } = await ask(null, `query Info { __typename ${INFO} }`)
    const limits = { maxPageSize: 100, defaultPageSize: 20 }
    expect({ status, data }).toEqual({
      status: 200,
      data: { __typename: 'Query', apiInfo: { version: '2025-10-13', environment: 'PRODUCTION', limits } },
    })
  })

  it.each([
    '{ __schema { queryType { name } } }',
    '{ __type(name: "Query") { name } }',
    '{ viewer { subject } }',
    `{ ${INFO} viewer { subject } }`,
    `{ ${INFO} transactions { totalCount } }`,
    `{ ${INFO} __schema { queryType { name } } }`,
    `{ ... on Query { ${INFO} } }`,
    `{ ...F } fragment F on Query { ${INFO} }`,
    `query A { ${INFO} } query B { transactions { totalCount } }`,
    '{ apiInfo: transactions { totalCount } }',
    '{ __typename: viewer { subject } }',
    '{ node(id: "x") { id } }',
    '{ nothing }',
    '{',
  ])('%s is 401', async (query) => {
    const { status, headers, errors } = await ask(null, query)
    expect({
      status,
      challenge: headers.get('www-authenticate'),
      codes: errors?.map(({ extensions }) => extensions.code),
    }).toEqual({
      status: 401,
      challenge: 'Basic realm="Payments API", charset="UTF-8"',
      codes: ['UNAUTHORIZED'],
    })
  })

  it('an operation that one caller is refused may be allowed to another, and the other way round', async () => {
    const asked = (name: string) => `query ${name} { transactions { totalCount } }`
    const right = { authorization: basic(platform) }
    const statuses = []
    for (const [name, headers] of [
      ['RefusedFirst', {}],
      ['RefusedFirst', right],
      ['AnsweredFirst', right],
      ['AnsweredFirst', {}],
    ] as const) {
      statuses.push((await post(asked(name), headers)).http)
    }
    expect(statuses).toEqual([401, 200, 200, 401])
  })

  it('REST requires them at every path of the contract, and answers 404 elsewhere', async () => {
    for (const path of ['/transactions', '/transactions/x', '/nothing']) {
      const { status, body } = await rest(null, path)
      const code = path === '/nothing' ? 'REFERENCE_NOT_FOUND' : 'UNAUTHORIZED'
      expect([path, status, body['code']]).toEqual([path, code === 'UNAUTHORIZED' ? 401 : 404, code])
    }
  })
})

it('the environment comes from the platform, whatever a header says', async () => {
  const live = await createPlatform()
  await db.platform.update({ where: { id: live.id }, data: { environment: 'PRODUCTION' } })
  for (const [caller, environment] of [
    [platform, 'SANDBOX'],
    [live, 'PRODUCTION'],
  ] as const) {
    for (const wish of ['SANDBOX', 'PRODUCTION']) {
      const names = ['environment', 'x-environment', 'service-environment', 'x-sandbox', 'x-forwarded-host']
      const headers = Object.fromEntries(names.map((name) => [name, wish]))
      const { text } = await post('{ apiInfo { environment } }', { ...headers, authorization: basic(caller) })
      expect(JSON.parse(text)).toEqual({ data: { apiInfo: { environment } } })
    }
  }
})
