// The database stops and restarts under load. The gateway reports the outage, never gives a wrong answer, and recovers by itself.
// Own process: stops its database.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { hashSecret } from '#platforms/api-token.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { pause } from '#test/setup/raw-http.ts'

/** The number of restarts. The full campaign sets `DATABASE_OUTAGES=20`. */
const OUTAGES = Number(process.env['DATABASE_OUTAGES'] ?? 3)
const WORKERS = 8

type Postgres = Awaited<ReturnType<typeof import('../../dev/postgres.ts')['startPostgres']>>

const folder = join(tmpdir(), `paygraph-outage-${randomUUID()}`)
const startServer = async (): Promise<Postgres> => {
  const { startPostgres } = await import('../../dev/postgres.ts')
  return startPostgres(folder)
}

const caller = { clientId: randomUUID(), secret: randomUUID() }
let postgres: Postgres
let gateway: GatewayProcess

beforeAll(async () => {
  postgres = await startServer()
  await postgres.stop()
  gateway = await startGateway({ DATABASE_URL: postgres.url, DATABASE_WAIT_MS: '1000', LOG_LEVEL: 'warn' })
})
afterAll(async () => {
  await gateway.kill()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const AUTHORIZATION = { authorization: basic(caller) }

const ASKS = {
  REST: () =>
    fetch(`${gateway.url}/2025-10-13/transactions`, { headers: AUTHORIZATION, signal: AbortSignal.timeout(60_000) }),
  GraphQL: () =>
    fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...AUTHORIZATION, 'content-type': 'application/json' },
      body: '{"query":"{ transactions { totalCount } }"}',
      signal: AbortSignal.timeout(60_000),
    }),
}

type Face = keyof typeof ASKS

const linesOf = (event: string) =>
  gateway
    .log()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { readonly event: string; readonly time: string; readonly cause: string })
    .filter((line) => line.event === event)

/** Accepts a correct answer or an honest 503. Anything else is a failure. */
const outcomeOf = async (face: Face): Promise<'right' | '503' | { wrong: unknown }> => {
  try {
    const answer = await ASKS[face]()
    const text = await answer.text()
    const body = JSON.parse(text) as {
      code?: string
      totalCount?: number
      data?: { transactions: { totalCount: number } | null } | null
      errors?: { extensions: { code: string } }[]
    }
    if (answer.status === 200 && (body.totalCount === 0 || body.data?.transactions?.totalCount === 0)) return 'right'
    const codes = body.code ? [body.code] : (body.errors ?? []).map(({ extensions }) => extensions.code)
    const isFieldError = face === 'GraphQL' && answer.status === 200
    const saysWhen = answer.headers.get('retry-after') === '1' || isFieldError
    if (codes[0] === 'SERVICE_UNAVAILABLE' && saysWhen && (answer.status === 503 || isFieldError)) return '503'
    return { wrong: `${face} ${answer.status} ${text}` }
  } catch (error) {
    return { wrong: `${face} ${error}` }
  }
}

it('starts without a database, stays alive, and becomes ready once the database is there', async () => {
  expect((await fetch(`${gateway.url}/livez`)).status).toBe(200)
  const ready = await fetch(`${gateway.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable', reason: 'database' }])
  for (const face of ['REST', 'GraphQL'] as const) {
    expect(await outcomeOf(face)).toBe('503')
    await pause(1_100)
  }
  const refused = { level: 'warn', cause: 'ECONNREFUSED' }
  expect(linesOf('no database yet')[0]).toMatchObject(refused)
  expect(linesOf('outage')).toMatchObject(Array(2).fill({ ...refused, traceId: expect.any(String) }))

  postgres = await startServer()
  await vi.waitFor(async () => expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200), {
    timeout: 30_000,
    interval: 100,
  })
  const client = new pg.Client(postgres.url)
  await client.connect()
  const platform = randomUUID()
  await client.query(`insert into platforms (id, name, environment) values ($1, 'Test', 'SANDBOX')`, [platform])
  await client.query(
    `insert into api_tokens (platform_id, id, name, client_id, secret_hash, permissions)
     values ($1, $2, 'Test', $3, $4, '{VIEW}')`,
    [platform, randomUUID(), caller.clientId, hashSecret(caller.secret)],
  )
  await client.end()
  for (const face of ['REST', 'GraphQL'] as const) expect(await outcomeOf(face)).toBe('right')
}, 120_000)

it('logs a statement of background work that waits too long for a lock as a fault, because the database responds', async () => {
  const client = new pg.Client(postgres.url)
  await client.connect()
  await client.query('begin; lock table events_to_plan')
  const fault = { level: 'error', task: 'sendWebhooks', code: '55P03', stack: expect.any(Array) }
  await vi.waitFor(() => expect(linesOf('failure')).toContainEqual(expect.objectContaining(fault)), 30_000)
  await client.end()
}, 60_000)

it(`survives ${OUTAGES} restarts of the database under load`, async () => {
  const counts = { right: 0, '503': 0 }
  const wrong: unknown[] = []
  let isOver = false
  let slowest = 0
  const worker = async (_: unknown, i: number) => {
    const face = i % 2 ? 'REST' : 'GraphQL'
    while (!isOver) {
      const began = performance.now()
      const outcome = await outcomeOf(face)
      slowest = Math.max(slowest, performance.now() - began)
      if (typeof outcome === 'string') counts[outcome] += 1
      else wrong.push(outcome.wrong)
      if (outcome !== 'right') await pause(20)
    }
  }
  const load = Array.from({ length: WORKERS }, worker)
  const recoveries: number[] = []
  const faults = linesOf('failure').length
  for (let outage = 0; outage < OUTAGES; outage++) {
    await pause(500)
    await postgres.stop()
    await pause(1_000)
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503)
    postgres = await startServer()
    const back = performance.now()
    for (const face of ['REST', 'GraphQL'] as const) {
      await vi.waitFor(async () => expect(await outcomeOf(face)).toBe('right'), { timeout: 60_000, interval: 20 })
    }
    recoveries.push((performance.now() - back) / 1000)
  }
  isOver = true
  await Promise.all(load)
  console.log(
    `outages ${OUTAGES}: correct ${counts.right}, 503 ${counts['503']}, wrong ${wrong.length}; slowest response ${slowest.toFixed(0)} ms, recovered within ${Math.max(...recoveries).toFixed(2)} s`,
  )
  expect(wrong).toEqual([])
  expect(counts['503']).toBeGreaterThan(0)
  // The log has each cause at most once in a second.
  const lastAt = new Map<string, number>()
  for (const { cause, time } of linesOf('outage')) {
    expect(Date.parse(time) - (lastAt.get(cause) ?? 0), cause).toBeGreaterThan(900)
    lastAt.set(cause, Date.parse(time))
  }
  // Jobs and other background work fail as well. That is no fault of the gateway.
  expect(linesOf('failure').slice(faults)).toEqual([])
  console.log(`causes of outages: ${[...lastAt.keys()].join(', ')}`)
}, 600_000)
