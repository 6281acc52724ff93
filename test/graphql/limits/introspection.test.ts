// Introspection costs as much as it returns, and repeated introspection queries are answered from memory.
import { getIntrospectionQuery, type IntrospectionOptions, parse, print, stripIgnoredCharacters } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { useIntrospectionAnswers } from '#graphql/limits/introspection-answers.ts'
import { schema } from '#schema.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})

interface Body {
  readonly data?: object
  readonly extensions?: { readonly cost: { readonly nodes: number } }
  readonly errors?: readonly { readonly extensions: { readonly code: string; readonly details: object } }[]
}

const send = async (query: string, more: { variables?: object; operationName?: string } = {}) => {
  const began = process.cpuUsage()
  const response = await app.fetch(
    new Request('http://test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: basic(platform), 'x-query-cost': 'true' },
      body: JSON.stringify({ query, ...more }),
    }),
  )
  const text = await response.text()
  const { user, system } = process.cpuUsage(began)
  return { status: response.status, body: JSON.parse(text) as Body, text, milliseconds: (user + system) / 1_000 }
}

const ALL: IntrospectionOptions = {
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
}
/** The introspection queries of GraphiQL, of code generators and of older clients. */
const CLIENTS = [
  getIntrospectionQuery(),
  getIntrospectionQuery(ALL),
  getIntrospectionQuery({ descriptions: false }),
  print(parse(getIntrospectionQuery({ ...ALL, oneOf: false }))),
  stripIgnoredCharacters(getIntrospectionQuery(ALL)),
]

/** The names in the response, each with its value. */
const valuesOf = (json: unknown): number => {
  if (Array.isArray(json)) return json.reduce((sum, item) => sum + valuesOf(item), 0)
  if (typeof json !== 'object' || json === null) return 0
  return Object.values(json).reduce((sum, value) => sum + 1 + valuesOf(value), 0)
}

describe('introspection', () => {
  it.each([
    '{ __schema { types { name } } }',
    '{ __schema { types { fields(includeDeprecated: true) { name args { name type { name ofType { name } } } } } } }',
    '{ __schema { types { kind ...T } directives { name args { name } } } } fragment T on __Type { possibleTypes { name } interfaces { name } }',
    '{ __schema { types { enumValues(includeDeprecated: true) { name description } inputFields { type { name } } } } }',
    '{ __schema { queryType { fields { type { ofType { fields { type { name ofType { name } } } } } } } } }',
    '{ __type(name: "Customer") { fields { type { name } } } }',
    '{ __type(name: "Nothing") { fields { name } } }',
    'query ($name: String!) { one: __type(name: $name) { name } other: __type(name: "Query") { fields { name } } }',
    'query ($with: Boolean = false) { __schema { types { name @include(if: $with) } } }',
    ...CLIENTS,
  ])('costs one node for every twenty values that it returns: %s', async (query) => {
    const variables = query.includes('$name') ? { name: 'Transaction' } : {}
    const { body } = await send(query, { variables })
    expect(body.errors).toBeUndefined()
    const roots = Object.values(body.data ?? {})
    const nodes = roots.reduce((sum: number, root) => sum + Math.ceil((1 + valuesOf(root)) / 20), 0)
    expect(body.extensions?.cost.nodes).toBe(nodes)
  })

  it('of the whole schema, as clients request it, costs less than half of the limit', async () => {
    for (const query of CLIENTS) {
      const { body } = await send(query)
      expect(body.extensions?.cost.nodes).toBeLessThan(2_500)
      expect(valuesOf(body.data)).toBeGreaterThan(Object.keys(schema.getTypeMap()).length * 10)
    }
  })

  it('that returns too much is rejected immediately', async () => {
    const many = (part: (n: number) => string) => Array.from({ length: 14 }, (_, n) => part(n)).join(' ')
    const query = `{ __schema { ${many((n) => `a${n}: types { fields { ...F } }`)} } }
      fragment F on __Field { ${many((n) => `b${n}: description`)} }`
    const { status, body, milliseconds } = await send(query)
    expect([status, body.errors?.[0]?.extensions]).toMatchObject([
      400,
      { code: 'QUERY_TOO_COMPLEX', details: { reason: 'MAX_NODES', limit: 5_000 } },
    ])
    console.log(`refused in ${milliseconds.toFixed(0)} ms of CPU`)
    expect(milliseconds).toBeLessThan(1_000)
  })

  it('may have one __schema per operation', async () => {
    for (const query of [
      '{ a: __schema { queryType { name } } b: __schema { queryType { name } } }',
      '{ ...A b: __schema { queryType { name } } } fragment A on Query { __schema { queryType { name } } }',
    ]) {
      const { status, body } = await send(query)
      expect([status, body.errors?.[0]?.extensions]).toMatchObject([
        400,
        { code: 'QUERY_TOO_COMPLEX', details: { reason: 'MAX_SCHEMAS', limit: 1 } },
      ])
    }
    const two = 'query A { __schema { queryType { name } } } query B { __schema { queryType { name } } }'
    expect((await send(two, { operationName: 'B' })).status).toBe(200)
  })

  it('is answered from memory when the same text is sent again', async () => {
    for (const query of CLIENTS) {
      const first = await send(query)
      const times = [await send(query), await send(query), await send(query)]
      for (const { text } of times) expect(withoutCost(text)).toBe(withoutCost(first.text))
      const fastest = Math.min(...times.map(({ milliseconds }) => milliseconds))
      console.log(
        `${first.text.length} characters: ${first.milliseconds.toFixed(0)} ms of CPU, then ${fastest.toFixed(0)} ms`,
      )
    }
  })

  it('is executed once for the same document', async () => {
    const document = parse(getIntrospectionQuery())
    const { onExecute } = useIntrospectionAnswers()
    const answer = async () => {
      let execute: () => unknown = () => undefined
      const setExecuteFn = (given: () => unknown) => {
        execute = given
      }
      await onExecute?.({ args: { schema, document }, setExecuteFn } as never)
      return execute()
    }
    const first = await answer()
    expect(first).toBeDefined()
    expect(await answer()).toBe(first)
  })

  it('is cached by directives, variables and operation', async () => {
    const query =
      'query ($deprecated: Boolean!) { __type(name: "ErrorCode") { enumValues(includeDeprecated: $deprecated) { name @include(if: $deprecated) } } }'
    const [all, none] = [
      await send(query, { variables: { deprecated: true } }),
      await send(query, { variables: { deprecated: false } }),
    ]
    expect(all.text).not.toBe(none.text)
  })
})

/** Removes the remaining budget, which varies. */
const withoutCost = (text: string) => text.replace(/,"extensions":.*$/, '')
