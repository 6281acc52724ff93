// What a supervisor sees of a gateway: probes, metrics, log, traces, and how it stops.
import { createServer } from 'node:http'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { db } from '#database/db.ts'
import { exchange } from '#http/exchange.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { head, open, pause, sendRaw } from '#test/setup/raw-http.ts'
import { createPlatform, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
  await createTransactions(platform, [incoming()])
})

/** A test that runs beside others passes its own `onTestFinished`. */
const start = async (settings?: Record<string, string>, whenFinished = onTestFinished) => {
  const gateway = await startGateway(settings)
  whenFinished(() => gateway.kill())
  await ready(gateway)
  return gateway
}
const ready = ({ url }: GatewayProcess) =>
  vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 20_000 })

const list = ({ url }: GatewayProcess, init: RequestInit = {}) =>
  fetch(`${url}/2025-10-13/transactions`, { headers: { authorization: basic(platform) }, ...init })
const ask = ({ url }: GatewayProcess, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: basic(platform), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

it('a gateway is live, becomes ready, and counts requests', async () => {
  const gateway = await start({ METRICS_PORT: '0' })
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200)
  expect(await (await fetch(`${gateway.url}/readyz`)).json()).toEqual({ status: 'ok' })
  await (await list(gateway)).text()
  await (await ask(gateway, { query: 'query Mine { transactions { totalCount } }' })).text()
  const metrics = await (await fetch(gateway.metricsUrl)).text()
  for (const labels of [
    'face="rest",method="GET",operation="/2025-10-13/transactions",status="200"',
    'face="graphql",method="POST",operation="query transactions",status="200"',
  ]) {
    expect(metrics).toContain(`http_request_duration_seconds_count{${labels}} 1`)
  }
  for (const name of [
    'database_connections{state="idle"}',
    'nodejs_eventloop_lag_seconds',
    'process_resident_memory_bytes',
  ])
    expect(metrics).toContain(name)
  expect((await fetch(`${gateway.metricsUrl}/x`)).status).toBe(404)
  expect((await fetch(gateway.metricsUrl, { method: 'POST' })).status).toBe(404)
})

it('what a request needed is freed by the next collection of young objects', { timeout: 120_000 }, async () => {
  const gateway = await startGateway({}, { isMeasured: true })
  onTestFinished(() => gateway.kill())
  await ready(gateway)
  const REQUESTS = 400
  const send = async () => {
    for (let sent = 0; sent < REQUESTS; sent += 2) {
      await (await list(gateway)).text()
      await (await ask(gateway, { query: '{ transactions(first: 1) { nodes { id } } }' })).text()
    }
  }
  // Compiled code is old, too.
  await send()
  await gateway.use('memory')
  const keptByEach = async () => {
    const before = await gateway.use('old')
    await send()
    const after = await gateway.use('old')
    return Math.round((after.old - before.old) / REQUESTS)
  }
  // On a busy machine, objects also become old because a request lasts longer. That differs between rounds.
  const kept = [await keptByEach(), await keptByEach(), await keptByEach()]
  console.log(`old bytes for each request, in three rounds: ${kept.join(', ')}`)
  expect(Math.min(...kept)).toBeLessThan(4_000)
})

it('metrics are not served on the port of the API, except in the demo', async () => {
  const statusOf = async (settings: Record<string, string>) =>
    (await fetch(`${(await start(settings)).url}/metrics`)).status
  expect(await Promise.all([statusOf({}), statusOf({ METRICS_PORT: '0' }), statusOf({ DEMO: 'true' })])).toEqual([
    404, 404, 200,
  ])
})

