// The metrics of connections to the database.
import { expect, it } from 'vitest'
import { config } from '#core/config.ts'
import { lookUp, query, sql } from '#database/db.ts'
import { readMetrics } from '#http/metrics.ts'

const connections = async (state: string) =>
  Number(new RegExp(`^database_connections{state="${state}"} (\\d+)$`, 'm').exec((await readMetrics()).text)?.[1])

it('count the connections of lists and of look-ups, and what waits for one', async () => {
  const sleeping = () => sql`select pg_sleep(0.3)`
  const statements = [
    lookUp(sleeping()),
    ...Array.from({ length: config.databasePoolSize + 1 }, () => query(sleeping())),
  ]
  await expect.poll(() => connections('busy')).toBe(config.databasePoolSize + 1)
  expect(await connections('awaited')).toBe(1)
  await Promise.all(statements)
  expect(await connections('busy')).toBe(0)
})
