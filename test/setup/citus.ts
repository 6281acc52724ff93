// A coordinator and two workers of Citus, on the server whose programs are in the directory CITUS (docs/scale.md#citus).
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
import { user } from '../../dev/postgres-home.ts'

const run = promisify(execFile)
const { CITUS: binaries = '' } = process.env

export const hasCitus = existsSync(join(binaries, 'pg_ctl'))

/** Two-phase commits need a place each. Commits of a node that is killed are kept, as by default. */
const settingsOf = (port: number) => `
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = ${port}
max_connections = 200
max_prepared_transactions = 200
timezone = 'UTC'
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

/** `prepare` gets the database before Citus is set up on the coordinator, as an operator would have it. */
export const startCitus = async (prepare: (databaseUrl: string) => Promise<unknown>): Promise<Citus> => {
  const folder = join(tmpdir(), `paygraph-citus-${randomUUID()}`)
  await mkdir(folder)
  if (user.uid) await chown(folder, user.uid, user.gid)
  const [coordinator, one, two] = (await Promise.all([0, 1, 2].map((n) => startNode(join(folder, String(n)))))) as [
    Node,
    Node,
    Node,
  ]
  const query = (text: string) => queryAt(coordinator.url, text)
  for (const { url } of [coordinator, one, two]) {
    await queryAt(new URL('/postgres', url).href, 'create database paygraph')
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

const startNode = async (folder: string): Promise<Node> => {
  const port = await freePort()
  const program = (name: string, ...args: string[]) =>
    run(join(binaries, name), args, { ...user, cwd: '/', env: { PATH: process.env['PATH'] } })
  await program('initdb', '--username=postgres', '--auth=trust', '--no-locale', '--encoding=UTF8', '--no-sync', folder)
  await appendFile(join(folder, 'postgresql.conf'), settingsOf(port))
  const start = () => program('pg_ctl', 'start', '--wait', '-D', folder, '-l', `${folder}.log`)
  await start()
  return {
    url: `postgresql://postgres@127.0.0.1:${port}/paygraph`,
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
