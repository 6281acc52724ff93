// Requests refused before they reach GraphQL or REST: invalid bodies, unsupported methods, unusual paths.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { codeOf, head, open, sendRaw } from '#test/setup/raw-http.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const CAP = 2 ** 18

let platform: Platform
let gateway: GatewayProcess

beforeAll(async () => {
  platform = await createPlatform()
  gateway = await startGateway({ LOG_LEVEL: 'error', METRICS_PORT: '0' })
})
afterAll(() => gateway.kill())

type Headers = Readonly<Record<string, string>>

const JSON_TYPE = { 'content-type': 'application/json' }
const CHUNKED = { 'transfer-encoding': 'chunked' }

const request = (method: string, path: string, headers: Headers) =>
  head(method, path, { authorization: basic(platform), ...headers })

const send = (method: string, path: string, headers: Headers = {}, body = '') => {
  const length = body === '' ? undefined : { 'content-length': String(Buffer.byteLength(body)) }
  return sendRaw(gateway.url, request(method, path, { ...length, ...headers }) + body, { waitsForEnd: isTooLong(body) })
}

const isTooLong = (body: string) => body.length > CAP

const sendChunked = (path: string, body: string, headers: Headers = JSON_TYPE) => {
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  return sendRaw(gateway.url, request('POST', path, { ...headers, ...CHUNKED }) + chunk, {
    waitsForEnd: isTooLong(body),
  })
}

const QUERY = JSON.stringify({ query: '{ __typename }' })
const QUOTES = '/2025-10-13/quotes'
const LIST = '/2025-10-13/transactions'
const FACES = [
  ['GraphQL', '/graphql', QUERY],
  ['REST', QUOTES, '{}'],
] as const

