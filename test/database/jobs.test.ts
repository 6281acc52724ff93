// Jobs exist once their transaction commits, and run to completion even if a process dies.
// Own process: reads every row of its database.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { deleteFailedJobs } from '#database/jobs/failed-jobs.ts'
import { holdJobs } from '#database/jobs/job-holders.ts'
import { addJob, type JobRunner, runJobs } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { tasks } from '#tasks.ts'
import {
  blocking,
  createTraces,
  failing,
  quick,
  slow,
  startRunner,
  TASKS,
  tracesOf,
} from '#test/setup/payments/job-runner.ts'

beforeAll(createTraces)

/** Stops every job runner at the end of its test. */
const runners: { stop(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
})
const run = async (): Promise<JobRunner> => {
  const runner = await runJobs(TASKS)
  runners.push(runner)
  return runner
}
const runElsewhere = async (settings?: Record<string, string>) => {
  const runner = await startRunner(settings)
  runners.push(runner)
  return runner
}

const add = async (task: typeof quick, when?: Parameters<typeof addJob>[3]) => {
  const name = randomUUID()
  await inTransaction((tx) => addJob(tx, task, { name }, when))
  return name
}

const stepsOf = async (name: string) => (await tracesOf(name)).map(({ step }) => step)
const until = (name: string, steps: string[], timeout = 15_000) =>
  vi.waitFor(async () => expect(await stepsOf(name)).toEqual(steps), { timeout, interval: 20 })
const DONE = ['began', 'ended']

const queueOf = (name: string) =>
  db.$queryRaw<{ attempts: number; wait: number; locked_by: string | null; last_error: string | null }[]>`
    select job.attempts, extract(epoch from job.run_at - now())::float8 as wait, job.locked_by, job.last_error
    from graphile_worker.jobs job join graphile_worker._private_jobs stored using (id)
    where stored.payload ->> 'name' = ${name}`

describe('a job', () => {
  it('runs once its transaction is committed, and not before', async () => {
    await run()
    const name = randomUUID()
    await inTransaction(async (tx) => {
      await addJob(tx, quick, { name })
      await new Promise((resolve) => setTimeout(resolve, 700))
      expect(await tracesOf(name)).toEqual([])
    })
    const committed = performance.now()
    await until(name, DONE)
    console.log(`from commit to done ${Math.round(performance.now() - committed)} ms`)
  })

  it('is added without a notification, because commits that send one wait for each other', async () => {
    await run()
    const client = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
    await client.connect()
    const heard: string[] = []
    client.on('notification', ({ channel }) => heard.push(channel))
    try {
      await client.query('listen "jobs:insert"; listen tested')
      await until(await add(quick), DONE)
      await until(await add(quick, { inSeconds: 0.1 }), DONE)
      // Any process may run this one.
      await add(quick, { inSeconds: 60 })
      await client.query('notify tested')
      await vi.waitFor(() => expect(heard).toContain('tested'), 10_000)
      expect(heard).toEqual(['tested'])
    } finally {
      await client.end()
    }
  })

  it('does not run in the context of the request that added it', async () => {
    const request = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const task = { name: randomUUID(), run: async () => void seen.push(request.getStore() ?? 'none') }
    runners.push(await runJobs([task]))
    for (let n = 1; n <= 5; n++) {
      await request.run('a request', () => inTransaction((tx) => addJob(tx, task, {})))
      await vi.waitFor(() => expect(seen).toHaveLength(n), { interval: 20, timeout: 5_000 })
    }
    expect(seen).toEqual(Array(5).fill('none'))
  })

  it('never runs when its transaction is rolled back', async () => {
    await run()
    const name = randomUUID()
    const rolledBack = inTransaction(async (tx) => {
      await addJob(tx, quick, { name })
      throw new Error('Changed my mind')
    })
    await expect(rolledBack).rejects.toThrow('Changed my mind')
    await until(await add(quick), DONE)
    expect(await tracesOf(name)).toEqual([])
    expect(await queueOf(name)).toEqual([])
  })

  it('waits until its scheduled time, and while no runner is up', async () => {
    const later = await add(quick, { inSeconds: 1.5 })
    const early = await add(quick, { runAt: new Date(Date.now() - 60_000) })
    const far = await add(quick, { runAt: new Date(Date.now() + 3_600_000), inSeconds: 60 })
    await run()
    await until(early, DONE)
    expect(await tracesOf(later)).toEqual([])
    await until(later, DONE)
    expect(await tracesOf(far)).toEqual([])
    expect((await queueOf(far))[0]?.wait).toBeGreaterThan(3_600)
  })

  it('is retried when it fails, and the log has the failure but not the payload', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const printed = vi.spyOn(console, 'log')
    try {
      await run()
      const name = await add(failing)
      await until(name, ['began'])
      const waits = await vi.waitFor(async () => {
        const [job] = await queueOf(name)
        // The queue stores no message, because messages may contain user input.
        expect(job).toMatchObject({ attempts: 1, locked_by: null, last_error: 'Error' })
        return job?.wait ?? 0
      }, 15_000)
      expect(waits).toBeGreaterThan(0)
      expect(waits).toBeLessThan(5)
      await until(name, ['began', 'began', 'ended'])
      const lines = written.mock.calls.map(([line]) => String(line))
      expect(lines).toHaveLength(1)
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        task: expect.stringMatching(/^failing \d+$/),
        message: 'Fails the first time',
      })
      expect(lines.join()).not.toContain(name)
      expect(printed).not.toHaveBeenCalled()
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('is skipped by a runner that does not know its type', async () => {
    const name = await add({ name: 'of the next version', run: async () => {} })
    await run()
    await until(await add(quick), DONE)
    expect(await queueOf(name)).toMatchObject([{ attempts: 0 }])
  })
})

