// The id of the request that a job was added for, which the log of its failures names.
import { currentRequest, inRequest } from '#core/request-context.ts'
import type { Payload, Task } from './jobs.ts'

/** The payload with the id of the current request, unless it has one. */
export const withTraceId = <P extends Payload>(payload: P): P => {
  const traceId = currentRequest()?.traceId
  return traceId === undefined ? payload : { traceId, ...payload }
}

export const traceIdOf = (payload: unknown): string | undefined => {
  const { traceId } = Object(payload)
  return typeof traceId === 'string' ? traceId : undefined
}

/** Runs each job of the task in the context of the request that it was added for. The jobs that it adds then get the same id. */
export const tracedTask = (task: Task<never>): Task<never> => ({
  ...task,
  run: (payload, end) => {
    const traceId = traceIdOf(payload)
    return traceId === undefined ? task.run(payload, end) : inRequest({ traceId }, () => task.run(payload, end))
  },
})
