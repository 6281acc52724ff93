// Jobs that the process that adds them runs itself, at once or within seconds. They are stored as taken, so no worker has to find and lock
// them, which saves a commit and half of what a job writes. If the process dies, the others free and run them, as all jobs that it has taken.
import { randomBytes } from 'node:crypto'
import { lookUp, query, type Sql, sql } from '#database/db.ts'
import { isDistributed } from '#database/distribution/job-outbox.ts'
import { logTaskFailure } from '#database/outage.ts'
import { repeatAfterCommits } from '#database/repeated.ts'
import { onCommit } from '#database/unit-of-work.ts'
import { holdJobs } from './job-holders.ts'
import type { Payload, Task } from './jobs.ts'
import { storedMessage } from './stored-failure.ts'
import { traceIdOf } from './trace.ts'

/** The names in which processes hold their own jobs start with this. */
export const OWN = 'own-'

/** Jobs that are due later are left to the workers, and so is what exceeds the other limits. */
const WITHIN_SECONDS = 5
/** The most jobs that wait, for one platform and in all. */
const MOST_WAITING = { PLATFORM: 500, ALL: 5_000 }
const FEW_IDS = 500
const IDS_AT_ONCE = 1_000
const AT_ONCE = 4
/** Behind slow jobs, others wait no longer than this, and are then left to the workers. */
const LATE_AFTER_MS = 5_000
/** Longer than a transaction may take. */
const COMMITTED_WITHIN_MS = 15_000
const LOOK_FOR_UNKNOWN_EVERY_MS = 10_000

interface OwnJob {
  readonly id: string
  /** Empty if the job belongs to no platform. */
  readonly platform: string
  readonly task: Task<never>
  readonly payload: Payload
  /** By the clock of this process. */
  readonly dueAt: number
}

interface Runner {
  /** The statement that stores these jobs as taken, or undefined if the workers should run them. */
  readonly adding: (task: string, payloads: readonly Payload[], inSeconds: number) => Sql | undefined
  /** Takes no new jobs, and waits for the running ones. Returns the function that frees the others. */
  readonly stop: () => Promise<() => Promise<void>>
}

let runner: Runner | undefined

/** The statement that adds jobs which this process runs. Undefined if it does not run them. */
export const addingOwnJobs = (task: string, payloads: readonly Payload[], inSeconds = 0): Sql | undefined =>
  runner?.adding(task, payloads, inSeconds)

/** The statement that deletes a job of this holder. After a failover that lost the job, its id may belong to a job of another holder. */
export const deletingJob = (id: string, holder: string | null): Sql => sql`
  delete from graphile_worker._private_jobs where id = ${id}::bigint and locked_by = ${holder}`

/**
 * From now on this process runs its own jobs of these tasks. Returns the function that ends this and waits for the running jobs, which returns
 * the one that frees the others. In a distributed database, all jobs go through the outbox.
 */
export const runOwnJobs = async (tasks: readonly Task<never>[]): Promise<Runner['stop']> => {
  if (runner || (await isDistributed())) return async () => async () => {}
  const started = await startRunner(tasks)
  runner = started
  return () => {
    runner = undefined
    return started.stop()
  }
}

