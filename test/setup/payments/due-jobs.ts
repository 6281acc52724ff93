// Advances time for a platform's waiting jobs: they run one after the other, each after the previous one is done.
import { db } from '#database/db.ts'
import { takeJobs } from '#database/distribution/job-outbox.ts'
import { tasks } from '#tasks.ts'

export interface DoneJob {
  readonly name: string
  /** How long the job would have waited. */
  readonly afterSeconds: number
}

interface Waiting {
  id: string
  name: string
  payload: object
  wait: number
}

/** The platform's next job that falls due within this number of seconds. */
const nextOf = async (platformId: string, withinSeconds: number): Promise<Waiting | undefined> => {
  await takeJobs()
  const [job] = await db.$queryRaw<Waiting[]>`
    select job.id::text, task_identifier as name, stored.payload, extract(epoch from job.run_at - now())::float8 as wait
    from graphile_worker.jobs job join graphile_worker._private_jobs stored using (id)
    where stored.payload ->> 'platformId' = ${platformId} and job.run_at <= now() + make_interval(secs => ${withinSeconds}::float8)
    order by job.run_at, job.id limit 1`
  return job
}

export const waitingOf = async (platformId: string) => {
  await takeJobs()
  return db.$queryRaw<{ name: string; payload: Record<string, string> }[]>`
    select task_identifier as name, stored.payload
    from graphile_worker.jobs job join graphile_worker._private_jobs stored using (id)
    where stored.payload ->> 'platformId' = ${platformId} order by job.run_at, job.id`
}

/** Runs the platform's waiting jobs of these names that are due, and no others. */
export const runDue = async (platformId: string, names: readonly string[]): Promise<void> => {
  for (;;) {
    await takeJobs()
    const [job] = await db.$queryRaw<Waiting[]>`
      select job.id::text, task_identifier as name, stored.payload
      from graphile_worker.jobs job join graphile_worker._private_jobs stored using (id)
      where stored.payload ->> 'platformId' = ${platformId} and task_identifier = any(${[...names]}) and job.run_at <= now()
      order by job.run_at, job.id limit 1`
    if (!job) return
    await tasks.find(({ name }) => name === job.name)?.run(job.payload as never)
    await db.$executeRaw`delete from graphile_worker._private_jobs where id = ${job.id}::bigint`
  }
}

/**
 * Runs jobs as the job runner would, in order of time, up to this number of seconds from now, and `look` after each. Quotes expire after
 * five minutes.
 */
export const passTime = async (
  platformId: string,
  seconds = 240,
  look: () => Promise<unknown> = async () => {},
): Promise<DoneJob[]> => {
  const done: DoneJob[] = []
  for (let job = await nextOf(platformId, seconds); job; job = await nextOf(platformId, seconds)) {
    const task = tasks.find(({ name }) => name === job?.name)
    if (!task) throw new Error(`No task ${job.name}`)
    await task.run(job.payload as never)
    await db.$executeRaw`delete from graphile_worker._private_jobs where id = ${job.id}::bigint`
    done.push({ name: job.name, afterSeconds: Math.round(job.wait) })
    await look()
  }
  return done
}