it('a scheduled job that has failed is deleted after a week, and other jobs never are', async () => {
  const later = { inSeconds: 3_600 }
  const [old, recent, waiting, other] = await Promise.all(Array.from({ length: 4 }, () => add(quick, later)))
  const change = (name: string | undefined, days: number, attempts: number, most: number) => db.$executeRaw`
    update graphile_worker._private_jobs set attempts = ${attempts}::smallint, max_attempts = ${most}::smallint,
      updated_at = now() - make_interval(days => ${days}::int) where payload ->> 'name' = ${name}`
  await change(old, 8, 1, 1)
  await change(recent, 6, 1, 1)
  await change(waiting, 8, 0, 1)
  await change(other, 365, 25, 25)
  await deleteFailedJobs.run({})
  const left = await Promise.all([old, recent, waiting, other].map((name) => queueOf(name ?? '')))
  expect(left.map(({ length }) => length)).toEqual([0, 1, 1, 1])
})

describe('a job runner', () => {
  it('that fails to start leaves nothing running', async () => {
    const holders = () => db.$queryRaw<object[]>`select holder from job_holders order by holder`
    const before = await holders()
    await db.$executeRaw`alter function has_job_outbox() rename to has_no_job_outbox`
    try {
      await expect(runJobs(TASKS)).rejects.toThrow('has_job_outbox')
    } finally {
      await db.$executeRaw`alter function has_no_job_outbox() rename to has_job_outbox`
    }
    expect(await holders()).toEqual(before)
  })

  it('finishes running jobs when it stops, and leaves the rest to the next runner', async () => {
    const runner = await runElsewhere({ SLOW_JOB_MS: '1500' })
    const names = await Promise.all(Array.from({ length: 6 }, () => add(slow)))
    const beganNow = async () => {
      const traces = await Promise.all(names.map(stepsOf))
      return traces.filter((steps) => steps.includes('began')).length
    }
    await vi.waitFor(async () => expect(await beganNow()).toBe(4), { timeout: 10_000 })
    await runner.stop()
    const steps = await Promise.all(names.map(stepsOf))
    expect(steps.filter((step) => step.length === 2)).toHaveLength(4)
    expect(steps.filter((step) => step.length === 0)).toHaveLength(2)
    await run()
    await Promise.all(names.map((name) => until(name, DONE)))
  })

  it('loses no job when it is killed: the next runner starts them over', async () => {
    const runner = await runElsewhere({ SLOW_JOB_MS: '600000' })
    const names = await Promise.all(Array.from({ length: 5 }, () => add(slow)))
    await vi.waitFor(async () => expect((await Promise.all(names.map(stepsOf))).flat()).toHaveLength(4), {
      timeout: 10_000,
    })
    await runner.kill()
    const next = await runElsewhere({ SLOW_JOB_MS: '10' })
    const restarted = performance.now()
    await vi.waitFor(
      async () => {
        const traces = (await Promise.all(names.map(tracesOf))).flat()
        expect(traces.filter(({ step }) => step === 'ended')).toHaveLength(5)
        expect(traces.every(({ step, pid }) => step === 'began' || pid === next.pid)).toBe(true)
      },
      { timeout: 20_000 },
    )
    console.log(`jobs of a killed process done ${Math.round(performance.now() - restarted)} ms after the restart`)
  })

  it('keeps the jobs it is running, however long they take', async () => {
    await runElsewhere({ SLOW_JOB_MS: '7000' })
    const name = await add(slow)
    await until(name, ['began'])
    await run()
    await until(name, DONE)
  })

  it('keeps its job while the process is too busy to renew its hold', async () => {
    await runElsewhere({ SLOW_JOB_MS: '6000' })
    const name = await add(blocking)
    await until(name, ['began'])
    await run()
    await until(name, DONE)
  })

  it('frees the jobs of another holder that died, and not those of one that lives', async () => {
    const [dead, alive] = [`dead-${randomUUID()}`, `alive-${randomUUID()}`]
    const lock = async (holder: string) => {
      const name = await add(slow)
      await db.$executeRaw`
        update graphile_worker._private_jobs set locked_at = now(), locked_by = ${holder} where payload ->> 'name' = ${name}`
      return name
    }
    const [theirs, ours] = [await lock(dead), await lock(alive)]
    const release = await holdJobs(alive)
    await db.$executeRaw`insert into job_holders values (${dead}, 1, 'epoch', now())`
    await run()
    await until(theirs, DONE)
    expect(await queueOf(ours)).toMatchObject([{ locked_by: alive }])
    await release()
    await until(ours, DONE)
    expect(await db.$queryRaw`select from job_holders where holder in (${dead}, ${alive})`).toEqual([])
  })

  it('shares the queue with other runners: each job runs once', async () => {
    const others = await Promise.all([runElsewhere(), runElsewhere()])
    const batch = randomUUID()
    const JOBS = 200
    await Promise.all(
      Array.from({ length: 10 }, (_, part) =>
        inTransaction(async (tx) => {
          for (let place = 0; place < JOBS / 10; place += 1)
            await addJob(tx, quick, { name: `${batch} ${part} ${place}` })
        }),
      ),
    )
    const ended = await vi.waitFor(
      async () => {
        const traces = (await tracesOf(batch)).filter(({ step }) => step === 'ended')
        expect(traces.length).toBeGreaterThanOrEqual(JOBS)
        return traces
      },
      { timeout: 20_000 },
    )
    expect(new Set(ended.map(({ name }) => name)).size).toBe(JOBS)
    expect(ended).toHaveLength(JOBS)
    const shares = others.map(({ pid }) => ended.filter((trace) => trace.pid === pid).length)
    for (const share of shares) expect(share).toBeGreaterThan(0)
    console.log(`jobs ${JOBS}, done ${ended.length}, by two processes ${shares.join(' and ')}`)
  })

  it('runs jobs again after the database could not store their ends, as on a full disk', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const unstored = await Promise.all(Array.from({ length: 8 }, () => add(quick)))
    await db.$executeRaw`create function is_full() returns trigger language plpgsql as
      $$ begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`
    await db.$executeRaw`create trigger is_full before update or delete on graphile_worker._private_jobs
      for each row when (old.locked_by is not null) execute function is_full()`
    try {
      await run()
      await vi.waitFor(() => expect(written.mock.calls.join()).toContain('"cause":"53100"'), 15_000)
    } finally {
      await db.$executeRaw`drop function is_full cascade`
      vi.restoreAllMocks()
    }
    for (const name of unstored)
      await vi.waitFor(async () => expect(await queueOf(name)).toEqual([]), { timeout: 15_000, interval: 20 })
  })

  it('reconnects when the database drops all its connections', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      await run()
      await until(await add(quick), DONE)
      await db.$queryRaw`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query not like '%pg_terminate%'`
      const name = await vi.waitFor(() => add(quick), 15_000)
      // A job that met a dropped connection is tried again.
      await vi.waitFor(async () => expect(await stepsOf(name)).toContain('ended'), { timeout: 15_000 })
    } finally {
      written.mockRestore()
    }
  })
})