const startRunner = async (tasks: readonly Task<never>[]): Promise<Runner> => {
  const holder = `${OWN}${randomBytes(9).toString('base64url')}`
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const taskIds = await taskIdsOf([...byName.keys()])
  const ids = await takeIds()
  const release = await holdJobs(holder)
  /** Added jobs that have not started. Their transactions may not be committed yet, or may be rolled back. */
  const added = new Map<string, OwnJob>()
  let waiting: OwnJob[] = []
  const running = new Map<string, { readonly platform: string; readonly ended: Promise<void> }>()
  /** The messages of failed jobs by their ids, until they are stored. */
  const failures = new Map<string, string>()

  /** Takes the oldest job of the platform with the fewest running ones, so that no platform waits behind the slow jobs of another one. */
  const takeNext = (): OwnJob | undefined => {
    const busy = countByPlatform(running.values())
    const fewest = Math.min(...waiting.map(({ platform }) => busy.get(platform) ?? 0))
    const index = waiting.findIndex(({ platform }) => (busy.get(platform) ?? 0) === fewest)
    return waiting.splice(index, 1)[0]
  }

  let isStopping = false
  const startNext = () => {
    while (running.size < AT_ONCE && !isStopping && waiting.length > 0) {
      const job = takeNext()
      if (!job) return
      const ended = run(holder, job)
        .catch((error) => {
          logTaskFailure(`${job.task.name} ${job.id}`, error, { traceId: traceIdOf(job.payload) })
          failures.set(job.id, storedMessage(error))
          looking.wake()
        })
        .finally(() => {
          running.delete(job.id)
          startNext()
        })
      running.set(job.id, { platform: job.platform, ended })
    }
  }

  const isLate = ({ dueAt }: OwnJob) => dueAt + LATE_AFTER_MS < performance.now()

  /** Leaves the jobs of platforms with a late one to the workers. The jobs of others would wait behind them there. */
  const freeLate = async () => {
    const late = new Set(waiting.filter(isLate).map(({ platform }) => platform))
    if (late.size === 0) return
    const freed = waiting.filter(({ platform }) => late.has(platform))
    waiting = waiting.filter(({ platform }) => !late.has(platform))
    await free(holder, freed)
  }

  let lookForUnknownAt = performance.now() + LOOK_FOR_UNKNOWN_EVERY_MS
  /** After an error, or a commit that took very long, there may be jobs that this process has forgotten. */
  const freeUnknown = async () => {
    if (performance.now() < lookForUnknownAt) return
    await freeOthers(holder, [...added.keys(), ...waiting.map(({ id }) => id), ...running.keys(), ...failures.keys()])
    lookForUnknownAt = performance.now() + LOOK_FOR_UNKNOWN_EVERY_MS
  }

  /** Starts the jobs that are due and committed. */
  const look = async () => {
    await freeUnknown()
    if (failures.size > 0) await storeFailures(holder, failures)
    await freeLate()
    if (ids.length < FEW_IDS) ids.push(...(await takeIds()))
    const now = performance.now()
    const due = [...added.values()].filter(({ dueAt }) => dueAt <= now)
    if (due.length === 0) return
    const committed = await committedOf(
      holder,
      due.map(({ id }) => id),
    )
    for (const job of due) {
      const isCommitted = committed.has(job.id)
      if (isCommitted) waiting.push(job)
      if (isCommitted || job.dueAt + COMMITTED_WITHIN_MS < now) added.delete(job.id)
    }
    startNext()
  }
  const looking = repeatAfterCommits('own jobs', 0, look)

  return {
    adding: (name, payloads, inSeconds) => {
      const [task, taskId] = [byName.get(name), taskIds.get(name)]
      if (!task || taskId === undefined || inSeconds > WITHIN_SECONDS) return undefined
      const [platform] = payloads.map(platformOf)
      if (platform === undefined) return undefined
      const others = [...added.values(), ...waiting]
      if (others.length + payloads.length > MOST_WAITING.ALL || payloads.length > ids.length) return undefined
      if ((countByPlatform(others).get(platform) ?? 0) + payloads.length > MOST_WAITING.PLATFORM) return undefined
      if (waiting.some((job) => job.platform === platform && isLate(job))) return undefined
      const dueAt = performance.now() + 1_000 * inSeconds
      const jobs = payloads.map((payload) => ({ id: ids.shift() as string, platform, task, payload, dueAt }))
      for (const job of jobs) added.set(job.id, job)
      if (inSeconds > 0) setTimeout(looking.wake, 1_000 * inSeconds).unref()
      return storing(holder, taskId, jobs, inSeconds)
    },
    stop: async () => {
      isStopping = true
      await looking.stop()
      await Promise.all([...running.values()].map(({ ended }) => ended))
      return async () => {
        await release()
        if (added.size === 0) return
        // Requests that still run may commit others.
        const freeAdded = () => free(holder, [...added.values()])
        const forget = onCommit(() => void freeAdded().catch((error) => logTaskFailure('own jobs', error)))
        setTimeout(forget, COMMITTED_WITHIN_MS).unref()
      }
    },
  }
}

