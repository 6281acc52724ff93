// Rows that say which process holds jobs. A process renews its rows while it lives. When it dies, the others free its jobs within seconds.
import pg from 'pg'
import { config } from '#core/config.ts'
import { logFailure } from '#core/log.ts'
import { direct, SILENCE_MS } from '#database/connections.ts'
import { isOutage } from '#database/outage.ts'

const RENEW_EVERY_MS = 1_000
/** A process that was connected does not lose its jobs within this time, even if its connection breaks. */
const RECONNECT_WITHIN_MS = 3_000
/** How often to look for jobs locked under a name without a row, as earlier releases did. They are freed after a minute. */
const LOOK_FOR_UNKNOWN_EVERY_MS = 60_000

/** The names in which this process holds jobs, with the number of their users. */
const holders = new Map<string, number>()
let client: pg.Client | undefined
let connectedAt = 0
let lookedForUnknownAt = 0
let renewing: NodeJS.Timeout | undefined
/** Work on the connection runs one after the other. */
let last: Promise<unknown> = Promise.resolve()

const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const result = last.then(work)
  last = result.catch(() => {})
  return result
}

/**
 * Keeps jobs that this process locks in the name `holder` from being given to others until the returned function is
 * called. That function frees the jobs that are left. Call it before the first job is locked. It never throws: without
 * the database it tries again every second.
 *
 * If the process dies, others free its jobs within about five seconds. As long as it is connected to the database it counts as alive, even if
 * it is too busy to renew its row for up to a minute.
 */
export const holdJobs = async (holder: string): Promise<() => Promise<void>> => {
  holders.set(holder, (holders.get(holder) ?? 0) + 1)
  renewing ??= setInterval(() => void renewAndFree(), RENEW_EVERY_MS).unref()
  await inTurn(renew).catch(giveUp)
  return () => release(holder)
}

const release = async (holder: string) => {
  const users = (holders.get(holder) ?? 0) - 1
  if (users > 0) {
    holders.set(holder, users)
    return
  }
  holders.delete(holder)
  await inTurn(async () => {
    // Another user may have registered in between. If the statement fails, other processes free the jobs.
    if (!holders.has(holder)) await (await connected()).query(free('holder = $1'), [holder])
  }).catch(giveUp)
  if (holders.size > 0) return
  clearInterval(renewing)
  renewing = undefined
  await disconnect()
}

let isBusy = false

const renewAndFree = async () => {
  if (isBusy) return
  isBusy = true
  try {
    await inTurn(async () => {
      if (holders.size === 0) return
      await renew()
      await freeJobsOfTheDead()
    })
  } catch (error) {
    await giveUp(error)
  } finally {
    isBusy = false
  }
}

/** The next renewal connects again. Code that has work to do reports the outage. */
const giveUp = async (error: unknown) => {
  if (!isOutage(error)) logFailure({ task: 'holdJobs' }, error)
  await disconnect()
}

const connected = async (): Promise<pg.Client> => {
  if (client) return client
  const opened = new pg.Client({
    ...direct({ TimeZone: 'UTC', statement_timeout: '5000' }),
    connectionTimeoutMillis: config.databaseWaitMs,
    query_timeout: SILENCE_MS,
  })
  const forget = () => {
    if (client === opened) client = undefined
  }
  opened.on('error', forget)
  opened.once('end', forget)
  await opened.connect()
  connectedAt = performance.now()
  client = opened
  return opened
}

const disconnect = async () => {
  const closing = client
  client = undefined
  await closing?.end().catch(() => {})
}

const renew = async () => {
  const on = await connected()
  await on.query(
    `insert into job_holders (holder, backend_pid, backend_start, renewed_at)
     select holder, pid, backend_start, now() from unnest($1::text[]) holder, pg_stat_activity where pid = pg_backend_pid()
     on conflict (holder) do update set
       backend_pid = excluded.backend_pid, backend_start = excluded.backend_start, renewed_at = excluded.renewed_at`,
    [[...holders.keys()].sort()],
  )
}

/**
 * A holder is dead if its connection has ended and it has not renewed its row since, although other processes could.
 * While the connection is open, either the process is busy or its host is gone, so it counts as dead after a minute.
 */
const DEAD = `renewed_at < now() - interval '${RECONNECT_WITHIN_MS} milliseconds' and (
  renewed_at < now() - interval '1 minute' or not exists (
    select from pg_stat_activity activity
    where activity.pid = backend_pid and coalesce(activity.backend_start = job_holders.backend_start, true)))`

const free = (which: string) => `
  with gone as (delete from job_holders where ${which} returning holder)
  select graphile_worker.force_unlock_workers(array_agg(holder)) from gone having count(*) > 0`

const freeJobsOfTheDead = async () => {
  const now = performance.now()
  // After an outage of the database, the others need time to reconnect too.
  if (now - connectedAt < RECONNECT_WITHIN_MS) return
  const on = await connected()
  await on.query(free(DEAD))
  if (now - lookedForUnknownAt < LOOK_FOR_UNKNOWN_EVERY_MS) return
  lookedForUnknownAt = now
  await on.query(`
    select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker._private_jobs
    where locked_by is not null and locked_at < now() - interval '1 minute' and not exists (select from job_holders where holder = locked_by)`)
}
