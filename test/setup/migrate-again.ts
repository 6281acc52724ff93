import pg from 'pg'
import { readMigration } from '#database/migrations.ts'

/** Applies a migration to the rows that a test has made. */
export const migrateAgain = async (name: string) => {
  const client = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
  await client.connect()
  await client.query(readMigration(`${name}/migration.sql`)).finally(() => client.end())
}
