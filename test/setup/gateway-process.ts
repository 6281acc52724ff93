// Gateways as real processes with the production entry point, on the test file's database. A killed one cannot clean up.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { app } from '#app.ts'
import type { Use } from './gateway-meter.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface GatewayProcess {
  readonly url: string
  /** Empty without METRICS_PORT. */
  readonly metricsUrl: string
  readonly pid: number
  /** The `application_name` of its connections. */
  readonly name: string
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>
  /** Resolves with its exit code, or null if it was killed. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
  readonly exited: Promise<number | null>
  /** Everything that it has written to standard error. */
  readonly log: () => string
  /** Closes the pipes that it writes to. */
  readonly closeOutput: () => void
  /** Its resource usage, if it was started with the meter. */
  readonly use: (of: 'cpu' | 'memory' | 'old') => Promise<Use>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** A large young generation, because a collection that one request happens to trigger would count as that request's cost. The last option is one of the Dockerfile. */
const METER = [
  '--import',
  'tsx',
  '--import',
  './test/setup/gateway-meter.ts',
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--no-allocation-site-pretenuring',
]

let started = 0

/** Resolves once it listens, on a free port. */
export const startGateway = async (
  settings: Record<string, string> = {},
  { isMeasured = false } = {},
): Promise<GatewayProcess> => {
  started += 1
  const name = `gateway ${process.pid} ${started}`
  const { PATH, DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URLS, MASTER_KEY, DATABASE_WAIT_MS } = process.env
  const addresses = { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URLS }
  const database = settings['DATABASE_URL'] === undefined ? addresses : {}
  const inherited = { PATH, ...database, MASTER_KEY, DATABASE_WAIT_MS }
  // A busy machine must not fail a test.
  const patient = { OVERLOAD_DELAY_MS: '60000', GRAPHQL_LIMITS: 'maxMilliseconds=60000' }
  // No load balancer needs time to notice that it stops.
  const prompt = { STOP_DELAY_MS: '0' }
  const env = { ...inherited, ...patient, ...prompt, PORT: '0', PGAPPNAME: name, ...settings }
  const meter = isMeasured ? METER : []
  const child = spawn(process.execPath, [...meter, inject('gatewayMain')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe', isMeasured ? 'ipc' : 'ignore'],
  }) as ChildProcessByStdio<null, Readable, Readable>
  running.add(child)
  // The process may emit 'exit' before the last lines of its output have arrived. It emits 'close' after them.
  const exited = once(child, 'close').then(([code]: (number | null)[]) => {
    running.delete(child)
    return code ?? null
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text))
  const output = createInterface(child.stdout)[Symbol.asyncIterator]()
  const lineOf = async (name: string) => {
    const { value = '' } = await Promise.race([output.next(), exited.then(() => ({ value: '' }))])
    if (!value.startsWith(`${name} `)) throw new Error(`The gateway did not start.\n${value}${complaint}`)
    return value.slice(name.length + 1)
  }
  const url = await lineOf('Serving')
  const metricsUrl = settings['METRICS_PORT'] === undefined ? '' : await lineOf('Metrics')
  child.stdout.resume()
  return {
    url,
    metricsUrl,
    name,
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return exited
    },
    exited,
    log: () => complaint,
    closeOutput: () => {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    use: async (of) => {
      child.send(of)
      const [use] = await once(child, 'message')
      return use
    },
  }
}

interface Destination {
  readonly gateway: GatewayProcess
  readonly signal: AbortSignal | null
}

const destination = new AsyncLocalStorage<Destination>()
const inProcess = app.fetch

/** Within `work`, calls go to this process over HTTP until the client hangs up. Outside it they stay in process. */
export const through = <T>(
  gateway: GatewayProcess,
  send: () => Promise<T>,
  signal: AbortSignal | null = null,
): Promise<T> => destination.run({ gateway, signal }, send)

app.fetch = async (request, peerAddress) => {
  const to = destination.getStore()
  if (!to) return inProcess(request, peerAddress)
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const body = request.body ? await request.text() : null
  return fetch(new URL(`${pathname}${search}`, to.gateway.url), { method, headers, body, signal: to.signal })
}
