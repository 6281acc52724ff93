// In a distributed database jobs wait in an outbox beside the rows of their platform, until they are taken to the queue. This shows it without
// Citus, and test/database/citus.test.ts with it.
// Own process: has jobs wait in the outbox.
import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { addJob } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { createPayer, fundsOf, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'

beforeAll(async () => {
  await db.$executeRaw`
    create or replace function has_job_outbox() returns boolean language sql immutable parallel safe as 'select true'`
})
beforeEach(() => takeJobs())

const task = { name: 'of this test', run: async () => {} }
const platformId = randomUUID() as PlatformId
const add = async () => {
  const name = randomUUID()
  await inTransaction((tx) => addJob(tx, task, { platformId, name }))
  return name
}

const queued = async (name: string) => {
  const rows = await db.$queryRaw<
    object[]
  >`select from graphile_worker._private_jobs where payload ->> 'name' = ${name}`
  return rows.length
}
/** How many jobs wait in the outbox, and how many are remembered as taken. */
const kept = async () => {
  const [row] = await db.$queryRaw<object[]>`
    select (select count(*)::int from job_outbox) as waiting, (select count(*)::int from taken_jobs) as taken`
  return row
}
/** The process dies before it deletes them from the outbox. */
const takeAndDie = () => db.$queryRaw`select from take_jobs(1000)`
const runAll = () =>
  db.$executeRaw`delete from graphile_worker._private_jobs where payload ->> 'platformId' = ${platformId}`

it('a job waits from the commit of its money until it is taken, and is then in the queue', async () => {
  const { platform, dollars, outside } = await createPayer()
  await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 500))
  const jobs = () =>
    db.$queryRaw<object[]>`select from graphile_worker._private_jobs where payload ->> 'platformId' = ${platform.id}`
  expect([await jobs(), await kept()]).toEqual([[], { waiting: 1, taken: 0 }])
  await takeJobs()
  expect([(await jobs()).length, await kept()]).toEqual([1, { waiting: 0, taken: 1 }])
  await takeJobs()
  expect(await kept()).toEqual({ waiting: 0, taken: 0 })
})

it('a job that was taken before a crash is not taken again, even after it has run', async () => {
  const name = await add()
  await takeAndDie()
  expect([await queued(name), await kept()]).toEqual([1, { waiting: 1, taken: 1 }])
  await takeAndDie()
  expect(await queued(name)).toBe(1)
  await runAll()
  await takeJobs()
  expect([await queued(name), await kept()]).toEqual([0, { waiting: 0, taken: 1 }])
})

it('processes that take jobs at once take each of them once', async () => {
  const names = await Promise.all(Array.from({ length: 100 }, add))
  await Promise.all([takeJobs(), takeAndDie(), takeJobs(), takeJobs(), takeAndDie(), takeJobs()])
  await takeJobs()
  const inQueue = await Promise.all(names.map(queued))
  expect([Math.min(...inQueue), Math.max(...inQueue)]).toEqual([1, 1])
  expect(await kept()).toMatchObject({ waiting: 0 })
})

it('the sandbox clock runs the jobs of a payment in their order', async () => {
  const { platform, dollars, outside } = await createPayer()
  const { body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 500))
  const advanced = await send(platform, 'POST', '/sandbox/advance-time', { seconds: 300 })
  expect(advanced.body).toMatchObject({ remainingSeconds: 0 })
  expect(advanced.body.jobsRun).toBeGreaterThan(1)
  expect((await send(platform, 'GET', `/transactions/${body.id}`)).body).toMatchObject({ status: 'COMPLETED' })
  expect(await fundsOf(platform, dollars)).toEqual([99_500, 99_500])
})
