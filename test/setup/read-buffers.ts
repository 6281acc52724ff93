// The buffers that statements read. Unlike time, these are the same on every machine.
import pg from 'pg'
import { vi } from 'vitest'

/**
 * With the settings of the gateway's pool. Commits are synchronous, because VACUUM does not mark a page as all-visible until the commits of
 * its rows have reached the disk.
 */
export const planner = () =>
  new pg.Client({
    connectionString: process.env['DATABASE_DIRECT_URL'],
    options: '-c TimeZone=UTC -c plan_cache_mode=force_custom_plan -c jit=off -c synchronous_commit=on',
  })

const EXPLAIN = 'explain (analyze, buffers, format json)'

export const buffersOfPlan = async (client: pg.Client, text: string, values: readonly unknown[]): Promise<number> =>
  buffersIn(await client.query({ text: `${EXPLAIN} ${text}`, values: [...values] }))

/** The same for a statement that is planned once for all values, with the settings of the pool of such statements. Needs a transaction. */
export const buffersOfLastingPlan = async (
  client: pg.Client,
  text: string,
  values: readonly unknown[],
): Promise<number> => {
  await client.query('set local plan_cache_mode = force_generic_plan; set local random_page_cost = 1.1')
  await client.query(`prepare lasting as ${text}`)
  try {
    const literals = values.map((value) => client.escapeLiteral(String(value))).join(', ')
    return buffersIn(await client.query(`${EXPLAIN} execute lasting(${literals})`))
  } finally {
    await client.query('deallocate lasting')
  }
}

const buffersIn = ({ rows }: pg.QueryResult): number => {
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

/** The buffers of the statements that `work` sends and that read the table. */
export const buffersOf = async (client: pg.Client, table: string, work: () => Promise<unknown>): Promise<number> => {
  const sent = vi.spyOn(pg.Pool.prototype, 'query')
  try {
    await work()
    const statements = sent.mock.calls
      .map(([statement]) => statement as unknown as pg.QueryConfig)
      .filter(({ text }) => text.includes(`from ${table} t`))
    let buffers = 0
    for (const { text, values = [] } of statements) buffers += await buffersOfPlan(client, text, values)
    return buffers
  } finally {
    sent.mockRestore()
  }
}
