// Hostile text takes time in proportion to its length, and gets one small error.
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

let platform: Platform

beforeAll(async () => {
  platform = await createPlatform()
})

interface Body {
  readonly errors: readonly {
    readonly message: string
    readonly extensions: { readonly code: string; readonly details?: { readonly field?: string } }
  }[]
}

const post = async (path: string, body: string, caller: Platform | null = null) => {
  const headers = { 'content-type': 'application/json', ...(caller && { authorization: basic(caller) }) }
  const response = await app.fetch(new Request(`http://test${path}`, { method: 'POST', headers, body }))
  return { status: response.status, text: await response.text() }
}

const send = async (content: object, caller: Platform | null = null) => {
  const { text } = await post('/graphql', JSON.stringify(content), caller)
  return { size: text.length, errors: (JSON.parse(text) as Body).errors }
}

const REDEEM = 'mutation ($i: RedeemAgentDeviceCodeInput!) { redeemAgentDeviceCode(input: $i) { __typename } }'
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index)).join(' ')

/** Twice the text may take three times as long, plus an allowance for other tests on the machine. */
const expectLinear = async (of: (size: number) => Promise<unknown>, size: number) => {
  const costOf = async (characters: number) => {
    const before = process.cpuUsage()
    await of(characters)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  await costOf(1_000)
  const [once, twice] = [await costOf(size), await costOf(2 * size)]
  expect({ once, twice, isLinear: twice <= 3 * once + 250 }).toMatchObject({ isLinear: true })
}

describe('variables', () => {
  it.each([2, 100])('%i unknown members give one small error', async (count) => {
    const { size, errors } = await send({ query: REDEEM, variables: { i: members(count) } })
    expect(size).toBeLessThan(2_000)
    expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }])
  })

  it.each([
    [101, { code: 'QUERY_TOO_COMPLEX', details: { reason: 'MAX_MEMBERS' } }],
    [20_000, { code: 'INVALID_REQUEST_FORMAT' }],
  ])('%i members are rejected before they are read', async (count, extensions) => {
    const { size, errors } = await send({ query: REDEEM, variables: { i: members(count) } })
    expect(size).toBeLessThan(2_000)
    expect(errors).toMatchObject([{ extensions }])
  })

  it('of the wrong type give one error that does not repeat them', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }'
    const secret = { secret: 'x'.repeat(10_000) }
    const { size, errors } = await send({ query, variables: { ids: Array(20).fill(secret) } }, platform)
    expect(size).toBeLessThan(2_000)
    expect(errors).toMatchObject([{ message: 'ids.0 must be a string', extensions: { details: { field: 'ids.0' } } }])
  })

  it('with a key that reads like a path do not change the path of the error', async () => {
    const { errors } = await send({ query: REDEEM, variables: { i: { '1" at "i.code[7]": "': 1, code: 'x' } } })
    expect(errors).toMatchObject([{ extensions: { details: { field: 'input' } } }])
  })

  it.each([
    ['a key of many false paths', (size: number) => ({ [' at "aaaa'.repeat(size / 9)]: 1 })],
    ['a key of one long false path', (size: number) => ({ [` at "${'a'.repeat(size)}`]: 1 })],
    ['a key of many false suggestions', (size: number) => ({ [' Did you mean '.repeat(size / 14)]: 1 })],
  ])('%s takes time in proportion to its length', async (_name, inputOf) => {
    const of = async (size: number) => {
      const { size: answered } = await send({ query: REDEEM, variables: { i: { code: 'x', ...inputOf(size) } } })
      expect(answered).toBeLessThan(4_000)
    }
    await expectLinear(of, 100_000)
  })
})

