// Background jobs, stored in Postgres by graphile-worker, so they survive the end of this process.
import { AsyncResource } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { parseCronItems, type Runner, run, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { config } from '#core/config.ts'
import { direct, openPool, SILENCE_MS } from '#database/connections.ts'
import { type Sql, sql } from '#database/db.ts'
import { startTakingJobs } from '#database/distribution/job-outbox.ts'
import { logTaskFailure } from '#database/outage.ts'
import { onCommit, TRANSACTION_TIMEOUT_MS, type Tx } from '#database/unit-of-work.ts'
import { holdJobs } from './job-holders.ts'
import { addingOwnJobs, deletingJob, runOwnJobs } from './own-jobs.ts'
import { StoredFailure } from './stored-failure.ts'
import { tracedTask, withTraceId } from './trace.ts'
import { workerLogger } from './worker-log.ts'

/** The input of a job. It is stored as plain JSON, so it must not contain secrets. */
export type Payload = Readonly<Record<string, string | number | boolean | null>>

/**
 * A job type. Failures are retried up to 24 times with backoff over four days; a job whose process dies starts over. Jobs must be
 * idempotent. With `cron`, one process runs the job at those minutes (UTC), without a payload.
 */
export interface Task<P extends Payload = Payload> {
  readonly name: string
  readonly cron?: string
  readonly run: (payload: P, end?: EndJob) => Promise<void>
}

/** Deletes the running job in the transaction of its work, which saves a commit. A job that does not call it is deleted afterwards. */
type EndJob = (tx: Tx) => Promise<unknown>

const known = new Map<string, Task<never>>()

/** Makes the tasks known by name to this process, whether it runs jobs or not. Returns them as they are to be run. */
export const knownTasks = (tasks: readonly Task<never>[]): readonly Task<never>[] => {
  const traced = tasks.map(tracedTask)
  for (const task of traced) known.set(task.name, task)
  return traced
}

export const taskNamed = (name: string): Task<never> | undefined => known.get(name)

interface When {
  /** Defaults to now. `inSeconds` is added, by the database clock. */
  readonly runAt?: Date
  readonly inSeconds?: number
  /** Jobs of one queue run one after the other. Each name stays in the database, so use few. */
  readonly queue?: string
}

/** Adds a job, which becomes visible when the transaction commits. */
export const addJob = async <P extends Payload>(tx: Tx, task: Task<P>, payload: P, when?: When): Promise<void> => {
  await tx.$executeRaw(addingJob(task, payload, when))
}

/** The statement of `addJob`. */
export const addingJob = <P extends Payload>(
  { name }: Task<P>,
  given: P,
  { runAt, inSeconds = 0, queue }: When = {},
): Sql => {
  const payload = withTraceId(given)
  const own = runAt || queue ? undefined : addingOwnJobs(name, [payload], inSeconds)
  if (own) return own
  if (!runAt && inSeconds === 0) lastAdded = performance.now()
  return sql`
    select add_job(${name}, ${JSON.stringify(payload)}::json, queue => ${queue ?? null}::text,
      run_at => coalesce(${runAt ?? null}::timestamptz, clock_timestamp()) + make_interval(secs => ${inSeconds}::float8))`
}

/** The statement that adds a job for each payload, to be run at once. */
export const addingJobs = <P extends Payload>({ name }: Task<P>, given: readonly P[]): Sql => {
  const payloads = given.map(withTraceId)
  const own = addingOwnJobs(name, payloads)
  if (own) return own
  lastAdded = performance.now()
  return sql`select add_job(${name}, payload) from json_array_elements(${JSON.stringify(payloads)}::json) payload`
}

/** When this process last wrote the statement of a job that is to run at once. Its transaction commits within the timeout. */
let lastAdded = Number.NEGATIVE_INFINITY

export interface JobRunner {
  /** Takes no new jobs and waits up to ten seconds for the running ones. The next process takes the rest. */
  stop(): Promise<void>
}

const CONCURRENCY = 4
const POLL_EVERY_MS = 500
const RESTART_AFTER_MS = 2_000
const DRAIN_FOR_MS = 10_000

/**
 * Runs jobs of these tasks and leaves all others. A new job of this process starts as soon as it is due. All other jobs start at most half a
 * second later.
 */
export const runJobs = async (tasks: readonly Task<never>[]): Promise<JobRunner> => {
  const taking = await startTakingJobs()
  const pool = openJobPool()
  let isStopping = false
  // The caller tries again.
  const giveUp = async (error: unknown) => {
    await Promise.all([taking?.stop(), pool.end()])
    throw error
  }
  const stopOwnJobs = await runOwnJobs(tasks).catch(giveUp)
  let started = await startRunner(pool, tasks).catch(async (error) => {
    const freeOwnJobs = await stopOwnJobs()
    await freeOwnJobs()
    return giveUp(error)
  })

  // graphile-worker gives up if the database is down for long or cannot store the end of a job, so start it again.
  const keepRunning = async () => {
    await started.ended
    while (!isStopping) {
      await wait(RESTART_AFTER_MS, undefined, { ref: false })
      if (isStopping) return
      try {
        await started.release()
        started = await startRunner(pool, tasks)
        await started.ended
      } catch (error) {
        logJobFailure(error)
      }
    }
  }
  void keepRunning()

  const drain = async () => {
    const [freeOwnJobs] = await Promise.all([stopOwnJobs(), started.runner.stop().catch(logJobFailure)])
    // Not earlier, because the workers would still take them.
    await freeOwnJobs()
    await started.release()
    await taking?.stop()
    await pool.end()
  }
  return {
    stop: async () => {
      isStopping = true
      await Promise.race([drain(), wait(DRAIN_FOR_MS, undefined, { ref: false })])
    },
  }
}

interface Started {
  readonly runner: Runner
  /** Resolves when no worker is left. */
  readonly ended: Promise<void>
  /** Ends the runner and its hold on its jobs. */
  readonly release: () => Promise<void>
}

const startRunner = async (pool: pg.Pool, tasks: readonly Task<never>[]): Promise<Started> => {
  const events: WorkerEvents = new EventEmitter()
  const ended = untilWorkersEnd(events)
  const holds: Promise<() => Promise<void>>[] = []
  events.on('pool:create', ({ workerPool }) => {
    holds.push(holdJobs(workerPool.id))
    wakeAfterCommits(workerPool, events)
  })
  const endHolds = async () => {
    for (const end of await Promise.all(holds.splice(0))) await end()
  }
  try {
    const runner = await runOn(pool, tasks, events)
    const release = async () => {
      // It fails if the runner has stopped by itself.
      await runner.stop().catch(() => {})
      await endHolds()
    }
    return { runner, ended, release }
  } catch (error) {
    await endHolds()
    throw error
  }
}

/** graphile-worker 0.17 miscounts what it stores once a job's end could not be stored. The promise of its runner may then never resolve. */
const untilWorkersEnd = (events: WorkerEvents): Promise<void> => {
  let workers = 0
  events.on('worker:create', () => {
    workers += 1
  })
  return new Promise((resolve) => {
    events.on('worker:stop', () => {
      workers -= 1
      if (workers === 0) resolve()
    })
  })
}

/** Payments add jobs without a notification, because commits with one wait for each other. */
const wakeAfterCommits = (workers: WorkerPool, events: WorkerEvents) => {
  // A worker that is woken looks for jobs at once, which must not happen in the context of the request that has committed.
  const wake = AsyncResource.bind(() => {
    if (performance.now() - lastAdded < TRANSACTION_TIMEOUT_MS) workers.nudge(1)
  })
  const end = onCommit(wake)
  for (const stopping of ['pool:gracefulShutdown', 'pool:forcefulShutdown'] as const) events.once(stopping, end)
}

const runOn = (pool: pg.Pool, tasks: readonly Task<never>[], events: WorkerEvents): Promise<Runner> =>
  run({
    pgPool: pool,
    events,
    logger: workerLogger,
    noHandleSignals: true,
    taskList: Object.fromEntries(
      // The end of a job with a queue must free the queue too.
      tasks.map(({ name, run }) => [
        name,
        (payload, { job }) =>
          run(
            payload as never,
            job.job_queue_id === null ? (tx) => tx.$executeRaw(deletingJob(job.id, job.locked_by)) : undefined,
          ).catch((error) => {
            throw new StoredFailure(error)
          }),
      ]),
    ),
    parsedCronItems: parseCronItems(
      tasks.flatMap(({ name, cron }) =>
        cron === undefined ? [] : { task: name, match: cron, options: { backfillPeriod: 0, maxAttempts: 1 } },
      ),
    ),
    // Without batching, graphile-worker neither waits until the end of a job is stored nor reports a failure to store it.
    preset: {
      worker: {
        concurrentJobs: CONCURRENCY,
        pollInterval: POLL_EVERY_MS,
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  })

/** A separate pool, so that jobs can run while requests use every other connection. */
const openJobPool = () =>
  openPool(
    {
      ...direct({ TimeZone: 'UTC', statement_timeout: '5000', idle_in_transaction_session_timeout: '5000' }),
      max: CONCURRENCY,
      connectionTimeoutMillis: config.databaseWaitMs,
    },
    SILENCE_MS,
  )

const logJobFailure = (error: unknown) => logTaskFailure('jobs', error)
