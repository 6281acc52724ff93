// Seeds many transactions quickly, by generating them inside the database.
import pg from 'pg'
import { addCast, prepare } from './bulk/cast.ts'
import { chunkStatement, WORDS } from './bulk/chunk.ts'

/** `stage` is `transactions`, then a description of each later step, and finally `done`. */
export type Progress = { done: number; count: number; stage: string }

type Options = {
  count: number
  platform?: string
  onProgress?: (progress: Progress) => void
}

const CHUNK = 25_000

/**
 * Adds `count` transactions to the platform, with customers, accounts, cards, agents, quotes and timelines. For a superuser, foreign keys
 * are not checked; `test/database/seed.test.ts` checks them afterwards. If the table is small in comparison, everything is one database
 * transaction, which locks the table and rebuilds its indexes. Otherwise each chunk is one transaction.
 */
export const seedTransactions = async (
  databaseUrl: string,
  { count, platform = 'demo', onProgress = () => {} }: Options,
): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC -c statement_timeout=0' })
  await client.connect()
  try {
    const { platformId, run, existing, isSuperuser } = await survey(client, platform)
    const bulk = { platformId, platform, count, run, hasTriggers: !isSuperuser }
    const inOne = isSuperuser && existing < count
    const transaction = async (work: () => Promise<void>) => {
      await client.query('BEGIN')
      await client.query(`SET LOCAL app.events = 'off'`)
      if (isSuperuser) await client.query('SET LOCAL session_replication_role = replica')
      await work()
      await client.query('COMMIT')
    }
    const addChunks = async (each: (work: () => Promise<void>) => Promise<void>) => {
      const statement = chunkStatement(isSuperuser)
      const now = new Date()
      for (let from = 1; from <= count; from += CHUNK) {
        const to = Math.min(count, from + CHUNK - 1)
        const values = [platformId, `${platform}/bulk/${run}`, from, to, count, now, ...WORDS]
        await each(async () => {
          await client.query(statement, values)
        })
        onProgress({ done: to, count, stage: 'transactions' })
      }
    }
    await client.query(SETTINGS)
    await prepare(client)
    if (inOne)
      await transaction(async () => {
        await addCast(client, bulk)
        await withoutIndexes(client, () => addChunks((work) => work()), onProgress, count)
      })
    else {
      await transaction(() => addCast(client, bulk))
      await addChunks(transaction)
    }
    onProgress({ done: count, count, stage: 'adding up the counts' })
    await client.query('SELECT fold_transaction_counts()')
    onProgress({ done: count, count, stage: 'vacuuming and gathering statistics' })
    // Postgres vacuums by itself later. Until then an index alone cannot tell which rows are visible.
    await client.query('VACUUM ANALYZE')
    onProgress({ done: count, count, stage: 'done' })
  } finally {
    await client.end()
  }
}

const SETTINGS = `
  SET work_mem = '128MB';
  SET maintenance_work_mem = '512MB';
  SET max_parallel_maintenance_workers = 2;
  SET jit = off;
  SET synchronous_commit = off`

const survey = async (client: pg.Client, platform: string) => {
  const { rows } = await client.query<{
    platformId: string
    run: number
    existing: number
    isSuperuser: boolean
  }>(
    `SELECT id AS "platformId", rolsuper AS "isSuperuser",
       (SELECT coalesce(sum(n), 0) FROM (SELECT count FROM platform_transaction_counts UNION ALL SELECT change FROM transaction_count_deltas) AS counted (n))::float8 AS existing,
       (SELECT count(*) FROM customers WHERE platform_id = platforms.id AND platform_customer_id LIKE 'bulk-%-1')::int + 1 AS run
     FROM platforms JOIN pg_roles ON rolname = current_user WHERE name = $1`,
    [platform],
  )
  const found = rows[0]
  if (!found) throw new Error(`There is no platform named ${platform}.`)
  return found
}

/** Keeps the primary and unique keys, which cost little because the rows arrive nearly in key order. */
const withoutIndexes = async (
  client: pg.Client,
  work: () => Promise<void>,
  onProgress: (progress: Progress) => void,
  count: number,
) => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid = 'transactions'::regclass AND NOT indisunique`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  await work()
  for (const [place, { definition }] of rows.entries()) {
    onProgress({ done: count, count, stage: `building index ${place + 1} of ${rows.length}` })
    await client.query(definition)
  }
}
