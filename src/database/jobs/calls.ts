// Jobs that call other servers. The calls run outside of the job workers, so a server that stays silent delays neither other jobs nor calls to
// other servers.
import { setTimeout as wait } from 'node:timers/promises'
import { logTaskFailure } from '#database/outage.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { addJob, type Payload, type Task } from './jobs.ts'

export interface Call {
  /** A process makes one call of an id at a time. */
  readonly id: string
  /** The calls to one server share a limit. */
  readonly server: string
  /** Throws if the call is to be made again. It needs a time limit. */
  readonly run: () => Promise<void>
}

/** The maximum number of calls of a process at the same time. It is high, because calls to silent servers stay open for seconds. */
const MOST_AT_ONCE = 1_000
/** Concurrent calls to one server: `QUIET` while fewer than half of `MOST_AT_ONCE` are open, `BUSY` otherwise. */
const TO_ONE_SERVER = { QUIET: 50, BUSY: 1 }
/** Longer than a call usually takes, so that two processes do not make the same call at once. */
const FIRST_PAUSE_SECONDS = 8
/** Up to about half an hour. */
const MOST_DOUBLINGS = 7
const STOP_WITHIN_MS = 3_000

/** The open calls by their ids. */
const open = new Map<string, { readonly server: string; readonly ended: Promise<void> }>()

const hasRoom = (server: string): boolean => {
  const most = TO_ONE_SERVER[open.size < MOST_AT_ONCE / 2 ? 'QUIET' : 'BUSY']
  return open.size < MOST_AT_ONCE && [...open.values()].filter((one) => one.server === server).length < most
}

/** Starts the call, unless it is open already or there is no room for it. A failure is logged with the name of the task. */
export const startCall = (task: string, { id, server, run }: Call): void => {
  if (open.has(id) || !hasRoom(server)) return
  const ended = run()
    .catch((error) => logTaskFailure(`${task} ${id}`, error))
    .finally(() => open.delete(id))
  open.set(id, { server, ended })
}

/**
 * A job type that makes a call, and makes it again after pauses of 8, 16, 32 … seconds, each up to twice as long, until `callOf` finds nothing to
 * call about. The next attempt is stored before the call starts, so a call is not lost if its process dies. It may be made twice.
 */
export const callTask = <P extends Payload>(
  name: string,
  callOf: (payload: P) => Promise<Call | undefined>,
): Task<P> => {
  const task: Task<P> = {
    name,
    run: async (payload, end) => {
      const call = await callOf(payload)
      if (!call) return
      const waits = Number(payload['waits'] ?? 0)
      const inSeconds = FIRST_PAUSE_SECONDS * 2 ** Math.min(waits, MOST_DOUBLINGS) * (1 + Math.random())
      await inTransaction(async (tx) => {
        await addJob(tx, task, { ...payload, waits: waits + 1 }, { inSeconds })
        await end?.(tx)
      })
      startCall(name, call)
    },
  }
  return task
}

/** Waits up to three seconds for the open calls. The others are made again after the restart. */
export const finishCalls = async (): Promise<void> => {
  const ended = [...open.values()].map((one) => one.ended)
  await Promise.race([Promise.all(ended), wait(STOP_WITHIN_MS, undefined, { ref: false })])
}