describe.each(FACES)('a body over %s', (_name, path, small) => {
  it.each([2 ** 10, CAP - 1, CAP])('may have %i bytes', async (size) => {
    for (const answer of [
      await send('POST', path, JSON_TYPE, small.padEnd(size)),
      await sendChunked(path, small.padEnd(size)),
    ]) {
      expect([200, 400]).toContain(answer.status)
      expect(answer.body).not.toContain('at most')
    }
  })

  it.each([CAP + 1, 2 ** 20, 2 ** 24])('may not have %i bytes: 413, and the connection closes', async (size) => {
    for (const answer of [
      await send('POST', path, JSON_TYPE, small.padEnd(size)),
      await sendChunked(path, small.padEnd(size)),
    ]) {
      // A connection that closes during a large upload may be reset before the response is read.
      const isCutOff = size === 2 ** 24 && answer.status === 0
      const told = isCutOff ? [0, undefined, true] : [413, 'PAYLOAD_TOO_LARGE', true]
      expect([answer.status, isCutOff ? undefined : codeOf(answer), answer.isClosed]).toEqual(told)
    }
  })

  it.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a multipart form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['a bare document', { 'content-type': 'application/graphql' }],
    ['JSON of another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['without a content type', {}],
    ['an empty type', { 'content-type': '' }],
    ['gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }],
    ['br', { ...JSON_TYPE, 'content-encoding': 'br' }],
    ['gzip twice', { ...JSON_TYPE, 'content-encoding': 'gzip, gzip' }],
  ])('may not be %s: 415', async (_type, headers) => {
    for (const answer of [await send('POST', path, headers, small), await sendChunked(path, small, headers)]) {
      expect([answer.status, codeOf(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })

  it.each(['iso-8859-1', '"UTF-16"', 'utf8'])('is told its charset if that is %s', async (charset) => {
    const answer = await send('POST', path, { 'content-type': `application/json; charset=${charset}` }, small)
    expect([answer.status, answer.body]).toEqual([
      415,
      expect.stringContaining('The charset of the body must be UTF-8'),
    ])
  })

  it.each(['utf-8', 'UTF-8', '"utf-8"', '"Utf-8"'])('may name its charset %s', async (charset) => {
    const answer = await send('POST', path, { 'content-type': `application/json; charset=${charset}` }, small)
    expect([200, 400]).toContain(answer.status)
  })

  it('is requested with 100 Continue only if it will be accepted', async () => {
    const expecting = { ...JSON_TYPE, expect: '100-continue' }
    const tooLong = await sendRaw(
      gateway.url,
      request('POST', path, { ...expecting, 'content-length': String(CAP + 1) }),
    )
    expect(tooLong.status).toBe(413)
    const wanted = await sendRaw(gateway.url, request('POST', path, { ...expecting, 'content-length': '2' }))
    expect(wanted.status).toBe(100)
  })
})

it('over REST a content type without a body means nothing', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const answers = [
      await send('GET', LIST, { 'content-type': type }),
      await send('POST', `${QUOTES}/x/execute`, { 'content-type': type, 'content-length': '0' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  }
})

it('over GraphQL there must be one', async () => {
  for (const headers of [{}, { 'content-length': '0' }, { 'content-type': '' }, JSON_TYPE]) {
    const answer = await send('POST', '/graphql', headers)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST_FORMAT'])
  }
})

it('is not buffered: a gibibyte is refused in the memory of a kilobyte', async () => {
  const residentBytes = async () => {
    const body = await (await fetch(gateway.metricsUrl)).text()
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(body)?.[1])
  }
  for (const [, path, small] of FACES) await sendChunked(path, small.padEnd(CAP + 1))
  const before = await residentBytes()
  let peak = 0
  let sent = 0
  for (const [, path] of FACES) {
    for (const headers of [{ 'content-length': String(2 ** 30) }, CHUNKED]) {
      const socket = open(gateway.url)
      socket.resume()
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
      let isOpen = true
      void closed.then(() => {
        isOpen = false
      })
      socket.write(request('POST', path, { ...JSON_TYPE, ...headers }))
      const block = Buffer.alloc(2 ** 20, ' ')
      const piece =
        'content-length' in headers ? block : Buffer.concat([Buffer.from('100000\r\n'), block, Buffer.from('\r\n')])
      for (let i = 0; i < 2 ** 10 && isOpen; i++) {
        sent += block.length
        if (!socket.write(piece)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
      }
      await closed
      peak = Math.max(peak, await residentBytes())
    }
  }
  console.log(
    `4 bodies of 1 GiB: ${(sent / 2 ** 20).toFixed(0)} MiB sent, memory grew by ${((peak - before) / 2 ** 20).toFixed(1)} MiB`,
  )
  expect(peak - before).toBeLessThan(20 * 2 ** 20)
})

describe('methods', () => {
  it.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    '%s is 405 over GraphQL',
    async (method) => {
      const { status, headers } = await send(method, '/graphql')
      expect([status, headers.get('allow')]).toEqual([405, 'GET, POST'])
    },
  )

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    '%s is 405 on a list of REST',
    async (method) => {
      const { status, headers } = await send(method, LIST)
      expect([status, headers.get('allow')]).toEqual([405, 'GET'])
    },
  )

  it('a mutation over GET is 405', async () => {
    const query = encodeURIComponent('mutation { createQuote(input: {}) { __typename } }')
    const answer = await send('GET', `/graphql?query=${query}`)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(JSON.parse(answer.body).errors).toMatchObject([{ extensions: { status: 405, code: 'METHOD_NOT_ALLOWED' } }])
  })

  it('an unknown method is not a valid request', async () => {
    expect((await send('NOTHING', LIST)).status).toBe(400)
  })
})

describe('a path', () => {
  const ODD = [
    '%',
    '%zz',
    '%00',
    '%0d%0a',
    '%ED%A0%80',
    '%C0%AF',
    '%2e%2e%2f',
    '..',
    '..%2f',
    '//',
    '/./',
    ';',
    '\\',
    '|',
    '^',
    '{}',
    '"',
    '<',
    '\x7f',
    'é',
    '\u202e',
    '💶',
    '[',
    ']',
    '@',
    ':',
    '*',
    '#',
    '?',
    '&&',
    '__proto__',
    'constructor',
  ]
  const at = (piece: string) => [
    `/${piece}`,
    `${LIST}/${piece}`,
    `${LIST}/Transaction:${piece}`,
    `/${piece}${LIST}`,
    `/graphql/${piece}`,
    `/graphql?query=${piece}`,
    `/graphql?query={__typename}&variables=${piece}`,
    `${LIST}?cursor=${piece}`,
    piece,
  ]
  it('that is unusual or long gets a response, but never 5xx', async () => {
    const long = [100, 2_000, 8_000, 15_000, 20_000, 100_000].flatMap((n) => [
      'a'.repeat(n),
      '%41'.repeat(n / 3),
      '../'.repeat(n / 3),
    ])
    const statuses = new Map<number, number>()
    for (const target of [...ODD, ...long].flatMap(at)) {
      const { status, body } = await sendRaw(gateway.url, Buffer.from(request('GET', target, {})))
      expect([200, 400, 401, 404, 405, 431], `${status} for ${target.slice(0, 80)} ${body.slice(0, 200)}`).toContain(
        status,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    console.log(`unusual paths: ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(', ')}`)
  })

  const DOTS = ['..', '.', '%2e%2e', '%2E.', '.%2e', '%2e', '%2E']
  it.each(DOTS)(
    'with the segment %s is refused, so that no page gets past the check of origins by it',
    async (dots) => {
      const paths = [
        `/docs/${dots}${LIST}`,
        `/docs/x/${dots}/${dots}${LIST}?limit=1`,
        `/docs/..\\${dots}${LIST}`,
        `/docs/${dots}`,
      ]
      for (const path of paths) {
        const answer = await send('GET', path, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
        expect([answer.status, codeOf(answer)], path).toEqual([400, 'INVALID_INPUT'])
      }
    },
  )

  it('may contain dots that are not a segment, and dots in the query string', async () => {
    for (const path of [`${LIST}?reference=../x`, '/livez?/../', '/docs?a=/./']) {
      expect((await send('GET', path)).status, path).toBe(200)
    }
    for (const path of [`${LIST}/..x`, `${LIST}/x..`, `${LIST}/...`]) expect((await send('GET', path)).status).toBe(404)
  })

  it('may be given as an absolute URL', async () => {
    expect((await send('GET', `http://gateway${LIST}`)).status).toBe(200)
    expect((await send('POST', 'http://gateway/graphql', JSON_TYPE, QUERY)).status).toBe(200)
    expect((await send('GET', `http://gateway/docs/..${LIST}`)).status).toBe(400)
  })

  it('must have a single Host header', async () => {
    const twice = `${request('GET', LIST, {}).slice(0, -2)}Host: evil.example\r\n\r\n`
    const answer = await sendRaw(gateway.url, twice)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_INPUT'])
  })

  it('with an invalid Host header gets a response too', async () => {
    for (const host of ['', 'a b', 'évil', '[::1', 'a/b', 'a@b', 'x:99999', '%', 'a\\b']) {
      for (const path of ['/graphql', LIST]) {
        expect((await send('GET', path, { host, accept: 'application/json' })).status, host).toBeLessThan(500)
      }
    }
  })
})

it('a page of our own origin may call', async () => {
  const answer = await send(
    'POST',
    '/graphql',
    { ...JSON_TYPE, origin: 'http://gateway', 'sec-fetch-site': 'same-origin' },
    QUERY,
  )
  expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { data: { __typename: 'Query' } }])
})

it('a link from any site leads to the docs, which need no credentials', async () => {
  for (const path of [
    '/docs',
    '/docs/swagger-ui.css',
    '/openapi.json',
    '/openapi.json?download',
    '/2025-10-13/openapi.json',
  ]) {
    expect((await send('GET', path, { 'sec-fetch-site': 'cross-site' })).status, path).toBe(200)
  }
  for (const path of ['/docsx', '/openapi.json.x', LIST]) {
    expect((await send('GET', path, { 'sec-fetch-site': 'cross-site' })).status, path).toBe(403)
  }
})