const linesOf = (gateway: GatewayProcess) =>
  gateway
    .log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('what the gateway records', () => {
  const ALLOWED = [
    'level',
    'time',
    'event',
    'traceId',
    'face',
    'method',
    'operation',
    'status',
    'milliseconds',
    'platformId',
  ]

  it('log, metrics and traces have named fields and nothing that a caller sent', async () => {
    const traces: Buffer[] = []
    const collector = createServer((request, response) => {
      request.on('data', (chunk) => traces.push(chunk)).on('end', () => response.end())
    }).listen(0)
    const { port } = collector.address() as { port: number }
    const gateway = await start({
      METRICS_PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })

    let canaries = 0
    const canary = () => {
      canaries += 1
      return `canary${canaries}x`
    }
    const traceId = 'c0ffee00c0ffee00c0ffee00c0ffee00'
    const headers = () => ({
      'idempotency-key': canary(),
      'service-wallet-signature': canary(),
      'request-id': canary(),
      'x-request-id': canary(),
      'user-agent': canary(),
      cookie: canary(),
      traceparent: `00-${traceId}-c0ffee00c0ffee00-01`,
    })
    const wrong = () => basic({ clientId: canary(), secret: canary() })
    const ids: (string | null)[] = []
    for (const send of [
      () =>
        ask(
          gateway,
          {
            query: `query ${canary()} { ${canary()}: transactions(filter: { reference: "${canary()}" }) { totalCount } }`,
            operationName: null,
          },
          headers(),
        ),
      () => ask(gateway, { query: `{ ${canary()} }`, variables: { [canary()]: canary() } }, headers()),
      () => ask(gateway, { query: '{ __typename }' }, { ...headers(), authorization: wrong() }),
      () =>
        ask(
          gateway,
          { query: `mutation { createQuote(input: { ${canary()}: "${canary()}" }) { __typename } }` },
          headers(),
        ),
      () =>
        fetch(`${gateway.url}/graphql`, {
          method: 'POST',
          headers: { ...headers(), 'content-type': 'application/json' },
          body: `{${canary()}`,
        }),
      () => list(gateway, { headers: { ...headers(), authorization: wrong() } }),
      () =>
        fetch(`${gateway.url}/2025-10-13/transactions/${canary()}?${canary()}=${canary()}`, {
          headers: { ...headers(), authorization: basic(platform) },
        }),
      () => fetch(`${gateway.url}/${canary()}`, { headers: headers() }),
      () =>
        fetch(`${gateway.url}/2025-10-13/quotes`, {
          method: 'POST',
          headers: { ...headers(), authorization: basic(platform), 'content-type': 'application/json' },
          body: JSON.stringify({ lookupId: canary(), email: canary() }),
        }),
    ]) {
      const answer = await send()
      await answer.text()
      const id = answer.headers.get('x-request-id')
      expect(id, answer.url).toMatch(/^[0-9a-f-]{36}$/)
      ids.push(id)
    }
    const metrics = await (await fetch(gateway.metricsUrl)).text()
    expect(await gateway.stop()).toBe(0)
    collector.close()

    const lines = linesOf(gateway)
    const requests = lines.filter(({ event }) => event === 'request')
    expect(requests.map((line) => line['traceId'])).toEqual(ids)
    for (const line of lines) for (const name of Object.keys(line)) expect(ALLOWED).toContain(name)
    expect(requests[0]).toMatchObject({
      face: 'graphql',
      operation: 'query transactions',
      status: 200,
      platformId: platform.id,
    })
    const sent = Buffer.concat(traces)
    expect(sent.includes(Buffer.from(traceId, 'hex'))).toBe(true)
    for (const name of ['POST query transactions', 'paygraph.trace_id', 'db.query.text'])
      expect(sent.includes(name), name).toBe(true)
    const all = [gateway.log(), metrics, sent.toString('latin1')].join()
    const hits = Array.from({ length: canaries }, (_, i) => `canary${i + 1}x`).filter((text) => all.includes(text))
    for (const secret of [platform.secret, process.env['MASTER_KEY'] ?? '?']) expect(all).not.toContain(secret)
    console.log(`canaries ${canaries}, hits ${hits.length}; log lines ${lines.length}, bytes of traces ${sent.length}`)
    expect(hits).toEqual([])
  })

  it('a request has the name of the route that answers it, even if the client does not wait', async () => {
    const gateway = await start()
    const headers = { authorization: basic(platform) }
    for (const path of ['/customers/external-accounts', '/agents/me', '/nothing'])
      await (await fetch(`${gateway.url}/2025-10-13${path}`, { headers })).text()
    await db.$transaction(async (tx) => {
      await tx.$executeRaw`lock table transactions`
      await expect(list(gateway, { headers, signal: AbortSignal.timeout(200) })).rejects.toThrow()
    })
    await gateway.stop()
    const requests = linesOf(gateway).filter(({ event }) => event === 'request')
    expect(requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['/2025-10-13/customers/external-accounts', 200],
      ['/2025-10-13/agents/me', 401],
      [undefined, 404],
      ['/2025-10-13/transactions', 499],
    ])
  })

  it('an internal error is logged with its class and its lines in the source, and ends the process with 1', async () => {
    const faults = `import { Server } from 'node:http'
      process.on('SIGUSR2', () => Promise.reject(new Error('fault'.repeat(2))))
      Server.prototype.close = () => { throw new Error('fault'.repeat(2)) }`
    const gateway = await start({ NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(faults)}` })
    expect(await gateway.stop('SIGUSR2')).toBe(1)
    const lines = linesOf(gateway).slice(-4)
    expect(lines.map(({ event }) => event)).toEqual(['failure', 'stopping', 'failure', 'stopped'])
    expect(lines[2]).toMatchObject({ name: 'Error', task: 'stop' })
    expect(String(lines[2]?.['stack'])).toMatch(/file:\/\/\S+\/src\/server\.ts:\d+:\d+/)
    expect(gateway.log()).not.toContain('faultfault')
    await expect(fetch(gateway.url)).rejects.toThrow()
  })
})

it('a gateway continues when nobody reads its output any more', async () => {
  const gateway = await start()
  gateway.closeOutput()
  for (let request = 0; request < 3; request += 1) expect((await list(gateway)).status).toBe(200)
  expect(await gateway.stop()).toBe(0)
})

/** The lock that its statements wait for. */
const openRequests = ({ name }: GatewayProcess) => db.$queryRaw<object[]>`
  select from pg_stat_activity where split_part(application_name, ' - ', 1) = ${name} and wait_event_type = 'Lock'`

it('SIGTERM lets running requests finish', async () => {
  const gateway = await start()
  const request = head('GET', '/2025-10-13/transactions', { authorization: basic(platform) })
  let answers: Promise<number>[] = []
  let exited: Promise<number | null> | undefined
  // Nothing is answered while the table is locked.
  await db.$transaction(async (tx) => {
    // On a slow machine the requests wait longer than a transaction may be idle.
    await tx.$executeRaw`set local idle_in_transaction_session_timeout = 0`
    await tx.$executeRaw`lock table api_tokens`
    answers = Array.from({ length: 100 }, async () => (await sendRaw(gateway.url, request)).status)
    await vi.waitFor(async () => expect((await openRequests(gateway)).length).toBeGreaterThan(7), { timeout: 20_000 })
    // It has received all of them when it has answered probes that were sent later.
    for (let probe = 0; probe < 3; probe += 1) await fetch(`${gateway.url}/livez`)
    exited = gateway.stop()
    // A request waits two seconds for a lock, which a busy machine uses up.
    await pause(100)
  })
  const lost = (await Promise.all(answers)).filter((status) => status !== 200)
  expect(await exited).toBe(0)
  expect(lost).toEqual([])
})

it('a request that waits too long for Postgres is 503 with the seconds to wait, over both APIs', async () => {
  const gateway = await start()
  await db.$transaction(
    async (tx) => {
      // On a slow machine the requests wait longer than a transaction may be idle.
      await tx.$executeRaw`set local idle_in_transaction_session_timeout = 0`
      await tx.$executeRaw`lock table api_tokens`
      for (const answer of await Promise.all([list(gateway), ask(gateway, { query: '{ __typename }' })])) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
        expect(await answer.text()).toContain('"code":"SERVICE_UNAVAILABLE"')
      }
    },
    { timeout: 20_000 },
  )
  expect((await list(gateway)).status).toBe(200)
})

/** They mostly wait, so they wait together. None of them locks a table. */
describe.concurrent('what takes long', () => {
  it('a rolling restart of two gateways under load loses no request', async ({ onTestFinished }) => {
    const startOne = () => start({ STOP_DELAY_MS: '2000' }, onTestFinished)
    let pair = await Promise.all([startOne(), startOne()])
    let isOver = false
    let sent = 0
    const lost: unknown[] = []
    let able = [...pair]
    // As a load balancer does.
    const balancing = (async () => {
      while (!isOver) {
        const checked = await Promise.all(
          pair.map((one) =>
            fetch(`${one.url}/readyz`).then(
              ({ ok }) => ok,
              () => false,
            ),
          ),
        )
        able = pair.filter((_, i) => checked[i])
        await pause(50)
      }
    })()
    const worker = async () => {
      while (!isOver) {
        sent += 1
        const gateway = able[sent % able.length] ?? pair[0]
        if (!gateway) continue
        // Leaves some of the machine to other tests.
        await pause(20)
        await list(gateway).then(
          async (answer) => {
            if (answer.status !== 200 || !(await answer.text()).includes('"totalCount":1'))
              lost.push(`${answer.status} by ${pair.indexOf(gateway)}`)
          },
          (error: Error) => lost.push(`${error.cause} by ${pair.indexOf(gateway)}`),
        )
      }
    }
    const load = Array.from({ length: 8 }, worker)
    for (let round = 0; round < 2; round++) {
      const [old, other] = pair
      if (!old || !other) throw new Error('There are two')
      await pause(500)
      expect(await old.stop()).toBe(0)
      pair = [other, await startOne()]
    }
    isOver = true
    await Promise.all([...load, balancing])
    console.log(`gateways restarted 2, requests ${sent}, lost ${lost.length}`)
    expect(lost).toEqual([])
  }, 120_000)

  it('a request that takes longer than ten seconds is 504, in the format of its API', async () => {
    const server = createServer((request, response) => {
      const face = request.url === '/graphql' ? 'graphql' : 'rest'
      exchange(face, { traceId: 'of this test' }, request, response, () => {})
    }).listen(0)
    const { port } = server.address() as { port: number }
    const began = performance.now()
    const [graphql, rest] = await Promise.all(
      ['graphql', 'rest'].map((path) => fetch(`http://localhost:${port}/${path}`)),
    )
    expect(performance.now() - began).toBeGreaterThan(9_900)
    server.close()
    expect([graphql?.status, rest?.status]).toEqual([504, 504])
    expect(await rest?.json()).toMatchObject({ status: 504, code: 'GATEWAY_TIMEOUT' })
    expect(await graphql?.json()).toMatchObject({ errors: [{ extensions: { status: 504, traceId: 'of this test' } }] })
  })

  it('slow clients are disconnected while others are served', async ({ onTestFinished }) => {
    const gateway = await start({ LOG_LEVEL: 'error' }, onTestFinished)
    const sockets = Array.from({ length: 300 }, () => open(gateway.url).resume())
    let isOver = false
    const drip = async (socket: ReturnType<typeof open>, first: string, byte: string) => {
      socket.write(first)
      while (!isOver && socket.writable) {
        await pause(500)
        if (socket.writable) socket.write(byte)
      }
    }
    const drips = sockets.map((socket, i) => {
      if (i % 3 === 0) return drip(socket, 'GET /2025-10-13/transactions HTTP/1.1\r\nhost: gateway\r\nx-slow: ', 'x')
      const post = head('POST', '/graphql', { 'content-type': 'application/json', 'content-length': '1000' })
      if (i % 3 === 1) return drip(socket, post, ' ')
      return undefined
    })
    const attacked = performance.now()
    const times: number[] = []
    while (performance.now() - attacked < 20_000 && sockets.some(({ closed }) => !closed)) {
      const began = performance.now()
      expect((await list(gateway)).status).toBe(200)
      times.push(performance.now() - began)
      await pause(50)
    }
    const left = sockets.filter(({ closed, readyState }) => !closed && readyState === 'open').length
    const seconds = (performance.now() - attacked) / 1_000
    isOver = true
    await Promise.all(drips)
    for (const socket of sockets) socket.destroy()
    times.sort((a, b) => a - b)
    console.log(
      `slow clients 300, open after ${seconds.toFixed(0)} s ${left}; other requests ${times.length}, p99 ${times[Math.floor(times.length * 0.99)]?.toFixed(0)} ms`,
    )
    expect(left).toBe(0)
  })
})
