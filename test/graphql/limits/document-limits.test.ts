// The limits on documents: each is exact, gives one error, and is checked before authentication.
import { getIntrospectionQuery } from 'graphql'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

let platform: Platform

beforeAll(async () => {
  platform = await createPlatform()
})

interface Sent {
  readonly query: string
  readonly variables?: object
  readonly operationName?: string
}

interface Body {
  readonly data?: object
  readonly errors?: readonly { readonly message: string; readonly extensions: Record<string, unknown> }[]
}

const RESPONSE_JSON = 'application/graphql-response+json'

/** Strings are sent unchanged. */
const send = async (caller: Platform | null, content: unknown, accept = 'application/json') => {
  const headers = { 'content-type': 'application/json', accept, ...(caller && { authorization: basic(caller) }) }
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  const request = new Request('http://test/graphql', { method: 'POST', headers, body })
  const started = performance.now()
  const response = await app.fetch(request)
  const milliseconds = performance.now() - started
  return { http: response.status, body: (await response.json()) as Body, milliseconds }
}

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ')
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
const ID = '00000000-0000-7000-8000-000000000000'
const NAMES = ['version', 'environment', '__typename']
const DRY_RUN = 'queryCost(document: "{ __typename }"'

/** A document that has exactly this number, and stays below all other limits. */
const DOCUMENTS: Record<string, { limit: number; of: (count: number) => Sent }> = {
  MAX_TOKENS: {
    limit: 2_000,
    of: (count) => ({ query: `{ ${DRY_RUN} variables: { of: [${many(count - 19, () => '1')}] }) { nodes } }` }),
  },
  MAX_NESTING: {
    limit: 32,
    of: (count) => ({ query: `{ ${DRY_RUN} variables: { of: ${JSON.stringify(nested(count - 3))} }) { nodes } }` }),
  },
  'MAX_NESTING of variables': {
    limit: 32,
    of: (count) => ({
      query: `query ($v: JSON) { ${DRY_RUN} variables: $v) { nodes } }`,
      variables: { v: { of: nested(count - 2) } },
    }),
  },
  MAX_DEPTH: {
    limit: 12,
    of: (count) => ({ query: `{ node(id: "Quote:${ID}") { ... on Quote ${links(count - 1)} } }` }),
  },
  'MAX_DEPTH of fragments': {
    limit: 12,
    of: (count) => ({
      query: `{ node(id: "Quote:${ID}") { ...A } } fragment A on Quote { transaction { ...B } }
        fragment B on PaymentTransaction { quote ${links(count - 3)} }`,
    }),
  },
  MAX_FIELDS: {
    limit: 2_000,
    // The fragment has 46 fields: `limits`, the fields in it, and aliases.
    of: (count) => ({
      query: `{ apiInfo { ${many(43, () => '...F')} ${many(count - 1 - 43 * 46, (i) => NAMES[i % 3] ?? '')} } }
        fragment F on ApiInfo { ${many(46 - 4 - LIMITS.length - 1, (i) => `a${i}: version`)} ${NAMES.join(' ')} limits { maxPageSize ${LIMITS.join(' ')} } }`,
    }),
  },
  MAX_REPEATS: { limit: 50, of: (count) => ({ query: `{ apiInfo { ${many(count, () => 'version')} } }` }) },
  'MAX_REPEATS below each other': {
    limit: 50,
    of: (count) => ({
      query: `{ apiInfo { ${many(count - 40, () => '... { ...F }')} ${many(20, () => 'limits { ...G }')} } }
        fragment F on ApiInfo { limits { maxNodes } } fragment G on ApiLimits { maxNodes maxNodes }`,
    }),
  },
  MAX_ROOT_FIELDS: { limit: 20, of: (count) => ({ query: `{ ${many(count, () => '__typename')} }` }) },
  'MAX_ROOT_FIELDS of fragments': {
    limit: 20,
    of: (count) => ({
      query: `{ ...F ...F } fragment F on Query { ${many(10, () => '__typename')} }`.replace(
        '...F }',
        `...F ${many(count - 20, () => '__typename')} }`,
      ),
    }),
  },
  MAX_ALIASES: { limit: 30, of: (count) => ({ query: `{ apiInfo { ${many(count, (i) => `a${i}: version`)} } }` }) },
  'MAX_ALIASES of __typename': {
    limit: 30,
    of: (count) => ({ query: `{ apiInfo { ${many(count, (i) => `a${i}: __typename`)} } }` }),
  },
  MAX_DIRECTIVES: {
    limit: 20,
    of: (count) => ({ query: `{ apiInfo { ${many(count, () => 'version @skip(if: false)')} } }` }),
  },
  MAX_DIRECTIVES_IN_ONE_PLACE: {
    limit: 5,
    of: (count) => ({ query: `{ apiInfo { version ${many(count, () => '@skip(if: false)')} } }` }),
  },
  MAX_FRAGMENTS: {
    limit: 50,
    of: (count) => ({
      query: `{ apiInfo { ${many(count, (i) => `...F${i}`)} } } ${many(count, (i) => `fragment F${i} on ApiInfo { version }`)}`,
    }),
  },
  MAX_OPERATIONS: {
    limit: 5,
    of: (count) => ({ query: many(count, (i) => `query Q${i} { __typename }`), operationName: 'Q0' }),
  },
  MAX_VARIABLES: {
    limit: 50,
    of: (count) => ({
      query: `query (${many(count, (i) => `$v${i}: JSON`)}) { ${DRY_RUN} variables: { of: [${many(count, (i) => `$v${i}`)}] }) { nodes } }`,
    }),
  },
  MAX_LINES: { limit: 4_000, of: (count) => ({ query: `{ __typename${'\n'.repeat(count - 1)}}` }) },
  MAX_NAME_LENGTH: { limit: 255, of: (count) => ({ query: `{ ${'a'.repeat(count)}: __typename }` }) },
  'MAX_NAME_LENGTH of the operation that is to run': {
    limit: 255,
    of: (count) => ({
      query: `query ${'Q'.repeat(Math.min(count, 255))} { __typename }`,
      operationName: 'Q'.repeat(count),
    }),
  },
  MAX_MEMBERS: {
    limit: 100,
    of: (count) => ({
      query: `query ($v: JSON) { ${DRY_RUN} variables: $v) { nodes } }`,
      variables: { v: Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, i])) },
    }),
  },
  MAX_ITEMS: {
    limit: 1_000,
    of: (count) => ({
      query: `query ($v: JSON) { ${DRY_RUN} variables: $v) { nodes } }`,
      variables: { v: { of: Array(count).fill(1) } },
    }),
  },
  MAX_NODES: {
    limit: 5_000,
    // 3 * 30 for the reads, 1 + 99 + 99 * (1 + 47) = 4,852, and 1 + the last page.
    of: (count) => ({
      query: `query ($size: Int) { customers(first: 99) { nodes { transactions(last: 47) { pageInfo { endCursor } } } }
        transactions(first: $size) { nodes { __typename } } }`,
      variables: { size: count - 4_943 },
    }),
  },
}

