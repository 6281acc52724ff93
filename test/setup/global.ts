// One server for the whole run, with one migrated database that each process of the tests clones.
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#database/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    serverUrl: string
    template: string
  }
}

export const setup = async (project: TestProject) => {
  const name = `paygraph_test_${randomBytes(4).toString('hex')}`
  const server = await startServer(name)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await migrate(new URL(`/${name}`, server.url).href)
  project.provide('serverUrl', server.url)
  project.provide('template', name)
  return async () => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [name],
    )
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`)
    await client.end()
    await server.stop()
  }
}

/** The server named by TEST_DATABASE_URL, or a temporary one that ends with this process in any case. */
const startServer = async (name: string) => {
  const { TEST_DATABASE_URL: url } = process.env
  if (url) return { url, stop: async () => {} }
  const { startPostgres } = await import('../../dev/postgres.ts')
  return startPostgres(join(tmpdir(), name), { throwAway: true })
}
