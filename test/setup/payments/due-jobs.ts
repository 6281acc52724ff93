// Time passes at a test's word: the waiting jobs of a platform are done one after the other, each when the one before is done.
import { db } from '#database/db.ts'
import { tasks } from '#tasks.ts'

export interface DoneJob {
  readonly name: string
  /** For how long it would have waited. */
  readonly afterSeconds: number
}

interface Waiting {
  id: string
  name: string
  payload: object
  wait: number
}

/** The next job of the platform that falls due within so many seconds from now. */
const nextOf = async (platformId: string, withinSeconds: number): Promise<Waiting | undefined> => {
  const [job] = await db.$queryRaw<Waiting[]>`
    select job.id::text, task_identifier as name, stored.payload, extract(epoch from job.run_at - now())::float8 as wait
    from graphile_worker.jobs job join graphile_worker._private_jobs stored using (id)
    where stored.payload ->> 'platformId' = ${platformId} and job.run_at <= now() + make_interval(secs => ${withinSeconds}::float8)
    order by job.run_at, job.id limit 1`
  return job
}

export const waitingOf = (platformId: string) =>
  db.$queryRaw<{ name: string; payload: Record<string, string> }[]>`
    select task_identifier as name, stored.payload
    from graphile_worker.jobs job join graphile_worker._private_jobs stored using (id)
    where stored.payload ->> 'platformId' = ${platformId} order by job.run_at, job.id`

/** As the job runner would, in the order of their moments, up to so many seconds after now. Expiries of quotes come after five minutes. */
export const passTime = async (platformId: string, seconds = 240): Promise<DoneJob[]> => {
  const done: DoneJob[] = []
  for (let job = await nextOf(platformId, seconds); job; job = await nextOf(platformId, seconds)) {
    const task = tasks.find(({ name }) => name === job?.name)
    if (!task) throw new Error(`No task ${job.name}`)
    await task.run(job.payload as never)
    await db.$executeRaw`delete from graphile_worker._private_jobs where id = ${job.id}::bigint`
    done.push({ name: job.name, afterSeconds: Math.round(job.wait) })
  }
  return done
}
