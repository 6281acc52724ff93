// A database of its own for each test file, there before the file imports anything.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'

const template = inject('template')
const name = `${template}_${randomBytes(4).toString('hex')}`

const onServer = async (statement: string) => {
  const client = new pg.Client({ connectionString: inject('serverUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}

await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}`)
Object.assign(process.env, {
  DATABASE_URL: new URL(`/${name}`, inject('serverUrl')).href,
  MASTER_KEY: randomBytes(32).toString('base64'),
  // A busy machine must not fail a test.
  DATABASE_WAIT_MS: '30000',
})

afterAll(() => onServer(`DROP DATABASE ${name} WITH (FORCE)`))