describe('documents', () => {
  it.each<[string, string]>([
    ['an alias', '{ NAME: __typename }'],
    ['a field', '{ NAME }'],
    ['a variable', 'query ($NAME: Int) { __typename }'],
    ['a fragment', '{ ...NAME }'],
    ['a directive', '{ __typename @NAME }'],
    ['an argument', '{ __typename(NAME: 1) }'],
    ['an operation', 'query NAME { __typename }'],
    ['a type', '{ ... on NAME { __typename } }'],
    ['a label', '{ a(b: NAME) }'],
  ])('the name of %s has at most 255 characters', async (_name, template) => {
    const codeOf = async (length: number) =>
      (await send({ query: template.replace('NAME', 'x'.repeat(length)) })).errors?.map(({ extensions }) => extensions)
    expect(await codeOf(255)).not.toMatchObject([{ code: 'QUERY_TOO_COMPLEX' }])
    expect(await codeOf(256)).toMatchObject([
      { code: 'QUERY_TOO_COMPLEX', details: { reason: 'MAX_NAME_LENGTH', limit: 255 } },
    ])
  })

  it('the operation name of a request has at most 255 characters', async () => {
    const { errors } = await send({ query: '{ __typename }', operationName: 'x'.repeat(256) })
    expect(errors).toMatchObject([{ extensions: { details: { reason: 'MAX_NAME_LENGTH' } } }])
  })

  it.each<[string, string]>([
    ['unknown fields', `{ apiInfo { ${many(400, (index) => `unknown${index}`)} } }`],
    ['unknown fields with long names', `{ apiInfo { ${many(400, (index) => `x${index}${'x'.repeat(200)}`)} } }`],
    [
      'conflicting fields',
      `{ ${many(2, (of) => `apiInfo { ${many(160, (index) => `f${index}${'x'.repeat(200)}(x: ${of})`)} }`)} }`,
    ],
    ['a long string in the place of a field', `{ "${'x'.repeat(100_000)}" }`],
    ['a long string in the place of a number', `{ apiInfo @include(if: "${'x'.repeat(100_000)}") { version } }`],
    [
      'a long string in a list of strings',
      `{ apiInfo @include(if: [${many(200, () => `"${'x'.repeat(1_000)}"`)}]) { a } }`,
    ],
  ])('%s: the errors are shorter than 64 KB', async (_name, query) => {
    for (const caller of [null, platform]) {
      const { size, errors } = await send({ query }, caller)
      expect(size).toBeLessThan(65_536)
      expect(errors.length).toBeLessThanOrEqual(11)
    }
  })

  it('of 4,001 lines are rejected, because every location in an error counts lines', async () => {
    const { errors } = await send({ query: `${'\n'.repeat(4_000)}{ unknown }` })
    expect(errors).toMatchObject([{ extensions: { details: { reason: 'MAX_LINES' } } }])
    expect((await send({ query: `${'\n'.repeat(3_999)}{ unknown }` })).errors).toMatchObject([
      { extensions: { code: 'UNAUTHORIZED' } },
    ])
  })

  it('an unknown request parameter is not repeated at length', async () => {
    const { size } = await send({ query: '{ __typename }', ['x'.repeat(200_000)]: 1 })
    expect(size).toBeLessThan(4_000)
  })

  it('a locale is no longer than any in use, because formatters are cached by locale', async () => {
    await createTransactions(platform, [incoming()])
    const formatted = (locale: string) =>
      send(
        {
          query: `{ transactions { nodes { ... on TransactionNode { amount { formatted(locale: "${locale}") } } } } }`,
        },
        platform,
      )
    expect((await formatted(`en-x${'-aaaaaaaa'.repeat(10)}`)).errors).toBeUndefined()
    expect((await formatted(`en-x${'-aaaaaaaa'.repeat(11)}`)).errors).toMatchObject([
      { extensions: { code: 'INVALID_INPUT', details: { field: 'locale' } } },
    ])
  })
})

describe('REST bodies', () => {
  const create = (body: string) => post('/2025-10-13/agents', body, platform)

  it('a list of more than 1,000 values is rejected', async () => {
    const { status, text } = await create(JSON.stringify({ policy: { permissions: Array(1_001).fill(1) } }))
    expect({ status, ...JSON.parse(text) }).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      message: 'policy.permissions must have at most 1000 values',
      details: { field: 'policy.permissions' },
    })
  })

  it('the name of a value is not repeated at length', async () => {
    const { text } = await create(`{"${'x'.repeat(200_000)}":9007199254740993}`)
    expect(text.length).toBeLessThan(8_000)
    expect(JSON.parse(text)).toMatchObject({ code: 'INVALID_INPUT' })
  })
})