/** A selection with this number of nested fields. */
const links = (levels: number, [link, back] = ['transaction', 'quote']): string =>
  levels === 1 ? '{ id }' : `{ ${link} ${links(levels - 1, [back ?? '', link ?? ''])} }`

const REASONS = Object.keys(DOCUMENTS).filter((name) => !name.includes(' '))
const LIMITS = REASONS.map((name) => name.toLowerCase().replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase()))

describe.each(Object.entries(DOCUMENTS))('%s', (name, { limit, of }) => {
  const reason = name.split(' ')[0]

  it.each([limit - 1, limit])('%i are allowed', async (count) => {
    const { body } = await send(platform, of(count))
    // Only the rule against repeated directives may complain.
    const isRepeated = reason === 'MAX_DIRECTIVES_IN_ONE_PLACE'
    expect(body.errors?.map(({ extensions }) => extensions['code'])).toEqual(
      isRepeated ? expect.not.arrayContaining(['QUERY_TOO_COMPLEX']) : undefined,
    )
  })

  it.each(['application/json', RESPONSE_JSON])(`${limit + 1} give one error and HTTP 400, as %s`, async (accept) => {
    const { http, body } = await send(platform, of(limit + 1), accept)
    expect(http).toBe(400)
    expect(body).toEqual({ errors: [refusal(reason, limit)] })
  })
})

const refusal = (reason: unknown, limit: unknown) => ({
  message: expect.stringMatching(/^(More than \d+ |A fragment contains itself$)/),
  extensions: { status: 400, code: 'QUERY_TOO_COMPLEX', details: { reason, limit }, traceId: expect.any(String) },
})

const typenames = (count: number) => many(count, (i) => `a${i}: __typename`)
const fragments = (count: number, body: (index: number) => string) =>
  many(count, (i) => `fragment F${i} on Customer { ${body(i)} }`)

