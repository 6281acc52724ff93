// Two concurrent changes in the one order in which they could miss each other: the first stops before a write until the second
// has finished or waits as well.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { db, type Sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { nodeUrls } from '#test/setup/distributed.ts'

const HELD = 815
const PATIENCE_MS = 60_000

const connectToNodes = () =>
  Promise.all(
    nodeUrls().map(async (connectionString) => {
      const client = new pg.Client({ connectionString })
      await client.connect()
      return client
    }),
  )

/** The number of connections to this database that wait for a lock, during a statement that contains the text. */
export const waiting = async (text = ''): Promise<number> => {
  const nodes = await connectToNodes()
  const counts = await Promise.all(
    nodes.map(async (node) => {
      const { rows } = await node.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and strpos(query, $1) > 0`,
        [text],
      )
      return rows[0]?.count ?? 0
    }),
  )
  await Promise.all(nodes.map((node) => node.end()))
  return counts.reduce((sum, count) => sum + count, 0)
}

export const until = async (isSo: () => Promise<boolean>) => {
  for (const end = Date.now() + PATIENCE_MS; !(await isSo()); await wait(20)) {
    if (Date.now() > end) throw new Error('Timed out waiting for the changes to block')
  }
}

/** The answer to a request that waits for the row that `lock` selects. `meanwhile` happens during the wait. */
export const delayed = async <T>(
  lock: Sql,
  request: () => Promise<T>,
  meanwhile: (holder: Tx) => Promise<unknown>,
): Promise<T> => {
  const [answer] = await db.$transaction(async (holder) => {
    await holder.$queryRaw(lock)
    const running = request()
    await until(async () => (await waiting()) > 0)
    await meanwhile(holder)
    return [running]
  })
  return answer
}

/** The writes before which the first stops, such as `insert on auth_methods`. The second stops there too, if it reaches one. */
export const interleaved = async <A, B>(
  writes: string | readonly string[],
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> => {
  await db.$executeRawUnsafe(`create function stand_still() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock_shared(${HELD}); return coalesce(new, old); end'`)
  for (const [index, write] of [writes].flat().entries()) {
    const trigger = `create trigger stands_still_${index} before ${write}`
    await db.$executeRawUnsafe(`${trigger} for each row execute function stand_still()`)
  }
  const holders = await connectToNodes()
  const release = () => Promise.all(holders.map((holder) => holder.end()))
  try {
    for (const holder of holders) await holder.query(`select pg_advisory_lock(${HELD})`)
    const one = first()
    await until(async () => (await waiting()) > 0)
    let isOver = false
    const other = second().finally(() => {
      isOver = true
    })
    await until(async () => isOver || (await waiting()) > 1)
    await release()
    return await Promise.all([one, other])
  } finally {
    await release()
    await db.$executeRawUnsafe('drop function stand_still cascade')
  }
}
