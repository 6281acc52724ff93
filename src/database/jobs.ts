// Background jobs, stored in Postgres by graphile-worker, so they survive the end of this process.
import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { config } from '#core/config.ts'
import { logFailure } from '#core/log.ts'
import type { Tx } from './unit-of-work.ts'

/** The input of a job. It is stored as plain JSON, so it must not contain secrets. */
export type Payload = Readonly<Record<string, string | number | boolean | null>>

/**
 * A job type. Failures are retried up to 24 times with backoff over four days; a job whose process dies starts over. Jobs must be
 * idempotent. With `cron`, one process runs the job at those minutes (UTC), without a payload.
 */
export interface Task<P extends Payload = Payload> {
  readonly name: string
  readonly cron?: string
  readonly run: (payload: P) => Promise<void>
}

interface When {
  /** Defaults to now. `inSeconds` is added, by the database clock. */
  readonly runAt?: Date
  readonly inSeconds?: number
}

/** Adds a job, which becomes visible when the transaction commits. */
export const addJob = async <P extends Payload>(
  tx: Tx,
  { name }: Task<P>,
  payload: P,
  { runAt, inSeconds = 0 }: When = {},
): Promise<void> => {
  await tx.$executeRaw`
    select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
      run_at => coalesce(${runAt ?? null}::timestamptz, clock_timestamp()) + make_interval(secs => ${inSeconds}::float8))`
}

export interface JobRunner {
  /** Takes no new jobs and waits up to ten seconds for the running ones. The next process takes the rest. */
  stop(): Promise<void>
}

const CONCURRENCY = 4
const POLL_EVERY_MS = 500
const RESCUE_EVERY_MS = 5_000
const RESTART_AFTER_MS = 2_000
const DRAIN_FOR_MS = 10_000

/** Runs jobs of these tasks and leaves all others. New jobs start at once, scheduled ones within half a second of their time. */
export const runJobs = async (tasks: readonly Task<never>[]): Promise<JobRunner> => {
  const pool = openPool()
  let isStopping = false
  await rescueJobs(pool)
  let runner = await startRunner(pool, tasks)
  const rescuing = setInterval(() => void rescueJobs(pool), RESCUE_EVERY_MS)

  // graphile-worker gives up if the database is down for long, so start it again.
  const keepRunning = async () => {
    await runner.promise.catch(logJobFailure)
    while (!isStopping) {
      await wait(RESTART_AFTER_MS, undefined, { ref: false })
      if (isStopping) return
      try {
        runner = await startRunner(pool, tasks)
        await runner.promise
      } catch (error) {
        logJobFailure(error)
      }
    }
  }
  void keepRunning()

  const drain = async () => {
    await runner.stop().catch(logJobFailure)
    await pool.end()
  }
  return {
    stop: async () => {
      isStopping = true
      clearInterval(rescuing)
      await Promise.race([drain(), wait(DRAIN_FOR_MS, undefined, { ref: false })])
    },
  }
}

const startRunner = (pool: pg.Pool, tasks: readonly Task<never>[]): Promise<Runner> => {
  const events: WorkerEvents = new EventEmitter()
  // Other processes see from this advisory lock that the runner is alive. It ends with the connection.
  events.on('pool:listen:success', ({ workerPool, client }) => {
    const takeLock = () => client.query('select pg_advisory_lock(hashtext($1), hashtext($2))', [ALIVE, workerPool.id])
    // `drain` fires once the LISTEN statement is done.
    client.once('drain', () => void takeLock().catch(logJobFailure))
  })
  return run({
    pgPool: pool,
    events,
    logger,
    noHandleSignals: true,
    taskList: Object.fromEntries(tasks.map((task) => [task.name, (payload) => task.run(payload as never)])),
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
}

const ALIVE = 'job runner'

/** Unlocks the jobs of runners that died. graphile-worker itself would wait four hours. */
const rescueJobs = async (pool: pg.Pool) => {
  try {
    // Skip recent jobs: a new runner may not have taken its advisory lock yet.
    await pool.query(
      `select graphile_worker.force_unlock_workers(array_agg(locked_by)) from (
         select locked_by from graphile_worker.jobs where locked_at < now() - interval '3 seconds' group by 1
       ) as runner where pg_try_advisory_xact_lock(hashtext($1), hashtext(locked_by))`,
      [ALIVE],
    )
  } catch (error) {
    logJobFailure(error)
  }
}

/** A separate pool, so that jobs can run while requests use every other connection. */
const openPool = () => {
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: CONCURRENCY,
    connectionTimeoutMillis: config.databaseWaitMs,
    options: '-c TimeZone=UTC -c statement_timeout=5000 -c idle_in_transaction_session_timeout=5000',
  })
  // The pool replaces a broken connection at the next query.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const logJobFailure = (error: unknown) => logFailure({ task: 'jobs' }, error)

/** Logs failures only, without the payload of the job. */
const logger = new Logger(() => (level, message, meta) => {
  if (level !== 'error') return
  const { job, error } = (meta ?? {}) as { job?: { id: string; task_identifier: string }; error?: unknown }
  logFailure({ task: job ? `${job.task_identifier} ${job.id}` : 'jobs' }, error ?? new Error(message))
})
