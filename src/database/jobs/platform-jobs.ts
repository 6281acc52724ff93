// The waiting jobs of one platform, for its sandbox clock: they can be brought forward, and run one after the other.
import { randomUUID } from 'node:crypto'
import type { PlatformId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { isDistributed } from '#database/distribution/job-outbox.ts'
import { logTaskFailure } from '#database/outage.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { holdJobs } from './job-holders.ts'
import { taskNamed } from './jobs.ts'
import { OWN } from './own-jobs.ts'
import { traceIdOf } from './trace.ts'

export interface TakenJob {
  readonly id: string
  readonly name: string
  readonly payload: object
  /** The queue whose other jobs wait while this one runs. */
  readonly queueId: number | null
  /** How long it would have waited, rounded up. 0 for a job that is late. */
  readonly waitMs: number
}

/** Taken jobs are locked in the name of this process, so that no job runner also runs them. */
const holder = `sandbox-clock-${randomUUID()}`

/** Keeps taken jobs until the returned function is called. Job runners take over if the process dies. */
export const holdTakenJobs = () => holdJobs(holder)

/**
 * Takes the platform's next job of those that fall due within this time, and locks its queue. `BUSY` if another job of
 * its queue is running. Also `BUSY` if there is no job to take but a job runner is taking or running one, because that
 * job may add others. Jobs in `except` are left alone.
 */
export const takeNextJob = async (
  tx: Tx,
  platformId: PlatformId,
  withinMs: number,
  except: readonly string[],
): Promise<TakenJob | 'BUSY' | undefined> => {
  await freeOwnJobs(tx, platformId)
  const [job] = await tx.$queryRaw<TakenJob[]>`
    select job.id::text, task.identifier as name, job.payload, job.job_queue_id as "queueId",
      greatest(0, ceil(extract(epoch from job.run_at - now()) * 1000))::float8 as "waitMs"
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where job.payload ->> 'platformId' = ${platformId} and job.is_available
      and job.run_at <= now() + make_interval(secs => ${withinMs / 1_000}::float8) and job.id <> all(${except}::bigint[])
    order by job.run_at, job.id limit 1 for update of job skip locked`
  if (job) {
    if (job.queueId !== null && !(await lockQueue(tx, job.queueId))) return 'BUSY'
    await tx.$executeRaw`
      update graphile_worker._private_jobs set locked_at = now(), locked_by = ${holder} where id = ${job.id}::bigint`
    return job
  }
  // A job runner locks a job's row before it stores its name there, and may end a job in the transaction that adds the next one.
  const [running] = await tx.$queryRaw<object[]>`
    select from graphile_worker._private_jobs job
    where job.payload ->> 'platformId' = ${platformId} and job.locked_by is not null and job.locked_by <> ${holder}
    union all
    select from graphile_worker._private_jobs job
    where job.payload ->> 'platformId' = ${platformId} and job.is_available
      and job.run_at <= now() + make_interval(secs => ${withinMs / 1_000}::float8) and job.id <> all(${except}::bigint[])
    limit 1`
  if (running !== undefined) return 'BUSY'
  // Checked last, because a job that has ended since then may have added the next one there.
  return (await isInOutbox(tx, platformId)) ? 'BUSY' : undefined
}

/** Processes store jobs that they will run within seconds as taken. Those that are not due yet become waiting jobs like all others. */
const freeOwnJobs = (tx: Tx, platformId: PlatformId) =>
  tx.$executeRaw`
    update graphile_worker._private_jobs set locked_at = null, locked_by = null
    where locked_by like ${`${OWN}%`} and run_at > now() and payload ->> 'platformId' = ${platformId}`

const isInOutbox = async (tx: Tx, platformId: PlatformId): Promise<boolean> => {
  if (!(await isDistributed())) return false
  const waiting = await tx.$queryRaw<object[]>`
    select 1 as waits from job_outbox where platform_id = ${platformId}::uuid limit 1`
  return waiting.length > 0
}

/** False if a job of the queue is running. */
const lockQueue = async (tx: Tx, id: number): Promise<boolean> => {
  const locked = await tx.$executeRaw`
    update graphile_worker._private_job_queues set locked_at = now(), locked_by = ${holder}
    where id = (select id from graphile_worker._private_job_queues where id = ${id}::int and is_available for update skip locked)`
  return locked === 1
}

/** Brings the platform's waiting jobs forward by this time. */
export const bringJobsForward = async (tx: Tx, platformId: PlatformId, ms: number): Promise<void> => {
  await freeOwnJobs(tx, platformId)
  await tx.$executeRaw`
    update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => ${ms / 1_000}::float8)
    where payload ->> 'platformId' = ${platformId} and is_available and run_at > now()`
}

/** Runs a taken job, and returns whether it succeeded. A failed job is left to the job runners, which try it again. */
export const runTakenJob = async ({ id, name, payload }: TakenJob): Promise<boolean> => {
  try {
    const task = taskNamed(name)
    if (!task) throw new Error(`No task has the name ${name}`)
    await task.run(payload as never)
    await db.$executeRaw`
      with done as (
        delete from graphile_worker._private_jobs where id = ${id}::bigint and locked_by = ${holder} returning job_queue_id
      )
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null
      where id in (select job_queue_id from done) and locked_by = ${holder}`
    return true
  } catch (error) {
    logTaskFailure(`${name} ${id}`, error, { traceId: traceIdOf(payload) })
    await db.$executeRaw`
      with failed as (
        update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()
        where id = ${id}::bigint and locked_by = ${holder} returning job_queue_id
      )
      update graphile_worker._private_job_queues set locked_at = null, locked_by = null
      where id in (select job_queue_id from failed) and locked_by = ${holder}`
    return false
  }
}
