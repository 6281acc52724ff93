// A coordinator and two workers of Citus. Their programs are in the directory CITUS (docs/scale.md#citus).
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { appendFile, chown, mkdir, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { migrationNames } from '#database/migrations.ts'
import { user } from '../../dev/postgres-home.ts'

const run = promisify(execFile)
const { CITUS: binaries = '' } = process.env

export const hasCitus = existsSync(join(binaries, 'pg_ctl'))

/** The last migration of the first release whose databases can be distributed. All later ones must run on a distributed database. */
const FIRST_TO_DISTRIBUTE = '20261124130000_job_outbox'

export const earlierMigrations = () => migrationNames().filter((name) => name <= FIRST_TO_DISTRIBUTE)
export const laterMigrations = () => migrationNames().filter((name) => name > FIRST_TO_DISTRIBUTE)

/** Two-phase commits need a place each. Commits of a node that is killed are kept, as by default. Its own time zone must not matter. */
const settingsOf = (port: number) => `
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = ${port}
max_connections = 500
max_prepared_transactions = 500
max_worker_processes = 100
timezone = 'Asia/Kolkata'
citus.shard_count = 8
citus.local_hostname = '127.0.0.1'
citus.enable_statistics_collection = off
citus.node_conninfo = 'sslmode=disable'
`

export interface Node {
  readonly url: string
  readonly start: () => Promise<unknown>
  /** Its processes end immediately, as in a crash. */
  readonly crash: () => Promise<unknown>
}

export interface Citus {
  readonly coordinator: Node
  readonly workers: readonly [Node, Node]
  readonly query: (text: string) => Promise<Record<string, unknown>[]>
  readonly stop: () => Promise<void>
}

/** Creates a database on each node. `prepare` gets it before Citus is set up on the coordinator, as an operator would have it. */
export const startCitus = async (
  prepare: (databaseUrl: string) => Promise<unknown>,
  database = 'paygraph',
): Promise<Citus> => {
  const folder = join(tmpdir(), `paygraph-citus-${randomUUID()}`)
  await mkdir(folder)
  if (user.uid) await chown(folder, user.uid, user.gid)
  const [coordinator, one, two] = (await Promise.all(
    [0, 1, 2].map((n) => startNode(join(folder, String(n)), database)),
  )) as [Node, Node, Node]
  const query = (text: string) => queryAt(coordinator.url, text)
  for (const { url } of [coordinator, one, two]) {
    await queryAt(new URL('/postgres', url).href, `create database ${database}`)
    if (url === coordinator.url) await prepare(url)
    await queryAt(url, 'create extension citus')
  }
  await query(`select citus_set_coordinator_host('127.0.0.1', ${new URL(coordinator.url).port})`)
  for (const { url } of [one, two]) await query(`select citus_add_node('127.0.0.1', ${new URL(url).port})`)
  const stop = async () => {
    for (const node of [coordinator, one, two]) await node.crash().catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
  return { coordinator, workers: [one, two], query, stop }
}

/** A database can be a template only if nobody is connected to it, and each node of Citus has a process that is. */
export const closeDatabase = async ({ coordinator, workers }: Citus): Promise<void> => {
  for (const { url } of [...workers, coordinator]) {
    const name = new URL(url).pathname.slice(1)
    const server = new URL('/postgres', url).href
    await queryAt(server, `alter database ${name} allow_connections false`)
    await queryAt(server, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
  }
}

const startNode = async (folder: string, database: string): Promise<Node> => {
  const port = await freePort()
  const program = (name: string, ...args: string[]) =>
    run(join(binaries, name), args, { ...user, cwd: '/', env: { PATH: process.env['PATH'] } })
  await program(
    'initdb',
    '--username=postgres',
    '--auth=trust',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--no-sync',
    folder,
  )
  await appendFile(join(folder, 'postgresql.conf'), settingsOf(port))
  const start = () => program('pg_ctl', 'start', '--wait', '-D', folder, '-l', `${folder}.log`)
  await start()
  return {
    // The server asks for no password, but PgBouncer does.
    url: `postgresql://postgres:postgres@127.0.0.1:${port}/${database}`,
    start,
    crash: () => program('pg_ctl', 'stop', '--mode=immediate', '-D', folder),
  }
}

const queryAt = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
