// A database for each test file, created before the file's imports. After the file, its ledger must balance.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, expect, inject } from 'vitest'

const template = inject('template')
const name = `${template}_${randomBytes(4).toString('hex')}`

const run = async (connectionString: string, statement: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const serverUrl = inject('serverUrl')
const databaseUrl = new URL(`/${name}`, serverUrl).href
await run(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`)
Object.assign(process.env, {
  DATABASE_URL: databaseUrl,
  MASTER_KEY: randomBytes(32).toString('base64'),
  // A busy machine must not fail a test.
  DATABASE_WAIT_MS: '30000',
  LOG_MESSAGES: 'true',
})

afterAll(async () => {
  try {
    expect(await run(databaseUrl, 'SELECT * FROM ledger_violations')).toEqual([])
  } finally {
    await run(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)
  }
})
