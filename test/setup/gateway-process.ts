// Real gateways: the production entry in processes of their own, over the database of the test file. Killed, they get no chance to tidy up.
import { AsyncLocalStorage } from 'node:async_hooks'
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { app } from '#app.ts'
import type { Use } from './gateway-meter.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface GatewayProcess {
  readonly url: string
  /** The `application_name` of its connections. */
  readonly name: string
  /** SIGKILL; resolves when the process is gone. */
  readonly kill: () => Promise<void>
  /** Resolves with the code it exits with, null when it was killed. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>
  readonly exited: Promise<number | null>
  /** All that it has written to standard error. */
  readonly log: () => string
  /** What it has used so far, for a gateway that was started to be measured. */
  readonly use: (of: 'cpu' | 'memory') => Promise<Use>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** The young generation is large, because a collection that one request happens to start would count as its cost. */
const METER = ['--import', './test/setup/gateway-meter.ts', '--min-semi-space-size=64', '--max-semi-space-size=64']

let started = 0

/** Resolves when it listens, on a port of the system's choice. */
export const startGateway = async (
  settings: Record<string, string> = {},
  { isMeasured = false } = {},
): Promise<GatewayProcess> => {
  started += 1
  const name = `gateway ${process.pid} ${started}`
  const { PATH, DATABASE_URL, MASTER_KEY, DATABASE_WAIT_MS } = process.env
  const inherited = { PATH, DATABASE_URL, MASTER_KEY, DATABASE_WAIT_MS }
  // A busy machine must not fail a test.
  const env = { ...inherited, OVERLOAD_DELAY_MS: '60000', PORT: '0', PGAPPNAME: name, ...settings }
  const meter = isMeasured ? METER : []
  const child = spawn(process.execPath, ['--import', 'tsx', ...meter, 'src/main.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe', isMeasured ? 'ipc' : 'ignore'],
  }) as ChildProcessByStdio<null, Readable, Readable>
  running.add(child)
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => {
    running.delete(child)
    return code ?? null
  })
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (complaint += text))
  const serving = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  const line = await Promise.race([serving, exited.then(() => '')])
  if (!line.startsWith('Serving ')) throw new Error(`The gateway did not start.\n${line}${complaint}`)
  return {
    url: line.slice('Serving '.length),
    name,
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

/** What the faces send inside goes over HTTP to this process, until the client hangs up; outside it stays in this one. */
export const through = <T>(
  gateway: GatewayProcess,
  send: () => Promise<T>,
  signal: AbortSignal | null = null,
): Promise<T> => destination.run({ gateway, signal }, send)

app.fetch = async (request) => {
  const to = destination.getStore()
  if (!to) return inProcess(request)
  const { pathname, search } = new URL(request.url)
  const { method, headers } = request
  const body = request.body ? await request.text() : null
  return fetch(new URL(`${pathname}${search}`, to.gateway.url), { method, headers, body, signal: to.signal })
}
