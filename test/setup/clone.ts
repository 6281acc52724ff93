// Clones the migrated database of the run, on each node if it is distributed.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** Returns its address. */
export const cloneDatabase = async (): Promise<string> => {
  const template = inject('template')
  const name = `${template}_${randomBytes(4).toString('hex')}`
  const workers = inject('workerUrls')
  for (const server of [...workers, inject('serverUrl')]) {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
    // A clone has the tables, not the settings.
    const { rows } = await client.query<{ setting: string }>(
      'SELECT unnest(setconfig) AS setting FROM pg_db_role_setting JOIN pg_database ON oid = setdatabase WHERE datname = $1',
      [template],
    )
    for (const { setting } of rows) await client.query(`ALTER DATABASE ${name} SET ${setting.replace('=', ' = ')}`)
    await client.end()
  }
  return new URL(`/${name}`, inject('serverUrl')).href
}
