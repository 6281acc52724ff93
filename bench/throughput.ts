// Measures requests per second of the gateway and the floor in interleaved rounds, so that both run under the same conditions.
import { deepEqual } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { API_VERSION } from '#core/api-version.ts'
import type { Load, Target } from './load.ts'
import { startPeers } from './peers.ts'
import { QUERY_OF_RECORD } from './query-of-record.ts'
import { median } from './report.ts'
import type { Usage } from './usage.ts'
import { WARM_UP_SECONDS } from './warm-up.ts'
import { startGateway, startWorker, type Worker } from './workers.ts'

const CALLERS = 16
const ROUNDS = 7
const PAGE_SIZE = 50
const MAX_ATTEMPTS = 20

/** A measurement of one target in one round. */
interface Figures {
  readonly perSecond: number
  /** Milliseconds of CPU that the server uses for a request. */
  readonly cpu: number
  /** Megabytes that the server holds after the round. */
  readonly memory: number
}

export interface Throughput {
  /** The median of one figure of a target. */
  figure(name: string, figure: keyof Figures): number
  /** A figure of a target, divided by the same figure of another in the same round: the median of the rounds. */
  ratio(name: string, other: string, figure?: keyof Figures): number
  /** The names of the peers. */
  readonly peers: readonly string[]
  /** Size of the response to the query of record. */
  readonly kilobytes: number
  /** Number of SQL statements per query of record, by page size. */
  readonly statements: ReadonlyMap<number, number>
}

/** With peers, all servers run on the peers' version of Node. */
export const measureThroughput = async (
  databaseUrl: string,
  seconds: number,
  peersNode: string | null,
): Promise<Throughput> => {
  const node = peersNode ?? undefined
  const environment = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    GRAPHQL_LIMITS: 'nodesPerMinute=1000000000',
    // No line per request, because the floor writes none either.
    LOG_LEVEL: 'warn',
  }
  const gateway = await startGateway(environment, node)
  const floor = await startWorker<{ url: string }>('floor.ts', environment, node)
  const peers = peersNode === null ? [] : await startPeers(environment, peersNode, PAGE_SIZE)
  const load = await startWorker('load.ts')
  try {
    const graphql = graphqlTarget(gateway.hello.url, PAGE_SIZE)
    const floors = ['', 'open', 'planned', 'text'].map((path) =>
      get(`${path}Floor`, `${floor.hello.url}/${path}?first=${PAGE_SIZE}`),
    )
    const rest = get('rest', `${gateway.hello.url}/${API_VERSION}/transactions?limit=${PAGE_SIZE}`)
    const body = await bodyOf(graphql)
    for (const target of floors) await expectSame(graphql, target)
    for (const { target, toAnswer } of peers) await expectSame(graphql, target, toAnswer)
    const rounds = await interleave(
      load,
      [
        ...[graphql, rest].map((target) => ({ ...target, server: gateway })),
        ...floors.map((target) => ({ ...target, server: floor })),
        ...peers.map(({ target, server }) => ({ ...target, server })),
      ],
      seconds,
    )
    const valuesIn = (name: string, figure: keyof Figures) => (rounds.get(name) ?? []).map((round) => round[figure])
    return {
      figure: (name, figure) => median(valuesIn(name, figure)),
      ratio: (name, other, figure = 'perSecond') => {
        const others = valuesIn(other, figure)
        return median(valuesIn(name, figure).map((value, round) => value / (others[round] ?? Number.NaN)))
      },
      peers: peers.map(({ target }) => target.name),
      kilobytes: Buffer.byteLength(body) / 1000,
      statements: await countStatements(gateway),
    }
  } finally {
    await Promise.all([gateway, floor, load, ...peers.map(({ server }) => server)].map((worker) => worker.stop()))
  }
}

const interleave = async (load: Worker, targets: readonly (Target & { server: Worker })[], seconds: number) => {
  const rounds = new Map<string, Figures[]>(targets.map(({ name }) => [name, []]))
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const { server, ...target } of targets) {
      const before = await server.ask<Usage>('usage')
      const { perSecond, failed, sent } = await load.ask<Load>({
        targets: [target],
        seconds: round === 0 ? Math.max(seconds, WARM_UP_SECONDS) : seconds,
        callers: CALLERS,
      })
      if (failed > 0) throw new Error(`${target.name} failed ${failed} times`)
      const after = await server.ask<Usage>('usage')
      if (round === 0) continue
      rounds.get(target.name)?.push({ perSecond, cpu: (after.cpu - before.cpu) / sent, memory: after.memory / 1e6 })
    }
  }
  return rounds
}

const countStatements = async ({ hello, ask }: Worker & { hello: { url: string } }) => {
  const statements = new Map<number, number>()
  for (const size of [5, PAGE_SIZE, 100]) {
    const counts: number[] = []
    // Jobs may send statements at the same time.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      // By then the token is no longer remembered.
      await wait(600)
      const before = await ask<{ statements: number }>('statements')
      await bodyOf(graphqlTarget(hello.url, size))
      const after = await ask<{ statements: number }>('statements')
      counts.push(after.statements - before.statements)
    }
    statements.set(size, Math.min(...counts))
  }
  return statements
}

/** Throws unless both targets give the same answer. In a fresh database jobs may change a balance between the two requests, so it tries again. */
const expectSame = async (target: Target, other: Target, toAnswer = (body: string) => body) => {
  for (let attempts = 1; ; attempts += 1) {
    const expected = valuesOf(await bodyOf(target))
    const actual = valuesOf(toAnswer(await bodyOf(other)))
    if (isDeepStrictEqual(actual, expected)) return
    if (attempts === MAX_ATTEMPTS) deepEqual(actual, expected)
  }
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