it('the gateway folds counts and deletes expired rows on a schedule', async () => {
  runners.push(await runJobs(tasks))
  const known = async () => {
    const found = await db.$queryRaw<{ identifier: string }[]>`
      select identifier from graphile_worker._private_known_crontabs`
    return found.map(({ identifier }) => identifier)
  }
  await expect.poll(known).toEqual(expect.arrayContaining(['foldCounts', 'forgetExpiredRequests', 'keepPartitions']))
  for (const { name, cron, run } of tasks) if (cron) await expect(run({} as never), name).resolves.toBeUndefined()
})

it('one gateway adds the cron jobs of a minute, and no other waits for its commit', async () => {
  // As graphile-worker does.
  const adding = `
    insert into graphile_worker._private_known_crontabs as known (identifier, known_since, last_execution) values ('once', now(), now())
    on conflict (identifier) do update set last_execution = excluded.last_execution where known.last_execution < excluded.last_execution
    returning identifier`
  const other = new pg.Client({ connectionString: process.env['DATABASE_DIRECT_URL'] })
  await other.connect()
  try {
    await other.query(adding)
    await other.query('begin')
    expect((await other.query(adding)).rows).toEqual([{ identifier: 'once' }])
    expect(await db.$queryRawUnsafe(adding)).toEqual([])
    await other.query('commit')
    expect(await db.$queryRawUnsafe(adding)).toEqual([{ identifier: 'once' }])
  } finally {
    await other.end()
  }
})

