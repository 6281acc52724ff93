// JSON bodies of GraphQL are parsed like those of REST.
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
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

  it('that is valid is executed', async () => {
    const body =
      '{"query":"query ($first: Int) { transactions(first: $first) { nodes { __typename } } }","variables":{"first":1}}'
    expect(await send(body, headersOf(body))).toEqual({ status: 200, body: { data: { transactions: { nodes: [] } } } })
  })
})

it('a body with many members is read in linear time', async () => {
  const timeOf = async (bytes: number) => {
    const members = Array.from({ length: bytes / 16 }, (_, index) => `"member${index}":0`).join()
    const body = `{"query":"{ __typename }","extensions":{${members}}}`
    const began = performance.now()
    // Refused once it has been read: an object may have 100 members.
    expect((await send(body, {})).status).toBe(400)
    return performance.now() - began
  }
  await timeOf(2 ** 14)
  const small = Math.min(await timeOf(2 ** 16), await timeOf(2 ** 16), await timeOf(2 ** 16))
  const large = Math.min(
    await timeOf(2 ** 18 - 2 ** 15),
    await timeOf(2 ** 18 - 2 ** 15),
    await timeOf(2 ** 18 - 2 ** 15),
  )
  console.log(`64 KiB in ${small.toFixed(0)} ms, 224 KiB in ${large.toFixed(0)} ms`)
  expect(large).toBeLessThan(10 * small + 50)
})
