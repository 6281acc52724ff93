// JSON bodies of GraphQL are parsed like those of REST.
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { createGraphQLServer } from '#graphql/server.ts'
import { schema } from '#schema.ts'
import { basic } from '#test/setup/faces.ts'
import { NOT_OBJECTS } from '#test/setup/not-objects.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})

type Body = string | Uint8Array<ArrayBuffer>

const send = async (body: Body, headers: Readonly<Record<string, string>>) => {
  const response = await app.fetch(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: { authorization: basic(platform), 'content-type': 'application/json', ...headers },
      body,
    }),
  )
  return { status: response.status, body: await response.json() }
}

const WAYS = [
  ['of a length that is said', (body: Body) => ({ 'content-length': String(Buffer.byteLength(body)) })],
  ['of a length that is not said', () => ({})],
] as const

describe.each(WAYS)('a body %s', (_way, headersOf) => {
  it.each(Object.keys(NOT_OBJECTS))('%s is INVALID_REQUEST_FORMAT', async (name) => {
    const { body = '' } = NOT_OBJECTS[name] ?? {}
    expect(await send(body, headersOf(body))).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { status: 400, code: 'INVALID_REQUEST_FORMAT' } }] },
    })
  })

  it('with a duplicate payment amount is refused, and the error names the member', async () => {
    const body = '{"query":"query ($i: Int) { __typename }","variables":{"amount":100,"amount":1}}'
    const answer = await send(body, headersOf(body))
    expect(JSON.stringify(answer.body)).toContain('amount')
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'INVALID_REQUEST_FORMAT' } }] },
    })
  })

  it('with a syntax error in the document is refused, and the error gives its place', async () => {
    const body = '{"query":"{\\n  transactions(first: 1 {"}'
    expect((await send(body, headersOf(body))).body).toMatchObject({
      errors: [{ extensions: { code: 'INVALID_INPUT' }, locations: [{ line: 2, column: 25 }] }],
    })
  })

  it('that is valid is executed', async () => {
    const body =
      '{"query":"query ($first: Int) { transactions(first: $first) { nodes { __typename } } }","variables":{"first":1}}'
    expect(await send(body, headersOf(body))).toEqual({ status: 200, body: { data: { transactions: { nodes: [] } } } })
  })
})

describe.each(['text/html', 'image/png, application/xml', 'application/json; charset=utf-16'])(
  'a client that only accepts %s',
  (accept) => {
    it('gets the outcome of a mutation as JSON', async () => {
      const query =
        'mutation { createApiToken(input: { name: "n", permissions: [VIEW] }) { ... on CreateApiTokenSuccess { clientSecret } } }'
      expect(await send(JSON.stringify({ query }), { accept })).toEqual({
        status: 200,
        body: { data: { createApiToken: { clientSecret: expect.any(String) } } },
      })
    })

    it.each(['{ unknown }', 'subscription { events { cursor } }'])('gets the errors of %s as JSON', async (query) => {
      expect(await send(JSON.stringify({ query }), { accept })).toMatchObject({
        body: { errors: [{ extensions: { status: 400, code: 'INVALID_INPUT' } }] },
      })
    })
  },
)

it.each(['application/json', 'application/graphql-response+json', '*/*'])(
  'a fault before execution is HTTP 500 for a client that accepts %s',
  async (accept) => {
    const server = createGraphQLServer(schema, () => Promise.reject(new TypeError('the text of a crash')))
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const body = JSON.stringify({ query: '{ __typename }' })
    const headers = { 'content-type': 'application/json', accept }
    const request = new Request('http://test/graphql', { method: 'POST', headers, body })
    const answer = await server.fetch(request, { clientAddress: () => null, requestContext: { traceId: 'trace' } })
    log.mockRestore()
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 500,
      body: {
        errors: [
          {
            message: 'Internal error. Quote the trace id to support.',
            extensions: { status: 500, code: 'INTERNAL_ERROR', traceId: 'trace' },
          },
        ],
      },
    })
  },
)

describe.each(['variables', 'extensions'])('%s in the URL', (name) => {
  const ask = async (value: string) => {
    const params = new URLSearchParams({ query: '{ __typename }', [name]: value })
    const headers = { authorization: basic(platform) }
    const response = await app.fetch(new Request(`http://test/graphql?${params}`, { headers }))
    return { status: response.status, body: await response.json() }
  }

  it.each(['{', 'nope', '{"secret":1} 2', '{"a":1,"a":2}'])('%s is INVALID_INPUT', async (value) => {
    expect(await ask(value)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { status: 400, code: 'INVALID_INPUT', details: { field: name } } }] },
    })
  })

  it.each(['', '{}', 'null', '{"a":1}'])('%s is accepted', async (value) => {
    expect(await ask(value)).toEqual({ status: 200, body: { data: { __typename: 'Query' } } })
  })

  it('that is a list is INVALID_INPUT', async () => {
    expect(await ask('[1]')).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'INVALID_INPUT' } }] },
    })
  })

  it('that nests too deeply is QUERY_TOO_COMPLEX', async () => {
    const deep = `{"a":${'['.repeat(40)}${']'.repeat(40)}}`
    expect(await ask(deep)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX', details: { reason: 'MAX_NESTING' } } }] },
    })
  })
})

it('a body with many members costs no more CPU time than 14 smaller ones', async () => {
  const TIMES = 14
  const object = JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`member${index}`, 0])))
  const bodyOf = (objects: number) =>
    `{"query":"{ __typename }","extensions":{"objects":[${Array(objects).fill(object).join()}]}}`
  const costOf = async (bodies: readonly string[]) => {
    const before = process.cpuUsage()
    for (const body of bodies) expect((await send(body, {})).status).toBe(200)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  const [one, several] = [[bodyOf(12 * TIMES)], Array<string>(TIMES).fill(bodyOf(12))] as const
  const costs = { one: Number.POSITIVE_INFINITY, several: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 8; round += 1) {
    costs.several = Math.min(costs.several, await costOf(several))
    costs.one = Math.min(costs.one, await costOf(one))
  }
  console.log(`${costs.one.toFixed(1)} ms for one body, ${costs.several.toFixed(1)} ms for ${TIMES}`)
  // For quadratic code it costs up to 14 times as much.
  expect(costs.one).toBeLessThan(costs.several)
})
