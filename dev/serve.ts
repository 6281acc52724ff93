// Writes the demo into a new database, and serves. The dashboard follows when it is built.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { buildDashboard } from './dashboard.mjs'
import { ask, type Database } from './database.ts'
import { onboardCustomers } from './demo/onboarding.ts'
import { seedDemo } from './demo.ts'
import { step } from './step.ts'
import { welcome } from './welcome.ts'

export type Options = { seed: boolean }

// Citus cannot pass rows without columns from node to node, hence `SELECT 1`.
const DEMO_EXISTS = `EXISTS (SELECT 1 FROM api_tokens WHERE client_id = 'demo')`
/** The last step of `onboardCustomers` has been done. */
const CUSTOMERS_ARE_ONBOARDED = `EXISTS (
  SELECT 1 FROM sca_factors factor JOIN api_tokens token ON token.platform_id = factor.platform_id WHERE token.client_id = 'demo')`

/** Serves from a migrated database. */
export const serveFrom = async (database: Database, { seed }: Options) => {
  const { url, folder, own } = database
  const isWanted = seed || (own && (await ask(url, 'NOT EXISTS (SELECT 1 FROM platforms)')))
  if (isWanted) await step('Writing the demo', () => seedDemo(url))
  const [demo, isComplete] = await Promise.all([ask(url, DEMO_EXISTS), ask(url, CUSTOMERS_ARE_ONBOARDED)])
  const { DATABASE_URL = url, MASTER_KEY = masterKeyIn(folder), DEMO = String(demo) } = process.env
  const buildsDashboard = demo && process.env['DASHBOARD_DIRECTORY'] === undefined
  // Calls of the dashboard from this machine get the credentials of the demo.
  if (demo) process.env['DASHBOARD_CREDENTIALS'] ??= 'demo:demo-secret'
  // The build of the dashboard and other programs of a busy computer delay new connections, which is no reason to give up here.
  const { DATABASE_WAIT_MS = '30000' } = process.env
  const { GRAPHIQL = 'true', LOG_LEVEL = 'warn', LOG_MESSAGES = 'true', WEBHOOK_ALLOW_PRIVATE = 'true' } = process.env
  // Everyone knows the credentials of the demo, so only programs on this machine can reach it.
  const { HOST = demo ? '127.0.0.1' : undefined } = process.env
  Object.assign(process.env, {
    ...(HOST !== undefined && { HOST }),
    DATABASE_URL,
    DATABASE_WAIT_MS,
    MASTER_KEY,
    GRAPHIQL,
    DEMO,
    LOG_LEVEL,
    LOG_MESSAGES,
    WEBHOOK_ALLOW_PRIVATE,
  })
  const server = await step('Starting the gateway', () => serveHere(buildsDashboard))
  if (demo && !isComplete) await onboardCustomers((path, init) => fetch(`${server.url}${path}`, init))
  console.log(welcome(server.url, database, demo))
  if (buildsDashboard) void addDashboard(server.url)
  return server
}

/** Builds the dashboard while the gateway serves. If that fails, the gateway still serves the API. */
const addDashboard = async (url: string) => {
  const { serveDashboard, serveNotice } = await import('#http/dashboard/files.ts')
  const { trustDocuments } = await import('#graphql/limits/trusted-documents.ts')
  try {
    const { directory, documents } = await buildDashboard()
    trustDocuments(documents)
    await serveDashboard(directory)
    console.log(`The dashboard is ready at ${url}/`)
  } catch (error) {
    const failure = `The dashboard could not be built.\n${error instanceof Error ? error.message : inspect(error)}`
    console.log(failure)
    await serveNotice(failure)
  }
}

const masterKeyIn = (folder: string) => {
  const file = join(folder, 'master.key')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** Imported late, because these modules read the environment when they load. */
const serveHere = async (buildsDashboard: boolean) => {
  const { config } = await import('#core/config.ts')
  const { serveNotice } = await import('#http/dashboard/files.ts')
  const { serve } = await import('#server.ts')
  const { recordMasterKey } = await import('#master-key.ts')
  await recordMasterKey()
  if (buildsDashboard) await serveNotice('The dashboard is being built. This page reloads by itself.\n')
  return serve(config)
}
