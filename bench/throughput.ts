// Measures requests per second of the gateway and the floor in interleaved rounds, so that both run under the same conditions.
import { deepEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { API_VERSION } from '#core/api-version.ts'
import type { Load, Target } from './load.ts'
import { QUERY_OF_RECORD } from './query-of-record.ts'
import { median } from './report.ts'
import { startWorker, type Worker } from './workers.ts'

const CALLERS = 16
const ROUNDS = 7
const PAGE_SIZE = 50

export interface Throughput {
  readonly graphql: number
  readonly rest: number
  readonly floor: number
  readonly openFloor: number
  readonly plannedFloor: number
  readonly textFloor: number
  /** Milliseconds of CPU that the process uses for a request. */
  readonly cpu: {
    readonly graphql: number
    readonly rest: number
    readonly plannedFloor: number
    readonly textFloor: number
  }
  /** Size of the response to the query of record. */
  readonly kilobytes: number
  /** Number of SQL statements per query of record, by page size. */
  readonly statements: ReadonlyMap<number, number>
}

export const measureThroughput = async (databaseUrl: string, seconds: number): Promise<Throughput> => {
  const environment = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    GRAPHQL_LIMITS: 'nodesPerMinute=1000000000',
    // No line per request, because the floor writes none either.
    LOG_LEVEL: 'warn',
  }
  const gateway = await startWorker<{ url: string }>('gateway.ts', environment)
  const floor = await startWorker<{ url: string }>('floor.ts', environment)
  const load = await startWorker('load.ts')
  try {
    const graphql = graphqlTarget(gateway.hello.url, PAGE_SIZE)
    const floors = ['', 'open', 'planned', 'text'].map((path) =>
      get(`${path}Floor`, `${floor.hello.url}/${path}?first=${PAGE_SIZE}`),
    )
    const rest = get('rest', `${gateway.hello.url}/${API_VERSION}/transactions?limit=${PAGE_SIZE}`)
    const targets = [
      ...[graphql, rest].map((target) => ({ ...target, server: gateway })),
      ...floors.map((target) => ({ ...target, server: floor })),
    ]
    const body = await bodyOf(graphql)
    for (const target of floors) deepEqual(valuesOf(body), valuesOf(await bodyOf(target)))
    const { perSecond, cpu } = await interleave(load, targets, seconds)
    return {
      graphql: perSecond('graphql'),
      floor: perSecond('Floor'),
      rest: perSecond('rest'),
      openFloor: perSecond('openFloor'),
      plannedFloor: perSecond('plannedFloor'),
      textFloor: perSecond('textFloor'),
      cpu: {
        graphql: cpu('graphql'),
        rest: cpu('rest'),
        plannedFloor: cpu('plannedFloor'),
        textFloor: cpu('textFloor'),
      },
      kilobytes: Buffer.byteLength(body) / 1000,
      statements: await countStatements(gateway),
    }
  } finally {
    await Promise.all([gateway, floor, load].map((worker) => worker.stop()))
  }
}

/** The medians of requests per second, and of milliseconds of CPU per request, of each target in its server. */
const interleave = async (load: Worker, targets: readonly (Target & { server: Worker })[], seconds: number) => {
  const rounds = new Map<string, number[]>(targets.map(({ name }) => [name, []]))
  const cpus = new Map<string, number[]>(targets.map(({ name }) => [name, []]))
  // The first round warms up compilers and caches.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { server, ...target } of targets) {
      const before = await server.ask<{ cpu: number }>('cpu')
      const { perSecond, failed, sent } = await load.ask<Load>({ targets: [target], seconds, callers: CALLERS })
      if (failed > 0) throw new Error(`${target.name} failed ${failed} times`)
      const after = await server.ask<{ cpu: number }>('cpu')
      if (round === 0) continue
      rounds.get(target.name)?.push(perSecond)
      cpus.get(target.name)?.push((after.cpu - before.cpu) / sent)
    }
  }
  return {
    perSecond: (name: string) => median(rounds.get(name) ?? []),
    cpu: (name: string) => median(cpus.get(name) ?? []),
  }
}

const countStatements = async ({ hello, ask }: Worker & { hello: { url: string } }) => {
  const statements = new Map<number, number>()
  for (const size of [5, PAGE_SIZE, 100]) {
    const before = await ask<{ statements: number }>('statements')
    await bodyOf(graphqlTarget(hello.url, size))
    const after = await ask<{ statements: number }>('statements')
    statements.set(size, after.statements - before.statements)
  }
  return statements
}

/** Each server has its own cursors. */
const valuesOf = (body: string) =>
  JSON.parse(body, (key, value) => (key.endsWith('Cursor') ? typeof value : value)) as unknown

export const headers = { authorization: `Basic ${Buffer.from('demo:demo-secret').toString('base64')}` }

export const get = (name: string, url: string): Target => ({ name, url, method: 'GET', headers, body: '' })

export const graphqlTarget = (url: string, first: number): Target => {
  const body = JSON.stringify({ query: QUERY_OF_RECORD, variables: { first } })
  return {
    name: 'graphql',
    url: `${url}/graphql`,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
    body,
  }
}

const bodyOf = async ({ url, method, headers, body }: Target) => {
  const response = await fetch(url, { method, headers, ...(body && { body }) })
  return response.text()
}
