// GraphiQL over HTTP: served only when enabled, small, cached, hardened, and from memory.
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { head, open, pause } from '#test/setup/raw-http.ts'

let gateway: GatewayProcess
let production: GatewayProcess
beforeAll(async () => {
  ;[gateway, production] = await Promise.all([startGateway({ GRAPHIQL: 'true', METRICS_PORT: '0' }), startGateway()])
})
afterAll(() => Promise.all([gateway.kill(), production.kill()]))

const HTML = { accept: 'text/html,application/xhtml+xml', 'sec-fetch-site': 'cross-site' }

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, gateway.url), { headers: { ...HTML, ...headers } })

/** The URLs of the page and of the workers that its script starts. */
const loadedBy = async () => {
  const page = await (await get('/graphql')).text()
  const inPage = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  const script = await (await get(inPage.find((path) => path.endsWith('/graphiql.js')) ?? '')).text()
  return [...inPage, ...[...script.slice(0, 500).matchAll(/"(\/[^"]+\.worker\.js)"/g)].map(([, path = '']) => path)]
}

it('is disabled by default', async () => {
  const answer = await fetch(`${production.url}/graphql`, { headers: HTML })
  expect(answer.status).not.toBe(200)
  expect(answer.headers.get('content-type')).not.toContain('text/html')
  for (const path of await loadedBy()) expect((await fetch(production.url + path)).status).not.toBe(200)
})

it('is a small page for any query string; other clients at the same address get GraphQL', async () => {
  for (const path of ['/graphql', '/graphql/', '/graphql?query=%7B__typename%7D']) {
    const page = await get(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await page.text()).length).toBeLessThan(2_000)
    expect(page.headers.get('vary')).toBe('accept, accept-encoding')
  }
  const data = await get('/graphql?query=%7B__typename%7D', { accept: 'application/json', 'sec-fetch-site': 'none' })
  expect(await data.json()).toEqual({ data: { __typename: 'Query' } })
})

it('loads immutable files, compressed if the client accepts it', async () => {
  const paths = await loadedBy()
  expect(paths.map((path) => path.split('/').at(-1)).sort()).toEqual([
    'editor.worker.js',
    'favicon.ico',
    'graphiql.css',
    'graphiql.js',
    'graphql.worker.js',
    'json.worker.js',
  ])
  for (const path of paths) {
    const plain = await get(path, { 'accept-encoding': 'gzip;q=0, identity' })
    expect([plain.status, plain.headers.get('content-encoding'), plain.headers.get('cache-control')]).toEqual([
      200,
      null,
      'public, max-age=31536000, immutable',
    ])
    const packed = await rawBody(path, 'br;q=1.0, gzip;q=0.8')
    expect(gunzipSync(packed).equals(Buffer.from(await plain.arrayBuffer())), path).toBe(true)
  }
  const [path = ''] = paths
  expect((await get(path.replace(/graphql\/..../, 'graphql/AAAA'), { 'sec-fetch-site': 'none' })).status).toBe(404)
})

it('answers 304 to a client that has it', async () => {
  for (const path of ['/graphql', ...(await loadedBy())]) {
    const etag = (await get(path)).headers.get('etag') ?? ''
    for (const known of [etag, `W/"other", ${etag}`]) {
      const again = await get(path, { 'if-none-match': known })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, ''])
    }
    expect((await get(path, { 'if-none-match': 'W/"other"' })).status).toBe(200)
  }
})

it('cannot be framed by another page, and runs no scripts from elsewhere', async () => {
  for (const path of ['/graphql', ...(await loadedBy())]) {
    const { headers } = await get(path)
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  }
})

it('uses no memory for connections that do not read', async () => {
  const paths = ['/graphql', ...(await loadedBy())]
  const before = await memory()
  const sockets = Array.from({ length: 100 }, (_, at) => {
    const socket = open(gateway.url)
    socket.pause()
    socket.write(head('GET', paths[at % paths.length] ?? '', HTML))
    return socket
  })
  await pause(1_000)
  const began = performance.now()
  const during = await memory()
  const milliseconds = Math.round(performance.now() - began)
  for (const socket of sockets) socket.destroy()
  console.log(`100 connections that do not read: ${before} → ${during} MB, /metrics in ${milliseconds} ms`)
  expect(during - before).toBeLessThan(40)
})

const memory = async () => {
  const metrics = await (await fetch(gateway.metricsUrl)).text()
  return Math.round(Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]) / 2 ** 20)
}

/** The bytes as sent: `fetch` would decompress them. */
const rawBody = async (path: string, accepted: string): Promise<Buffer> => {
  const socket = open(gateway.url)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk as Buffer))
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.write(head('GET', path, { ...HTML, 'accept-encoding': accepted, connection: 'close' }))
  await ended
  const all = Buffer.concat(chunks)
  return all.subarray(all.indexOf('\r\n\r\n') + 4)
}
