// Work that is done later, in the background, even if this process ends: jobs in Postgres, by graphile-worker.
import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Logger, parseCronItems, type Runner, run, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { config } from '#core/config.ts'
import { logFailure } from '#core/log.ts'
import type { Tx } from './unit-of-work.ts'

/** What a job is told, as JSON. Nobody's secrets: it is stored as it is. */
export type Payload = Readonly<Record<string, string | number | boolean | null>>

/**
 * A kind of job. One that fails is tried again, 24 times at growing distances within four days, and one whose process dies from the
 * start: doing it twice must do no harm. With `cron` it runs by itself at those minutes (UTC), without payload, once for all processes.
 */
export interface Task<P extends Payload = Payload> {
  readonly name: string
  readonly cron?: string
  readonly run: (payload: P) => Promise<void>
}

interface When {
  /** At once unless given: a moment, or so many seconds from now by the clock of the database. */
  readonly runAt?: Date
  readonly inSeconds?: number
}

/** The job exists when the transaction is committed, and not before. */
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
  /** Takes no more jobs, and waits for those under way, for ten seconds at most. The others stay for the next process. */
  stop(): Promise<void>
}

const CONCURRENCY = 4
const POLL_EVERY_MS = 500
const RESCUE_EVERY_MS = 5_000
const RESTART_AFTER_MS = 2_000
const DRAIN_FOR_MS = 10_000

/** Runs the jobs of these tasks; those of other tasks stay. A new job is noticed at once, a due one within half a second. */
export const runJobs = async (tasks: readonly Task<never>[]): Promise<JobRunner> => {
  const pool = openPool()
  let isStopping = false
  await rescueJobs(pool)
  let runner = await startRunner(pool, tasks)
  const rescuing = setInterval(() => void rescueJobs(pool), RESCUE_EVERY_MS)

  // graphile-worker gives up when the database is away for long.
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
  // A lock that lives as long as this connection tells the others that this runner does.
  events.on('pool:listen:success', ({ workerPool, client }) => {
    const takeLock = () => client.query('select pg_advisory_lock(hashtext($1), hashtext($2))', [ALIVE, workerPool.id])
    // When it listens.
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
    // Without batches nobody waits for the end of a job to be written, and nobody hears when that fails.
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

/** Jobs of a runner that is gone, killed for instance, are free again. graphile-worker itself would wait for four hours. */
const rescueJobs = async (pool: pg.Pool) => {
  try {
    // A runner takes its lock within its first seconds.
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

/** Of its own: jobs are taken and finished even when requests use every other connection. */
const openPool = () => {
  const pool = new pg.Pool({
    connectionString: config.databaseUrl,
    max: CONCURRENCY,
    connectionTimeoutMillis: config.databaseWaitMs,
    options: '-c TimeZone=UTC -c statement_timeout=5000 -c idle_in_transaction_session_timeout=5000',
  })
  // A connection that breaks is replaced at the next query.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const logJobFailure = (error: unknown) => logFailure({ task: 'jobs' }, error)

/** Only failures, and of these nothing that the job was told. */
const logger = new Logger(() => (level, message, meta) => {
  if (level !== 'error') return
  const { job, error } = (meta ?? {}) as { job?: { id: string; task_identifier: string }; error?: unknown }
  logFailure({ task: job ? `${job.task_identifier} ${job.id}` : 'jobs' }, error ?? new Error(message))
})
