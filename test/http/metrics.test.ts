// The metrics of connections to the database, and of jobs that wait.
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

it('tell for how long the oldest job that no process runs has been due', async () => {
  const seconds = async () => Number(/^oldest_due_job_seconds (\S+)$/m.exec((await readMetrics()).text)?.[1])
  // Other files of this process may have left jobs that are due.
  await lookUp(
    sql`select graphile_worker.add_job('metric', run_at => now() - interval '1000 days', job_key => 'metric')`,
  )
  expect(await seconds()).toBeCloseTo(1000 * 86_400, -2)
  await lookUp(sql`delete from graphile_worker._private_jobs where key = 'metric'`)
  expect(await seconds()).toBeLessThan(86_400)
})
