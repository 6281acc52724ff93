// PgBouncer in transaction mode, in front of a Postgres of the tests. It comes from the distribution, or from the path in PGBOUNCER.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { user } from '../../dev/postgres-home.ts'

const binary = process.env['PGBOUNCER'] ?? '/usr/sbin/pgbouncer'

export const hasPooler = existsSync(binary)

/** Such as 1.18.0. Empty without PgBouncer. */
export const poolerVersion = hasPooler
  ? (/\d+\.\d+\.\d+/.exec(spawnSync(binary, ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? '')
  : ''

/** The settings of the gateway, as a statement that PgBouncer runs on each new server connection. */
export const CONNECT_QUERY =
  'SET TimeZone = UTC; SET jit = off; SET statement_timeout = 5000; SET lock_timeout = 2000; SET idle_in_transaction_session_timeout = 5000'

interface Settings {
  /** Without it server connections have the settings of the role. */
  readonly connectQuery?: string
  /** More lines of the section `pgbouncer`. */
  readonly more?: readonly string[]
}

export interface Pooler {
  /** The address of the same database as the server's. Every database of the server can be reached. */
  readonly url: string
  /** Closes the server connections, so that new ones have the present settings of the role. */
  readonly reconnect: () => Promise<void>
  readonly stop: () => Promise<void>
}

export const startPooler = async (serverUrl: string, settings: Settings = {}): Promise<Pooler> => {
  const server = new URL(serverUrl)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'paygraph-pooler-'))
  const files = { 'pooler.ini': configurationOf(server, port, folder, settings), 'users.txt': usersOf(server) }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 })
  // PgBouncer refuses to run as root.
  if (user.uid) for (const path of ['.', ...Object.keys(files)]) chownSync(join(folder, path), user.uid, user.gid)

  const child = spawn(binary, ['-q', join(folder, 'pooler.ini')], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text))
  const exited = once(child, 'exit')
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)

  const url = new URL(server)
  url.port = String(port)
  const onConsole = async (statement: string) => {
    const client = new pg.Client({ connectionString: new URL('/pgbouncer', url).href })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  for (let tries = 0; ; tries++) {
    const isUp = await onConsole('SHOW VERSION').then(
      () => true,
      () => false,
    )
    if (isUp) break
    if (child.exitCode !== null || tries === 600) throw new Error(`PgBouncer did not start.\n${log}`)
    await wait(50)
  }
  return {
    url: url.href,
    reconnect: () => onConsole('RECONNECT'),
    stop: async () => {
      process.off('exit', end)
      end()
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

const configurationOf = (server: URL, port: number, folder: string, { connectQuery, more = [] }: Settings) => `
[databases]
* = host=${server.hostname} port=${server.port}${connectQuery === undefined ? '' : ` connect_query=${quoted(connectQuery)}`}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
admin_users = ${server.username}
pool_mode = transaction
default_pool_size = 40
max_client_conn = 2000
query_wait_timeout = 30
application_name_add_host = 1
${more.join('\n')}
`

const usersOf = ({ username, password }: URL) => `"${username}" "${password}"\n`

const freePort = async () => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
