// Queries of a pool that do not wait for each other share a connection, and one write to its socket.
import type { Socket } from 'node:net'
import type pg from 'pg'
import type { Finished, Receiver, TextQuery } from '#database/row.ts'

interface Waiting {
  readonly query: TextQuery
  readonly finished: Finished
}

/** A client of `pg`, whose types leave these members out. */
type Client = Receiver & { readonly connection: { readonly stream: Socket } }

/**
 * Sends all queries of one turn of the event loop on one connection. A REST page needs its rows and its count. Sending them together uses a
 * tenth less CPU. Each query is its own transaction, so a failure does not affect the others. Postgres runs the queries in turn,
 * so they must be short.
 */
export const sendingTogether = (pool: pg.Pool): Receiver => {
  let waiting: Waiting[] = []

  const sendAll = () => {
    const queries = waiting
    waiting = []
    pool.connect((error, connected, release) => {
      if (!connected) {
        for (const { finished } of queries) finished(error, [])
        return
      }
      const client = connected as unknown as Client
      let left = queries.length
      let failure: Error | undefined
      client.connection.stream.cork()
      for (const { query, finished } of queries) {
        client.query(query, (problem, rows) => {
          if (problem instanceof Error) failure = problem
          left -= 1
          // As the pool does, a connection is not used again after an error.
          if (left === 0) release(failure)
          finished(problem, rows)
        })
      }
      client.connection.stream.uncork()
    })
  }

  return {
    query: (query, finished) => {
      waiting.push({ query, finished })
      // It runs once all promises that are settled have been handled, as in `dataloader`.
      if (waiting.length === 1) process.nextTick(sendAll)
    },
  }
}