const platformOf = (payload: Payload) => String(payload['platformId'] ?? '')

const countByPlatform = (jobs: Iterable<Pick<OwnJob, 'platform'>>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { platform } of jobs) counts.set(platform, (counts.get(platform) ?? 0) + 1)
  return counts
}

const run = async (holder: string, { id, task, payload }: OwnJob): Promise<void> => {
  let isDeleted = false
  await task.run(payload as never, async (tx) => {
    await tx.$executeRaw(deletingJob(id, holder))
    isDeleted = true
  })
  if (!isDeleted) await lookUp(deletingJob(id, holder))
}

/** Makes the tasks known to the queue, as graphile-worker does when it first looks for jobs. */
const taskIdsOf = async (names: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  await query(sql`
    insert into graphile_worker._private_tasks (identifier) select unnest(${names}::text[]) on conflict do nothing`)
  const rows = await query(
    sql`select identifier, id from graphile_worker._private_tasks where identifier = any(${names}::text[])`,
  )
  return new Map(rows.map(([name, id]) => [String(name), String(id)]))
}

const takeIds = async (): Promise<string[]> => {
  const rows = await query(sql`
    select nextval(pg_get_serial_sequence('graphile_worker._private_jobs', 'id')) from generate_series(1, ${IDS_AT_ONCE}::int)`)
  return rows.map(([id]) => String(id))
}

const storing = (holder: string, taskId: string, jobs: readonly OwnJob[], inSeconds: number): Sql => sql`
  insert into graphile_worker._private_jobs (id, task_id, payload, run_at, attempts, locked_at, locked_by) overriding system value
  select id, ${taskId}::int, payload::json, clock_timestamp() + make_interval(secs => ${inSeconds}::float8), 1, now(), ${holder}
  from unnest(${jobs.map(({ id }) => id)}::bigint[], ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[]) job (id, payload)`

/** The ids of the jobs that this process still holds. A sandbox clock may have taken some. */
const committedOf = async (holder: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await lookUp(sql`
    select id from graphile_worker._private_jobs where id = any(${ids}::bigint[]) and locked_by = ${holder}`)
  return new Set(rows.map(([id]) => String(id)))
}

/** Leaves the jobs to the workers. */
const free = (holder: string, jobs: readonly OwnJob[]) =>
  query(sql`
    update graphile_worker._private_jobs set locked_at = null, locked_by = null
    where id = any(${jobs.map(({ id }) => id)}::bigint[]) and locked_by = ${holder}`)

/** Leaves all other jobs of this holder to the workers, once their transactions must be over. */
const freeOthers = (holder: string, ids: readonly string[]) =>
  query(sql`
    update graphile_worker._private_jobs set locked_at = null, locked_by = null
    where locked_by = ${holder} and id <> all(${ids}::bigint[])
      and locked_at < now() - make_interval(secs => ${COMMITTED_WITHIN_MS / 1_000}::int)`)

/** Leaves failed jobs to the workers, which try them again after the same time as their own. */
const storeFailures = async (holder: string, failures: Map<string, string>): Promise<void> => {
  const stored = [...failures]
  await query(sql`
    update graphile_worker._private_jobs job
    set last_error = message, run_at = now() + exp(attempts) * interval '1 second', locked_at = null, locked_by = null
    from unnest(${stored.map(([id]) => id)}::bigint[], ${stored.map(([, message]) => message)}::text[]) failed (id, message)
    where job.id = failed.id and locked_by = ${holder}`)
  for (const [id] of stored) failures.delete(id)
}
