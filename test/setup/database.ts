// A database for each process of the tests, created before the first file's imports. After each file, its ledger must balance.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject } from 'vitest'

const run = async (connectionString: string, statement: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const createDatabase = async () => {
  const template = inject('template')
  const name = `${template}_${randomBytes(4).toString('hex')}`
  const serverUrl = inject('serverUrl')
  await run(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
  return new URL(`/${name}`, serverUrl).href
}

const shared = globalThis as { testDatabaseUrl?: string }
shared.testDatabaseUrl ??= await createDatabase()
const databaseUrl = shared.testDatabaseUrl
process.env['MASTER_KEY'] ??= randomBytes(32).toString('base64')
const poolerUrl = inject('poolerUrl')
Object.assign(process.env, {
  // Clients of the tests that need a session use the second address.
  DATABASE_URL: poolerUrl === null ? databaseUrl : new URL(new URL(databaseUrl).pathname, poolerUrl).href,
  DATABASE_DIRECT_URL: databaseUrl,
  // A busy machine must not fail a test.
  DATABASE_WAIT_MS: '30000',
  GRAPHQL_LIMITS: 'maxMilliseconds=60000',
  LOG_MESSAGES: 'true',
})

afterAll(async () => {
  expect(await run(databaseUrl, 'SELECT * FROM ledger_violations')).toEqual([])
})
