// A response has at most `maxAnswerBytes` bytes. A longer one is replaced by one error.
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { jsonBytes } from '#core/json/json-size.ts'
import { ask } from '#test/setup/faces.ts'
import { useGraphQLLimits } from '#test/setup/settings.ts'
import { createAgent, createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

const MOST = 20_000

useGraphQLLimits({ maxAnswerBytes: MOST })

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
  for (let n = 0; n < 20; n += 1)
    await createCustomer(platform, { platformCustomerId: `${n} "quoted" é`.padEnd(200, 'é') })
})

/** About 400 bytes for each alias of each customer. */
const customers = (first: number, aliases: number) =>
  `{ customers(first: ${first}) { nodes { ${Array.from({ length: aliases }, (_, n) => `a${n}: platformCustomerId`).join(' ')} } } }`

const TOO_LONG = {
  message: `More than ${MOST} bytes in a response`,
  extensions: {
    status: 400,
    code: 'QUERY_TOO_COMPLEX',
    details: { reason: 'MAX_ANSWER_BYTES', limit: MOST },
    traceId: expect.any(String),
  },
}

describe('a response', () => {
  it('that is too long becomes HTTP 400 with one error', async () => {
    for (const document of [customers(20, 4), customers(4, 20)]) {
      const { status, data, errors } = await ask(platform, document)
      expect({ status, data, errors }).toEqual({ status: 400, data: undefined, errors: [TOO_LONG] })
    }
  })

  it('may have exactly as many bytes as the limit', async () => {
    const lengths: number[] = []
    for (let first = 1; first <= 20; first += 1) {
      const answer = await ask(platform, customers(first, 3))
      lengths.push(answer.errors ? Number.POSITIVE_INFINITY : Number(answer.headers.get('content-length')))
    }
    const answered = lengths.filter(Number.isFinite)
    const each = (answered[1] ?? 0) - (answered[0] ?? 0)
    expect(Math.max(...answered)).toBeLessThanOrEqual(MOST)
    expect(Math.max(...answered) + each).toBeGreaterThan(MOST - 50)
    expect(answered.length).toBeLessThan(20)
  })

  it('that is too long for a mutation says that the mutation was carried out', async () => {
    const { id: customerId } = await createCustomer(platform, { platformCustomerId: 'y'.repeat(250) })
    const { id } = await createAgent(platform, { customerId })
    const many = (part: (n: number) => string) => Array.from({ length: 10 }, (_, n) => part(n)).join(' ')
    const answer = await ask(
      platform,
      `mutation { updateAgent(input: { id: "Agent:${id}", name: "Renamed" }) {
        ... on UpdateAgentSuccess { agent { ${many((n) => `c${n}: customer { ...F }`)} } } } }
      fragment F on Customer { ${many((n) => `a${n}: platformCustomerId`)} }`,
    )
    const message = `${TOO_LONG.message}. The mutation was executed. Read its outcome with fewer fields.`
    expect(answer).toMatchObject({ status: 400, errors: [{ ...TOO_LONG, message }] })
    const read = await ask(platform, `{ node(id: "Agent:${id}") { ... on Agent { name } } }`)
    expect(read.data).toEqual({ node: { name: 'Renamed' } })
  })

  it('is measured including its errors', async () => {
    const ids = JSON.stringify(Array.from({ length: 60 }, () => 'no id'))
    const { status, errors } = await ask(platform, `{ nodes(ids: ${ids}) { id } }`)
    expect(status, JSON.stringify(errors).slice(0, 300)).toBe(400)
  })

  it('the limit can be queried like the others', async () => {
    const { data } = await ask<{ apiInfo: object }, never>(null, '{ apiInfo { limits { maxAnswerBytes maxSchemas } } }')
    expect(data).toEqual({ apiInfo: { limits: { maxAnswerBytes: MOST, maxSchemas: 1 } } })
  })
})

it('the length of JSON is computed without serializing it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, stringUnit: 'binary' }), (value) => {
      const exact = Buffer.byteLength(JSON.stringify(value))
      const counted = jsonBytes(value, Number.POSITIVE_INFINITY)
      const containers = JSON.stringify(value).match(/[[{]/g)?.length ?? 0
      // One comma more for each list and object.
      expect(counted).toBeGreaterThanOrEqual(exact)
      expect(counted).toBeLessThanOrEqual(exact + containers + 10)
    }),
  )
})
