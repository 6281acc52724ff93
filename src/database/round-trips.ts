// Handwritten statements that are sent together, in one round trip to Postgres, and transactions of them.
import type pg from 'pg'
import { traced } from '#core/tracing.ts'
import { isPooled } from './connections.ts'
import { pool, type Sql, sql } from './db.ts'
import { mayHaveNames, statementOf, withNames } from './pg/statement-names.ts'
import { type Row, readAllRows } from './row.ts'
import { connectionOf, type Tx, untilNoRaceIsLost } from './unit-of-work.ts'

/** Sends statements together, and returns the rows of each. No statement may need the rows of another. */
export type Send = <const S extends readonly Sql[]>(...statements: S) => Promise<{ readonly [K in keyof S]: Row[] }>

interface RoundTrips {
  /** After an error the transaction is rolled back. */
  readonly send: Send
  /** The last round trip: either all its statements succeed and the transaction is committed, or nothing has changed. */
  readonly commitWith: Send
}

const BEGIN = sql`begin`
const COMMIT = sql`commit`

/** Like `inTransaction`, for handwritten statements. Without `commitWith` nothing is changed. */
export const inRoundTrips = <T>(work: (trips: RoundTrips) => Promise<T>): Promise<T> =>
  untilNoRaceIsLost(() =>
    onClient(async (client) => {
      const transaction = { state: 'NEW' as 'NEW' | 'OPEN' | 'ENDED' }
      const tripTo = (next: 'OPEN' | 'ENDED'): Send => {
        return (...statements) => {
          // Without them, the statements of a single round trip would be a transaction for Postgres, but not for Citus.
          const begin = transaction.state === 'NEW' ? [BEGIN] : []
          const commit = next === 'ENDED' ? [COMMIT] : []
          transaction.state = next
          return sendTogether(client, begin, statements, commit)
        }
      }
      const result = await work({ send: tripTo('OPEN'), commitWith: tripTo('ENDED') })
      if (transaction.state === 'OPEN') await client.query('rollback')
      return result
    }),
  )

/** Looks rows up by unique keys, in one round trip. */
export const lookUpTogether: Send = (...statements) =>
  onClient((client) => sendTogether(client, [], statements, [], mayHaveNames('lookUps')))

/** Sends statements together within a Prisma transaction. Call it while no other statement of the transaction runs. */
export const sendIn = <const S extends readonly Sql[]>(tx: Tx, ...statements: S) => sending(tx)(...statements)

/** `sendIn` for this transaction. */
export const sending =
  (tx: Tx): Send =>
  async (...statements) =>
    sendTogether(connectionOf(tx).client, [], statements, [])

const onClient = <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  traced('round trips', { 'db.system.name': 'postgresql' }, () => withNames(() => withClient(work)))

const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken) => client.release(broken),
    )
    throw error
  }
}

const sendTogether = async <const S extends readonly Sql[]>(
  client: pg.PoolClient,
  before: readonly Sql[],
  statements: S,
  after: readonly Sql[],
  mayBeNamed = !isPooled,
) => {
  const all = [...before, ...statements, ...after].map((statement) => statementOf(statement, mayBeNamed))
  const rows = await readAllRows(client, all)
  return rows.slice(before.length, before.length + statements.length) as { readonly [K in keyof S]: Row[] }
}
