// Transactions of migrations, which may take longer than those of requests.
import type pg from 'pg'

/** The options of a connection without time limits. */
export const UNLIMITED = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

export const inOneTransaction = async (client: pg.ClientBase, work: () => Promise<unknown>) => {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
