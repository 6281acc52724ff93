// What graphile-worker logs.
import { type Job, Logger } from 'graphile-worker'
import { logTaskFailure } from '#database/outage.ts'
import { StoredFailure } from './stored-failure.ts'
import { traceIdOf } from './trace.ts'

/** What graphile-worker adds to its messages. */
interface Logged {
  readonly job?: Pick<Job, 'id' | 'task_identifier' | 'payload' | 'attempts' | 'max_attempts'>
  readonly error?: unknown
  /** Why the end of a job could not be stored. */
  readonly fatalError?: unknown
}

/** Logs failures only, without the payload of the job. */
export const workerLogger = new Logger(() => (level, message, meta) => {
  if (level !== 'error') return
  const { job, error, fatalError } = (meta ?? {}) as Logged
  const original = error instanceof StoredFailure ? error.cause : (error ?? fatalError)
  // The only attempt of a scheduled job is repeated at its next time.
  const isLast = job !== undefined && job.max_attempts > 1 && job.attempts >= job.max_attempts
  logTaskFailure(job ? `${job.task_identifier} ${job.id}` : 'jobs', original ?? new Error(message), {
    traceId: traceIdOf(job?.payload),
    isLast,
  })
})
