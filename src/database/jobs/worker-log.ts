// What graphile-worker logs.
import { Logger } from 'graphile-worker'
import { logTaskFailure } from '#database/outage.ts'
import { StoredFailure } from './stored-failure.ts'

/** What graphile-worker adds to its messages. */
interface Logged {
  readonly job?: { readonly id: string; readonly task_identifier: string }
  readonly error?: unknown
  /** Why the end of a job could not be stored. */
  readonly fatalError?: unknown
}

/** Logs failures only, without the payload of the job. */
export const workerLogger = new Logger(() => (level, message, meta) => {
  if (level !== 'error') return
  const { job, error, fatalError } = (meta ?? {}) as Logged
  const original = error instanceof StoredFailure ? error.cause : (error ?? fatalError)
  logTaskFailure(job ? `${job.task_identifier} ${job.id}` : 'jobs', original ?? new Error(message))
})
