// The compiled gateway and one server for the whole run, with one migrated database that each process of the tests clones.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { distribute } from '#database/distribution/distribute.ts'
import { migrate } from '#database/migrate.ts'
import { buildDashboard } from '../../dev/dashboard.mjs'
import { closeDatabase, hasCitus, type Node, startCitus } from './citus.ts'
import { compileSource } from './compiled-source.ts'
import { CONNECT_QUERY, startPooler } from './pooler.ts'
import { startCluster } from './standbys.ts'

const LAG_MS = 300

/** Connections to the databases of processes that have ended are soon closed. */
const POOLER = { connectQuery: CONNECT_QUERY, more: ['server_idle_timeout = 5'] }

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    /** The workers of Citus, over which all tests distribute their tables with `DISTRIBUTED=1`. */
    workerUrls: readonly string[]
    template: string
    /** The address of PgBouncer in front of the server, through which all tests run with `POOLER=1`, or null. */
    poolerUrl: string | null
    /** The addresses of two standbys that lag by 300 ms, to which all tests send reads with `STANDBYS=1`. */
    standbyUrls: readonly string[]
    /** The entry point of the bundled gateway, which starts much faster than its source. */
    gatewayMain: string
    /** The built dashboard, or why it could not be built. */
    dashboard: { readonly directory: string; readonly documents: string } | { readonly problem: string }
  }
}

export const setup = async (project: TestProject) => {
  const name = `paygraph_test_${randomBytes(4).toString('hex')}`
  const isMutated = process.env['TESTS'] !== undefined
  const place = mkdtempSync(join(tmpdir(), 'paygraph-gateway-'))
  // The database is prepared while child processes compile and bundle.
  const [server, gatewayMain, built] = await Promise.all([
    startServer(name),
    bundleGateway(place),
    dashboard(),
    isMutated ? undefined : compileSource(),
  ])
  project.provide('serverUrl', server.url)
  project.provide('workerUrls', server.workerUrls ?? [])
  project.provide('template', name)
  const pooler = process.env['POOLER'] ? await startPooler(server.url, POOLER) : null
  project.provide('poolerUrl', pooler?.url ?? null)
  project.provide('standbyUrls', server.standbyUrls ?? [])
  project.provide('gatewayMain', gatewayMain)
  project.provide('dashboard', built)
  return async () => {
    await pooler?.stop()
    await dropDatabases(server.url, name)
    rmSync(place, { recursive: true })
    await server.stop()
  }
}

interface Server {
  readonly url: string
  readonly stop: () => Promise<void>
  readonly standbyUrls?: readonly string[]
  readonly workerUrls?: readonly string[]
}

/**
 * The server named by TEST_DATABASE_URL, or a temporary one that ends with this process in any case. It has the database that processes of the
 * tests clone.
 */
const startServer = async (name: string): Promise<Server> => {
  const { TEST_DATABASE_URL: url, STANDBYS, DISTRIBUTED } = process.env
  if (DISTRIBUTED) return startDistributed(name)
  if (url) return createTemplate({ url, stop: async () => {} }, name)
  if (STANDBYS) {
    const { primary, standbys, stop } = await startCluster()
    for (const standby of standbys) await standby.delay(LAG_MS)
    return createTemplate({ url: primary.url, stop, standbyUrls: standbys.map((standby) => standby.url) }, name)
  }
  const { startPostgres } = await import('../../dev/postgres.ts')
  return createTemplate(await startPostgres(join(tmpdir(), name), { throwAway: true }), name)
}

const createTemplate = async (server: Server, name: string): Promise<Server> => {
  await query(server.url, `CREATE DATABASE ${name}`)
  await migrate(new URL(`/${name}`, server.url).href)
  return server
}

const startDistributed = async (name: string): Promise<Server> => {
  if (!hasCitus) throw new Error('Set CITUS to the directory with the programs of Citus (docs/scale.md#citus).')
  const citus = await startCitus(migrate, name)
  await distribute(citus.coordinator.url, () => {})
  await closeDatabase(citus)
  const serverOf = ({ url }: Node) => new URL('/postgres', url).href
  return { url: serverOf(citus.coordinator), workerUrls: citus.workers.map(serverOf), stop: citus.stop }
}

const dropDatabases = async (url: string, prefix: string) => {
  const names = await query(url, `SELECT datname AS name FROM pg_database WHERE starts_with(datname, '${prefix}')`)
  for (const { name } of names) await query(url, `DROP DATABASE ${name} WITH (FORCE)`)
}

const query = async (connectionString: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client.query(text).then(
    ({ rows }) => client.end().then(() => rows),
    (error) => client.end().then(() => Promise.reject(error)),
  )
}

/** Installs and builds it on the first run, and after changes of it. */
const dashboard = () =>
  buildDashboard().catch((error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }))

/** Bundles the gateway as for production. It finds the migrations and its dependencies in the folder above the bundle. */
const bundleGateway = async (place: string): Promise<string> => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const bundle = `import('./dev/build.mjs').then(({ bundle }) => bundle(${JSON.stringify(join(place, 'dist'))}))`
  const { stderr } = await promisify(execFile)(process.execPath, ['--eval', bundle, 'package.json'], { cwd: root })
  if (stderr) throw new Error(`The bundle has problems.\n${stderr}`)
  for (const path of ['migrations', 'package.json', 'node_modules']) symlinkSync(join(root, path), join(place, path))
  return join(place, 'dist/main.js')
}