/** Documents that would keep a server busy if it analysed them further. */
const BOMBS: Record<string, Sent | string> = {
  '50,000 braces': { query: '{a'.repeat(50_000) },
  '50,000 brackets': { query: `{a(b:${'['.repeat(50_000)}` },
  '50,000 brackets of a type': { query: `query ($a: ${'['.repeat(50_000)}` },
  '2^40 spreads of nothing': {
    query: `{ ...F0 } ${fragments(40, (i) => `...F${i + 1} ...F${i + 1}`)}`,
  },
  '1,900 fields below an alias of 17,000 letters': {
    query: `{ ${'x'.repeat(17_000)}: apiInfo { ${many(1_900, (i) => `f${i}`)} } }`,
  },
  '100,000 lines': { query: `{${'\n'.repeat(100_000)}a}` },
  '10,000 aliases': { query: `{ ${typenames(10_000)} }` },
  '1,900 inline fragments in each other': { query: `{ ${'... { '.repeat(900)} a ${'} '.repeat(901)}` },
  'JSON of 100,000 levels': `{"query":"{ __typename }","variables":{"v":${'['.repeat(1e5)}${']'.repeat(1e5)}}}`,
  '2^40 fields by fragments': {
    query: `{ ...F0 } ${fragments(40, (i) => `x { ...F${i + 1} } y { ...F${i + 1} }`)} fragment F40 on Customer { id }`,
  },
  '2^20 fields within the depth': {
    query: `{ ...F0 } ${fragments(10, (i) => `${'x { id } '.repeat(2)} a { ...F${i + 1} } b { ...F${i + 1} } c { ...F${i + 1} } d { ...F${i + 1} }`)} fragment F10 on Customer { id }`,
  },
  '1,900 repeats in a fragment that is not used': {
    query: `{ apiInfo { version } } fragment F on ApiInfo { ${many(1_900, () => 'version')} }`,
  },
  '1,900 repeats in a fragment whose name is used twice': {
    query: `{ apiInfo { ...F } } fragment F on ApiInfo { ${many(1_900, () => 'version')} } fragment F on ApiInfo { version }`,
  },
  'a fragment in itself': { query: '{ ...F } fragment F on Query { ...F }' },
  'fragments in a circle': {
    query: `{ apiInfo { version } } ${fragments(20, (i) => `id agents { nodes { ...F${(i + 1) % 20} } }`)}`,
  },
  'a circle below a field': { query: '{ ...F } fragment F on Query { viewer { agent { customer { ...F } } } }' },
}

describe('hostile documents', () => {
  it.each(Object.entries(BOMBS))('%s: one error and HTTP 400', async (name, bomb) => {
    const runs = []
    for (let run = 0; run < 20; run += 1) runs.push(await send(platform, bomb))
    for (const { http, body } of runs)
      expect({ http, body }).toEqual({
        http: 400,
        body: { errors: [refusal(expect.stringMatching(/^MAX_/), expect.any(Number))] },
      })
    const times = runs.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
    console.log(`${name}: median ${times[10]?.toFixed(1)} ms, worst ${times.at(-1)?.toFixed(1)} ms`)
  })

  it('are rejected for any caller without an SQL statement', async () => {
    const statements = vi.spyOn(pg.Client.prototype, 'query')
    for (const bomb of Object.values(BOMBS)) {
      for (const caller of [null, platform]) expect((await send(caller, bomb)).http).toBe(400)
    }
    expect(statements).not.toHaveBeenCalled()
    statements.mockRestore()
  })
})

describe('batched requests', () => {
  it('are rejected, whatever their number', async () => {
    for (const count of [0, 1, 2, 3, 10, 100, 1_000]) {
      const batch = Array.from({ length: count }, () => ({ query: '{ apiInfo { version } }' }))
      const { http, body } = await send(platform, batch)
      expect({ count, http, body }).toEqual({
        count,
        http: 400,
        body: {
          errors: [
            {
              message: 'The body must be a JSON object',
              extensions: expect.objectContaining({ code: 'INVALID_REQUEST_FORMAT' }),
            },
          ],
        },
      })
    }
  })
})

describe('the schema', () => {
  it('can be introspected with credentials, as tools do', async () => {
    const everything = {
      descriptions: true,
      specifiedByUrl: true,
      schemaDescription: true,
      inputValueDeprecation: true,
    }
    for (const query of [getIntrospectionQuery(), getIntrospectionQuery({ ...everything, oneOf: true })]) {
      const { http, body } = await send(platform, { query })
      expect([http, body.errors, Object.keys(body.data ?? {})]).toEqual([200, undefined, ['__schema']])
    }
    expect((await send(null, { query: getIntrospectionQuery() })).http).toBe(401)
  })

  it('offers no suggestions without credentials', async () => {
    const query = '{ apiInfo { versio } }'
    const told = async (caller: Platform | null) => (await send(caller, { query })).body.errors?.[0]?.message
    expect(await told(platform)).toBe('Cannot query field "versio" on type "ApiInfo". Did you mean "version"?')
    expect(await told(null)).toBe('Cannot query field "versio" on type "ApiInfo".')
  })

  it('lists every limit', async () => {
    const { body } = await send(null, { query: `{ apiInfo { limits { ${LIMITS.join(' ')} } } }` })
    const limits = REASONS.map((name) => DOCUMENTS[name]?.limit)
    expect(Object.values(Object(body.data).apiInfo.limits)).toEqual(limits)
  })

  it('limits an answer to 8 MiB', async () => {
    const { body } = await send(null, { query: '{ apiInfo { limits { maxAnswerBytes } } }' })
    expect(body.data).toEqual({ apiInfo: { limits: { maxAnswerBytes: 8 * 1_024 * 1_024 } } })
  })
})
