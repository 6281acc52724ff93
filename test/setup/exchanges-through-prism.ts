// With PRISM=1: all that a test file sends to REST, and what the gateway answered, goes through Prism once more. No answer may leave the
// contract, and no request that the gateway let pass. The gateway answers in process as ever: Prism's upstream only repeats it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { closed, type Prism, startPrism, type Violation, violationsOf } from './prism.ts'

interface Exchange {
  readonly request: Request
  readonly sent: string | null
  readonly response: Response
}

interface Found extends Violation {
  readonly call: string
  readonly status: number
}

const BASE = /^\/2025-10-13(?=\/)/
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

const exchanges = new Map<string, Exchange>()
const checks: Promise<void>[] = []
const found: Found[] = []
let prism: Prism

const upstream = createServer(async (request, response) => {
  const exchange = exchanges.get(String(request.headers['x-exchange']))
  response.writeHead(exchange?.response.status ?? 500, [...(exchange?.response.headers ?? [])].flat())
  response.end(Buffer.from((await exchange?.response.arrayBuffer()) ?? []))
})

const isJson = (text: string) => {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

const check = async ({ request, sent, response }: Exchange) => {
  const id = String(checks.length)
  exchanges.set(id, { request, sent, response })
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.set('x-exchange', id)
  // What is no JSON, Prism does not forward.
  const body = sent && isJson(sent) ? sent : null
  if (body === null) headers.delete('content-type')
  const path = pathname.replace(BASE, '') + search
  const checked = await fetch(prism.url + path, { method: request.method, headers, body })
  const call = `${request.method} ${path}`
  found.push(...violationsOf(checked).map((violation) => ({ call, status: response.status, ...violation })))
  exchanges.delete(id)
}

beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { default: contract } = await import('#rest/openapi.json', { with: { type: 'json' } })
  prism = await startPrism(closed(contract), `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`)

  const { app } = await import('#app.ts')
  const inProcess = app.fetch
  app.fetch = async (request, clientAddress) => {
    if (!BASE.test(new URL(request.url).pathname) || !METHODS.includes(request.method)) {
      return inProcess(request, clientAddress)
    }
    const copy = request.body && request.clone()
    const response = await inProcess(request, clientAddress)
    const answered = response.clone()
    // One that was too long may have no end.
    if (response.status === 413) await copy?.body?.cancel()
    const sent = copy && response.status !== 413 ? await copy.text() : null
    checks.push(check({ request, sent, response: answered }))
    return response
  }
})

afterAll(async () => {
  await Promise.all(checks)
  await prism.close()
  upstream.close()
  console.log(`Prism: ${checks.length} exchanges, ${found.length} violations`)
  expect(found).toEqual([])
})
