// Taking the waiting jobs of one platform for its sandbox clock.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { addJob } from '#database/jobs/jobs.ts'
import { bringJobsForward, runTakenJob, type TakenJob, takeNextJob } from '#database/jobs/platform-jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
// Taken jobs are found by the names of all tasks.
import '#tasks.ts'
import { endCardPull } from '#transactions/cards/confirm.ts'

const newPlatformId = () => randomUUID() as PlatformId

/** In an hour, so that no job runner takes it. It does nothing: there is no such transaction. */
const add = async (platformId: PlatformId, queue?: string) => {
  const payload = { platformId, transactionId: randomUUID(), pullId: randomUUID() }
  await inTransaction((tx) =>
    addJob(tx, endCardPull, payload, { inSeconds: 3_600, ...(queue !== undefined && { queue }) }),
  )
  await takeJobs()
}

const take = (platformId: PlatformId, except: readonly string[] = []) =>
  inTransaction((tx) => takeNextJob(tx, platformId, 7_200_000, except))

const taken = async (platformId: PlatformId, except: readonly string[] = []): Promise<TakenJob> => {
  const job = await take(platformId, except)
  if (typeof job !== 'object') throw new Error(`Took ${job}`)
  return job
}

const setLock = (queue: string, holder: string | null) =>
  db.$executeRaw`
    update graphile_worker._private_job_queues
    set locked_by = ${holder}::text, locked_at = case when ${holder}::text is null then null else now() end
    where queue_name = ${queue}`

it('a job waits while a runner has locked its queue', async () => {
  const [platformId, queue] = [newPlatformId(), randomUUID()]
  await add(platformId, queue)
  await setLock(queue, 'another runner')
  expect(await take(platformId)).toBe('BUSY')
  await setLock(queue, null)
  expect(await runTakenJob(await taken(platformId))).toBe(true)
  expect(await take(platformId)).toBeUndefined()
})

it('a taken job locks its queue for others until it has run', async () => {
  const [one, other, queue] = [newPlatformId(), newPlatformId(), randomUUID()]
  await add(one, queue)
  await add(one, queue)
  await add(other, queue)
  const job = await taken(one)
  expect([await take(one), await take(other)]).toEqual(['BUSY', 'BUSY'])
  const locks = await db.$queryRaw<object[]>`
    select is_available from graphile_worker._private_job_queues where queue_name = ${queue}`
  expect(locks).toEqual([{ is_available: false }])
  await runTakenJob(job)
  for (const platformId of [one, other]) expect(await runTakenJob(await taken(platformId))).toBe(true)
  expect([await take(one), await take(other)]).toEqual([undefined, undefined])
})

it('a job that fails unlocks its queue', async () => {
  const [platformId, queue] = [newPlatformId(), randomUUID()]
  await add(platformId, queue)
  const job = await taken(platformId)
  expect(await runTakenJob({ ...job, name: 'unknown' })).toBe(false)
  await add(platformId, queue)
  const next = await taken(platformId, [job.id])
  expect([next.id === job.id, await runTakenJob(next)]).toEqual([false, true])
})

/** How many rows of jobs the statements of `work` have read. */
const rowsRead = (work: (tx: Tx) => Promise<unknown>) =>
  inTransaction(async (tx) => {
    const count = async () => {
      const [row] = await tx.$queryRaw<{ read: number }[]>`
        select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_all_tables
        where schemaname = 'graphile_worker' and relname = '_private_jobs'`
      return row?.read ?? 0
    }
    const before = await count()
    await work(tx)
    return (await count()) - before
  })

/** The full size is JOBS=1000000. */
const OTHERS = Number(process.env['JOBS'] ?? 20_000)

it(`the ${OTHERS} waiting jobs of others are not read`, { timeout: 600_000 }, async () => {
  const mine = newPlatformId()
  for (let n = 0; n < 3; n += 1) await add(mine)
  for (let first = 0; first < OTHERS; first += 20_000) {
    await db.$executeRaw`
      insert into graphile_worker._private_jobs (task_id, payload, run_at)
      select (select min(id) from graphile_worker._private_tasks),
        json_build_object('platformId', md5((n % 100)::text)::uuid, 'others', true),
        now() + interval '1 hour' + n * interval '1 millisecond'
      from generate_series(${first}::int + 1, least(${first}::int + 20000, ${OTHERS}::int)) n`
  }
  // Otherwise Postgres does so within a minute.
  await db.$executeRaw`analyze graphile_worker._private_jobs`
  try {
    const steps = {
      take: await rowsRead((tx) => takeNextJob(tx, mine, 7_200_000, [])),
      'none to take': await rowsRead((tx) => takeNextJob(tx, newPlatformId(), 7_200_000, [])),
      'bring forward': await rowsRead((tx) => bringJobsForward(tx, mine, 1_000)),
    }
    // Jobs of other tests that are running may be read.
    for (const [name, read] of Object.entries(steps)) expect([name, read, read < 100]).toEqual([name, read, true])
    console.log(`${OTHERS} jobs of others: rows read ${JSON.stringify(steps)}`)
  } finally {
    for (let deleted = 1; deleted > 0; ) {
      deleted = await db.$executeRaw`
        delete from graphile_worker._private_jobs where id in (
          select id from graphile_worker._private_jobs where payload ->> 'others' = 'true' or payload ->> 'platformId' = ${mine} limit 20000)`
    }
  }
})
