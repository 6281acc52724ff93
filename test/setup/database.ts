// A database for each process of the tests, created before the first file's imports. After each file, its ledger must balance.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { useCompileCache, writeCompileCache } from '../../src/core/compile-cache.ts'
import { cloneDatabase } from './clone.ts'

const run = async (connectionString: string, statement: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const shared = globalThis as { testDatabaseUrl?: string }
const isFirstFile = shared.testDatabaseUrl === undefined
shared.testDatabaseUrl ??= await cloneDatabase()
const databaseUrl = shared.testDatabaseUrl
const databaseAt = (server: string) => new URL(new URL(databaseUrl).pathname, server).href
process.env['MASTER_KEY'] ??= randomBytes(32).toString('base64')
const poolerUrl = inject('poolerUrl')
const standbyUrls = inject('standbyUrls')
Object.assign(process.env, {
  // Clients of the tests that need a session use the second address.
  DATABASE_URL: poolerUrl === null ? databaseUrl : databaseAt(poolerUrl),
  DATABASE_DIRECT_URL: databaseUrl,
  ...(standbyUrls.length > 0 && { DATABASE_REPLICA_URLS: standbyUrls.map(databaseAt).join() }),
  // A busy machine must not fail a test.
  DATABASE_WAIT_MS: '30000',
  GRAPHQL_LIMITS: 'maxMilliseconds=60000',
  LOG_MESSAGES: 'true',
})

// Most processes then need not compile the gateway that they load.
useCompileCache('.bundle-tests/.compile-cache')

// As a gateway does when it starts. The file has set its settings by then.
beforeAll(async () => {
  if (isFirstFile) writeCompileCache()
  if (standbyUrls.length > 0 && isFirstFile) await (await import('#database/replicas/tracking.ts')).trackChanges()
})

afterAll(async () => {
  expect(await run(databaseUrl, 'SELECT * FROM ledger_violations')).toEqual([])
})
