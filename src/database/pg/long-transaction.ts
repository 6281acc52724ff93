// Transactions of migrations, which may take longer than those of requests.
import type pg from 'pg'

/** The options of a connection without time limits. */
export const UNLIMITED = '-c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0'

/** Citus does not send these options to its nodes, so the limits of the role apply there. It sends what a transaction sets. */
const UNLIMITED_ON_NODES = [
  `set local citus.propagate_set_commands = 'local'`,
  'set local statement_timeout = 0',
  'set local idle_in_transaction_session_timeout = 0',
]

export const inOneTransaction = async (client: pg.ClientBase, work: () => Promise<unknown>) => {
  await client.query('begin')
  try {
    for (const setting of UNLIMITED_ON_NODES) await client.query(setting)
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
