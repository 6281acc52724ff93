// With PRISM=1, every REST exchange of a test file is repeated through Prism. No response may violate the contract, and no request
// that the gateway accepted. The gateway answers in process as usual, and Prism's upstream only repeats its response.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { closed, type Prism, startPrism, type Violation, violationsOf } from './prism.ts'

interface Found extends Violation {
  readonly call: string
  readonly status: number
}

const BASE = /^\/2025-10-13(?=\/)/
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

const answers = new Map<string, Response>()
const checks: Promise<void>[] = []
const found: Found[] = []
let prism: Prism
let app: typeof import('#app.ts').app
let inProcess: (typeof app)['fetch']

const upstream = createServer(async (request, response) => {
  const answer = answers.get(String(request.headers['x-exchange'])) ?? Response.error()
  response.writeHead(answer.status, [...answer.headers].flat())
  response.end(Buffer.from(await answer.arrayBuffer()))
})

/** The body as Prism rewrites it. Null unless it is an object or an array, because Prism forwards no other bodies. */
const jsonOf = (sent: readonly Uint8Array[]): string | null => {
  try {
    const value: unknown = JSON.parse(Buffer.concat(sent).toString('utf8'))
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : null
  } catch {
    return null
  }
}

/** Prism checks only the scheme, in one case and with one space, and cannot parse colons in a secret. */
const withoutSecret = (authorization: string) =>
  authorization.replace(/^b(asic|earer) .*$/i, (_all, name: string) => `B${name.toLowerCase()} dTpw`)

const check = async (request: Request, sent: readonly Uint8Array[], response: Response) => {
  const id = String(checks.length)
  answers.set(id, response)
  const { pathname, search } = new URL(request.url)
  const headers = new Headers(request.headers)
  headers.set('x-exchange', id)
  const authorization = headers.get('authorization')
  if (authorization) headers.set('authorization', withoutSecret(authorization))
  const body = jsonOf(sent)
  if (body === null) headers.delete('content-type')
  const path = pathname.replace(BASE, '') + search
  const checked = await fetch(prism.url + path, { method: request.method, headers, body })
  await checked.arrayBuffer()
  const call = `${request.method} ${path}`
  found.push(...violationsOf(checked).map((violation) => ({ call, status: response.status, ...violation })))
  answers.delete(id)
}

/** Prism fails on a path that cannot be decoded, and takes 501 as a request for a made-up response. */
const isForPrism = ({ url }: Request, { status }: Response): boolean => {
  try {
    return status !== 501 && decodeURIComponent(new URL(url).pathname) !== ''
  } catch {
    return false
  }
}

/** The same request, with the body as read. */
const watched = (request: Request): { request: Request; sent: readonly Uint8Array[] } => {
  const sent: Uint8Array[] = []
  if (!request.body) return { request, sent }
  const body = request.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        sent.push(chunk)
        controller.enqueue(chunk)
      },
    }),
  )
  // Node requires it for streamed bodies, but the types lack it.
  return { request: new Request(request, { body, ...{ duplex: 'half' } }), sent }
}

beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const { default: contract } = await import('#rest/openapi.json', { with: { type: 'json' } })
  prism = await startPrism(closed(contract), `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`)

  ;({ app } = await import('#app.ts'))
  inProcess = app.fetch
  app.fetch = async (request, clientAddress) => {
    if (!BASE.test(new URL(request.url).pathname) || !METHODS.includes(request.method)) {
      return inProcess(request, clientAddress)
    }
    const { request: passed, sent } = watched(request)
    const response = await inProcess(passed, clientAddress)
    if (isForPrism(request, response)) checks.push(check(request, sent, response.clone()))
    return response
  }
})

afterAll(async () => {
  app.fetch = inProcess
  await Promise.all(checks)
  await prism.close()
  upstream.close()
  console.log(`Prism: ${checks.length} exchanges, ${found.length} violations`)
  expect(found).toEqual([])
})
