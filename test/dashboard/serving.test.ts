// The dashboard is served from a folder, and its calls are executed with the credentials of a platform, only for itself and on this machine.
import { readdirSync, readFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtDashboard, startDashboard } from '#test/setup/dashboard.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform } from '#test/setup/world.ts'

let gateway: GatewayProcess
let plain: GatewayProcess
beforeAll(async () => {
  const platform = await createPlatform()
  ;[gateway, plain] = await Promise.all([startDashboard(platform, { GRAPHIQL: 'true' }), startGateway()])
})
afterAll(() => Promise.all([gateway.kill(), plain.kill()]))

const html = { accept: 'text/html,*/*' }

describe('the page', () => {
  it('answers browsers at every path outside the API', async () => {
    for (const path of ['/', '/payments', '/payments/Transaction:x', '/no/such/screen']) {
      const answer = await fetch(gateway.url + path, { headers: html })
      expect(answer.status, path).toBe(200)
      expect(await answer.text(), path).toContain('<div id="root">')
    }
  })

  it('leaves GraphiQL, the documentation, other pages, the probes and REST as they are', async () => {
    const textAt = async (path: string) => (await fetch(gateway.url + path, { headers: html })).text()
    expect(await textAt('/graphql')).toContain('GraphiQL needs JavaScript')
    expect(await textAt('/docs')).toContain('swagger')
    expect(await textAt('/card-numbers/x')).toContain('There is no such page')
    expect(await textAt('/.well-known/lnurlp/nobody')).not.toContain('<div id="root">')
    expect(JSON.parse(await textAt('/livez'))).toEqual({ status: 'ok' })
    expect(JSON.parse(await textAt('/2025-10-13/transactions'))).toMatchObject({ status: 401 })
    const answer = await fetch(`${gateway.url}/payments`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')])
  })

  it('forbids other sources, and caches what has a hash in its name', async () => {
    const page = await fetch(gateway.url, { headers: html })
    expect(page.headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self';",
    )
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
    const file = await fetch(gateway.url + script, { headers: { 'accept-encoding': 'gzip' } })
    expect(file.headers.get('cache-control')).toContain('immutable')
    expect(file.headers.get('content-encoding')).toBe('gzip')
  })

  it('is not there without the setting', async () => {
    expect((await fetch(plain.url, { headers: html })).status).toBe(404)
    expect((await fetch(`${plain.url}/dashboard/graphql`, { method: 'POST' })).status).toBe(404)
  })

  it('contains no credentials', async () => {
    const { directory } = builtDashboard()
    for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }))
      if (/\.(js|html|css)$/.test(name))
        expect(readFileSync(`${directory}/${name}`, 'utf8')).not.toMatch(/demo-secret|Basic /)
  })
})

describe('a call of the dashboard', () => {
  const { host } = new URL('http://localhost')
  const call = (headers: Record<string, string | undefined> = {}, method = 'POST') => {
    const { port } = new URL(gateway.url)
    const all = {
      host: `localhost:${port}`,
      origin: `http://localhost:${port}`,
      'content-type': 'application/json',
      ...headers,
    }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    return new Promise<{ status: number | undefined; reason: string | undefined; body: string }>((resolve, reject) => {
      const options = { host, port, method, path: '/dashboard/graphql', headers: given as Record<string, string> }
      const sent = send(options, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text) => (body += text))
        response.on('end', () => {
          const reason = body.startsWith('{') ? JSON.parse(body).errors?.[0]?.extensions?.details?.reason : undefined
          resolve({ status: response.statusCode, reason, body })
        })
      }).on('error', reject)
      sent.end(method === 'GET' ? undefined : JSON.stringify({ query: '{ viewer { scheme } }' }))
    })
  }

  it('acts as the platform', async () => {
    expect(JSON.parse((await call()).body)).toEqual({ data: { viewer: { scheme: 'PLATFORM' } } })
    expect((await call({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })

  it('does not let the page choose other credentials', async () => {
    expect((await call({ authorization: 'Basic bm9ib2R5Ondyb25n' })).status).toBe(200)
  })

  it.each<[string, Record<string, string | undefined>, string]>([
    ['a rebound name', { host: 'evil.example:4000', origin: 'http://evil.example:4000' }, 'HOST_NOT_ALLOWED'],
    ['a name that begins like ours', { host: 'localhost.evil.example' }, 'HOST_NOT_ALLOWED'],
    ['a page of another site', { origin: 'https://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
    ['a page of another port of this machine', { origin: 'http://localhost:1' }, 'ORIGIN_NOT_ALLOWED'],
    ['a page without an origin', { origin: 'null' }, 'ORIGIN_NOT_ALLOWED'],
    ['a program without an origin', { origin: undefined }, 'ORIGIN_NOT_ALLOWED'],
    ['another site behind our name', { 'sec-fetch-site': 'cross-site' }, 'ORIGIN_NOT_ALLOWED'],
    ['another port behind our name', { 'sec-fetch-site': 'same-site' }, 'ORIGIN_NOT_ALLOWED'],
    ['somebody behind a proxy', { 'x-forwarded-for': '203.0.113.1' }, 'FORWARDED'],
    ['somebody behind a standard proxy', { forwarded: 'for=203.0.113.1' }, 'FORWARDED'],
  ])('is refused for %s', async (_who, headers, reason) => {
    expect(await call(headers)).toMatchObject({ status: 403, reason })
  })

  it('is refused as GET, and as a form', async () => {
    expect(await call({}, 'GET')).toMatchObject({ status: 403, reason: 'ORIGIN_NOT_ALLOWED' })
    expect((await call({ 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('needs the credentials in the settings, and a proxy that has credentials sends the ids of documents to /graphql', async () => {
    const { directory, documents } = builtDashboard()
    const { clientId, secret } = await createPlatform()
    const without = await startGateway({ DASHBOARD_DIRECTORY: directory })
    try {
      expect((await fetch(without.url, { headers: html })).status).toBe(200)
      expect((await fetch(`${without.url}/dashboard/graphql`, { method: 'POST' })).status).toBe(404)
      const manifest = Object.entries<string>(JSON.parse(readFileSync(documents, 'utf8')))
      const [documentId] = manifest.find(([, text]) => /\bquery Approvals\b/.test(text)) ?? []
      const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ documentId })
      const answer = await fetch(`${without.url}/graphql`, { method: 'POST', headers, body })
      expect(await answer.json()).toMatchObject({ data: { approvals: { totalCount: 0 } } })
    } finally {
      await without.kill()
    }
  })
})
