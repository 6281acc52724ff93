// Jobs that the process that adds them runs itself.
// Own process: counts transactions.
// Not distributed: in a distributed database, all jobs go through the outbox.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { addJob, knownTasks, type Payload, runJobs, type Task } from '#database/jobs/jobs.ts'
import { runTakenJob, takeNextJob } from '#database/jobs/platform-jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { createTraces, startRunner, tracesOf } from '#test/setup/payments/job-runner.ts'

beforeAll(createTraces)

const runs: Payload[] = []
/** Ends in its own transaction, which writes nothing else. */
const task: Task = {
  name: 'own',
  run: async (payload, end) => {
    runs.push(payload)
    await inTransaction(async (tx) => end?.(tx))
  },
}
/** Waits until the test lets it go on, or has ended. */
const held: Task = {
  name: 'held',
  run: () => new Promise((resolve) => (hasEnded ? resolve() : release.push(resolve))),
}
const release: (() => void)[] = []
let hasEnded = false
knownTasks([task, held])

const runners: { stop(): Promise<void> }[] = []
const run = async () => {
  runners.push(await runJobs([task, held]))
}
beforeEach(() => {
  hasEnded = false
})
afterEach(async () => {
  hasEnded = true
  for (const go of release.splice(0)) go()
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  await db.$executeRaw`delete from graphile_worker._private_jobs`
})

const add = (of: Task, payload: Payload = { name: randomUUID() }, inSeconds = 0, times = 1) =>
  inTransaction(async (tx) => {
    for (let n = 0; n < times; n += 1) await addJob(tx, of, payload, { inSeconds })
  })
const holders = async () => {
  const rows = await db.$queryRaw<{ holder: string; count: number }[]>`
    select coalesce(substr(locked_by, 1, 4), 'none') as holder, count(*)::int as count
    from graphile_worker._private_jobs group by 1 order by 1`
  return Object.fromEntries(rows.map(({ holder, count }) => [holder, count]))
}
const runsOf = (payload: Payload) => runs.filter(({ name }) => name === payload['name']).length

it('a job costs two transactions that write: the one that adds it, and its work', async () => {
  await run()
  const transactions = async () => {
    const [row] = await db.$queryRaw<{ next: number }[]>`
      select pg_snapshot_xmax(pg_current_snapshot())::text::int as next`
    return row?.next ?? 0
  }
  const payload = { name: randomUUID() }
  // The runner renews its hold every second, which writes too.
  await vi.waitFor(
    async () => {
      const [before, earlier] = [await transactions(), runsOf(payload)]
      await add(task, payload)
      await vi.waitFor(() => expect(runsOf(payload)).toBe(earlier + 1), { interval: 5, timeout: 10_000 })
      await vi.waitFor(async () => expect(await holders()).toEqual({}), { interval: 5, timeout: 10_000 })
      expect((await transactions()) - before).toBe(2)
    },
    { timeout: 20_000 },
  )
})

it('a job that is due within five seconds waits for its time in this process, and a later one among all others', async () => {
  await run()
  const [soon, late] = [{ name: randomUUID() }, { name: randomUUID() }]
  await add(task, soon, 1)
  await add(task, late, 6)
  expect(await holders()).toEqual({ 'own-': 1, none: 1 })
  expect(runsOf(soon)).toBe(0)
  await vi.waitFor(() => expect(runsOf(soon)).toBe(1), 10_000)
})

it('leaves jobs of a platform to the workers while hundreds of it wait', async () => {
  await run()
  await inTransaction(async (tx) => {
    for (let n = 0; n < 519; n += 1) await addJob(tx, held, { platformId: 'busy' })
    await addJob(tx, held, { platformId: 'other' })
    const stored = await tx.$queryRaw<object[]>`
      select count(*) filter (where locked_by like 'own-%')::int as own, count(*)::int as "all" from graphile_worker._private_jobs`
    expect(stored).toEqual([{ own: 501, all: 520 }])
  })
})

it('a job does not wait behind those of another platform', async () => {
  await run()
  await add(held, { platformId: 'busy' }, 0, 100)
  await vi.waitFor(() => expect(release.length).toBe(4), 10_000)
  const payload = { platformId: 'other', name: randomUUID() }
  await add(task, payload)
  await vi.waitFor(
    () => {
      release.shift()?.()
      expect(runsOf(payload)).toBe(1)
    },
    { interval: 50, timeout: 4_000 },
  )
  const { 'own-': left } = await holders()
  expect(left).toBeGreaterThan(50)
})

it('a job that waits behind slow ones is left to the workers', async () => {
  await run()
  await add(held, {}, 0, 4)
  await vi.waitFor(() => expect(release.length).toBe(4), 10_000)
  const payload = { name: randomUUID() }
  await add(task, payload)
  await vi.waitFor(() => expect(runsOf(payload)).toBe(1), 10_000)
  await expect.poll(holders).toEqual({ 'own-': 4 })
})

it('leaves jobs to others when it stops', async () => {
  await run()
  await add(held, {}, 0, 6)
  await vi.waitFor(() => expect(release.length).toBe(4), 10_000)
  const stopped = Promise.all(runners.splice(0).map((runner) => runner.stop()))
  for (const go of release.splice(0)) go()
  await stopped
  expect(await holders()).toEqual({ none: 2 })
})

it('a job is not lost when its process forgets it', async () => {
  await run()
  const payload = { name: randomUUID() }
  // It does not know the new id.
  await inTransaction(async (tx) => {
    await addJob(tx, task, payload)
    await tx.$executeRaw`
      update graphile_worker._private_jobs set id = default, locked_at = now() - interval '1 minute'`
  })
  await vi.waitFor(() => expect(runsOf(payload)).toBe(1), 20_000)
})

it('the end of a job leaves one of another process that was given its id after a failover', async () => {
  await run()
  await add(held)
  await vi.waitFor(() => expect(release.length).toBe(1), 10_000)
  await db.$executeRaw`update graphile_worker._private_jobs set locked_by = 'other'`
  release.shift()?.()
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  expect(await holders()).toEqual({ othe: 1 })
})

it('a job that is committed after its process has stopped is left to others at once', async () => {
  await run()
  await inTransaction(async (tx) => {
    await addJob(tx, task, {})
    await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  })
  await expect.poll(holders).toEqual({ none: 1 })
})

it('others run the jobs of a process that died', async () => {
  const name = randomUUID()
  const dying = await startRunner({ SLOW_JOB_MS: '600000', ADD_SLOW: name })
  const pids = async () => (await tracesOf(name)).map(({ pid }) => pid)
  await vi.waitFor(async () => expect(await pids()).toEqual([dying.pid]), 10_000)
  expect(await holders()).toEqual({ 'own-': 1 })
  await dying.kill()
  const next = await startRunner({ SLOW_JOB_MS: '10' })
  await vi.waitFor(async () => expect(await pids()).toEqual([dying.pid, next.pid, next.pid]), 20_000)
  await next.stop()
})

it('a sandbox clock takes a job before its time, and it runs once', async () => {
  await run()
  const payload = { platformId: randomUUID(), name: randomUUID() }
  await add(task, payload, 1)
  const job = await inTransaction((tx) => takeNextJob(tx, payload.platformId as PlatformId, 5_000, []))
  if (typeof job !== 'object') throw new Error(`Took ${job}`)
  expect(await runTakenJob(job)).toBe(true)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(runsOf(payload)).toBe(1)
  expect(await holders()).toEqual({})
})
