// Pages of other origins: those listed in CORS_ORIGINS may call, and the others get the reason for the refusal.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { codeOf, head, sendRaw } from '#test/setup/raw-http.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const LISTED = 'https://app.example'

let platform: Platform
let gateway: GatewayProcess
let behindProxy: GatewayProcess

beforeAll(async () => {
  platform = await createPlatform()
  const settings = { CORS_ORIGINS: `${LISTED}, https://other.example:8443`, LOG_LEVEL: 'warn' }
  const started = [startGateway(settings), startGateway({ ...settings, TRUSTED_PROXIES: '1' })] as const
  ;[gateway, behindProxy] = await Promise.all(started)
})
afterAll(() => Promise.all([gateway.kill(), behindProxy.kill()]))

type Headers = Readonly<Record<string, string>>

const JSON_TYPE = { 'content-type': 'application/json' }
const QUERY = JSON.stringify({ query: '{ __typename }' })
const QUOTES = '/2025-10-13/quotes'
const LIST = '/2025-10-13/transactions'

const request = (method: string, path: string, headers: Headers) =>
  head(method, path, { authorization: basic(platform), ...headers })

const send = (method: string, path: string, headers: Headers = {}, body = '') => {
  const length = body === '' ? undefined : { 'content-length': String(Buffer.byteLength(body)) }
  return sendRaw(gateway.url, request(method, path, { ...length, ...headers }) + body)
}

const OWN = 'http://gateway'
const ORIGINS: [string, Headers, boolean][] = [
  ['no browser', {}, true],
  ['our own page', { origin: OWN, 'sec-fetch-site': 'same-origin' }, true],
  ['our own page behind TLS', { origin: 'https://gateway', 'sec-fetch-site': 'same-origin' }, true],
  [
    'our own page behind TLS, if anybody could say so',
    { origin: 'https://gateway', 'x-forwarded-proto': 'https' },
    false,
  ],
  ['our own host by another scheme', { origin: 'https://gateway', 'sec-fetch-site': 'cross-site' }, false],
  ['a foreign page of a lying client', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, false],
  ['an address typed in', { 'sec-fetch-site': 'none' }, true],
  ['a listed page', { origin: LISTED, 'sec-fetch-site': 'cross-site' }, true],
  ['another listed page', { origin: 'https://other.example:8443', 'sec-fetch-site': 'cross-site' }, true],
  ['a foreign page', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, false],
  ['a foreign page of an old browser', { origin: 'https://evil.example' }, false],
  ['a foreign link, image or form', { 'sec-fetch-site': 'cross-site' }, false],
  ['a page without an origin', { origin: 'null' }, false],
  ['another port of ours', { origin: `${OWN}:8080` }, false],
  ['a host that only begins like ours', { origin: `${OWN}.evil.example` }, false],
  ['a host that only ends like a listed one', { origin: 'https://evilapp.example' }, false],
  ['a listed host without TLS', { origin: 'http://app.example' }, false],
  ['two origins', { origin: `${OWN}, https://evil.example` }, false],
  ['no address', { origin: 'x' }, false],
]