it('a process whose clock is ahead stops cron at itself only', async () => {
  const everyMinute = (name: string) => ({ name, cron: '* * * * *', run: async () => {} })
  const lastOf = async (name: string) => {
    const known = await db.$queryRaw<object[]>`
      select last_execution is not null as "isExecuted", last_execution < now() + interval '1 minute' as "isInTime"
      from graphile_worker._private_known_crontabs where identifier = ${name}`
    return known[0]
  }
  /** Runs the jobs with a clock that is ahead by this time, until a minute of that clock has begun. */
  const runAhead = async (ms: number, name: string) => {
    const minute = Math.ceil((Date.now() + ms) / 60_000) * 60_000
    vi.useFakeTimers({ toFake: ['Date'], now: minute - 20 })
    runners.push(
      { stop: async () => void vi.useRealTimers() },
      await runJobs([everyMinute('shared'), everyMinute(name)]),
    )
    await expect.poll(() => lastOf(name)).toBeDefined()
    vi.setSystemTime(minute + 20)
  }
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await runAhead(3_600_000, 'ahead')
  await expect.poll(() => String(written.mock.calls)).toContain('clock_of_gateway_is_ahead')
  written.mockRestore()
  vi.useRealTimers()
  await runAhead(0, 'inTime')
  await expect.poll(() => lastOf('shared')).toEqual({ isExecuted: true, isInTime: true })
})