describe.each(ORIGINS)('a request from %s', (_from, headers, isLetIn) => {
  const SHAPES: [string, string, Headers, string][] = [
    ['POST', '/graphql', JSON_TYPE, QUERY],
    ['GET', '/graphql?query=%7B__typename%7D', {}, ''],
    ['GET', LIST, {}, ''],
    ['POST', QUOTES, JSON_TYPE, '{}'],
    ['POST', '/2025-10-13/quotes/x/execute', {}, ''],
    ['DELETE', '/2025-10-13/agents/x', {}, ''],
  ]
  it.each(SHAPES)('%s %s', async (method, path, more, body) => {
    const answer = await send(method, path, { ...headers, ...more }, body)
    expect(answer.status === 403, `${answer.status} ${answer.body}`).toBe(!isLetIn)
    if (!isLetIn) {
      expect(codeOf(answer)).toBe('FORBIDDEN')
      expect(answer.body).toContain('"reason":"ORIGIN_NOT_ALLOWED"')
      expect(answer.body).toContain('CORS_ORIGINS')
    }
    expect(answer.headers.get('access-control-allow-origin')).toBe(
      headers['origin'] === LISTED || headers['origin']?.includes('other') ? headers['origin'] : undefined,
    )
    expect(answer.headers.get('access-control-allow-credentials')).toBeUndefined()
    expect(answer.headers.get('vary')).toBe('origin')
  })

  it('from a web page never triggers a password prompt', async () => {
    for (const path of ['/graphql', QUOTES]) {
      const answer = await sendRaw(
        gateway.url,
        `${head('POST', path, { ...headers, ...JSON_TYPE, 'content-length': '2' })}{}`,
      )
      expect(answer.status).toBe(isLetIn ? (path === '/graphql' ? answer.status : 401) : 403)
      expect(answer.headers.has('www-authenticate')).toBe(answer.status === 401 && !('origin' in headers))
    }
  })

  it('from an allowed origin passes the preflight for what it may send', async () => {
    const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    for (const path of ['/graphql', QUOTES]) {
      const answer = await sendRaw(gateway.url, head('OPTIONS', path, { ...headers, ...asks }))
      const isListed = answer.headers.has('access-control-allow-origin') && answer.status === 204
      expect(isListed).toBe(isLetIn && headers['sec-fetch-site'] === 'cross-site')
      if (isListed) expect(answer.headers.get('access-control-allow-headers')).toContain('authorization')
    }
  })
})

it('a trusted proxy states whether our own page was loaded over TLS', async () => {
  const statusOf = async (origin: string, proto: string) => {
    const headers = { ...JSON_TYPE, 'content-length': String(QUERY.length), origin, 'x-forwarded-proto': proto }
    return (await sendRaw(behindProxy.url, request('POST', '/graphql', headers) + QUERY)).status
  }
  expect(await statusOf('https://gateway', 'https')).toBe(200)
  expect(await statusOf('http://gateway', 'https')).toBe(403)
  expect(await statusOf('http://gateway', 'http')).toBe(200)
  expect(await statusOf('https://gateway', 'http')).toBe(403)
})

describe('a CORS preflight', () => {
  const preflight = (origin: string, names: string) =>
    send('OPTIONS', '/graphql', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': names,
    })

  it.each([
    'x-query-cost,x-request-id',
    'idempotency-key,request-id,service-wallet-signature',
    'traceparent,tracestate,baggage',
    'accept,apollo-require-preflight,apollographql-client-name,apollographql-client-version,authorization,content-type',
    'x-apollo-operation-id,x-apollo-operation-name',
    'x-something-of-their-own',
  ])('from an allowed origin allows %s', async (names) => {
    const { status, headers } = await preflight(LISTED, names)
    expect([status, headers.get('access-control-allow-headers')]).toEqual([204, names])
    expect(headers.get('vary')).toBe('origin, access-control-request-headers')
  })

  it('from any other origin is refused with the reason, and the log names the setting once', async () => {
    for (let index = 0; index < 20; index += 1) {
      const answer = await preflight(`https://${index}.evil.example`, 'authorization')
      expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN'])
      expect(answer.body).toContain('CORS_ORIGINS=https://app.example')
    }
    const lines = gateway
      .log()
      .split('\n')
      .filter((line) => line.includes('CORS_ORIGINS'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', event: 'request of another origin refused', setting: 'CORS_ORIGINS' },
    ])
    expect(gateway.log()).not.toContain('evil')
  })
})

it('a simple request from a foreign page changes nothing', async () => {
  const before = await db.quote.count()
  let refused = 0
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json',
  ]
  for (const type of types) {
    for (const from of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      for (const [path, body] of [
        ['/graphql', '{"query":"mutation { createQuote(input: {}) { __typename } }"}'],
        ['/graphql', 'query=mutation+%7B+__typename+%7D'],
        [QUOTES, '{}'],
      ] as const) {
        expect((await send('POST', path, { ...from, 'content-type': type }, body)).status).toBe(403)
        refused += 1
      }
    }
  }
  console.log(`simple requests ${refused}, state changes ${(await db.quote.count()) - before}`)
  expect(await db.quote.count()).toBe(before)
})
