// Has the database record which platforms change, for gateways with replicas.
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { config } from '#core/config.ts'
import { logFailure } from '#core/log.ts'
import { direct, SILENCE_MS } from '#database/connections.ts'
import { isOutage } from '#database/outage.ts'
import { endOfLog, isPeriodMissing, relyOnChanges } from './positions.ts'

const CHECK_EVERY_MS = 5_000
const BEGIN_EVERY_MS = 600_000
const TRY_AGAIN_MS = 200
/** Lost a race for the lock on a table. */
const LOST_RACES = ['55P03', '40P01']

/** Creates the missing triggers, and removes old records of changes from now on. */
export const trackChanges = async (): Promise<void> => {
  await withSession(track)
  relyOnChanges()
  await endOfLog()
  setInterval(() => void tidy(), CHECK_EVERY_MS).unref()
}

const withSession = async (work: (client: pg.Client) => Promise<unknown>) => {
  const client = new pg.Client({
    ...direct({ TimeZone: 'UTC', lock_timeout: '1000' }),
    connectionTimeoutMillis: config.databaseWaitMs,
    query_timeout: SILENCE_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end()
  }
}

/** While the trigger's creation waits for earlier transactions, writers of the table wait behind it. So it does not wait long, and tries again. */
const track = async (client: pg.Client): Promise<void> => {
  for (;;) {
    try {
      await client.query("select pg_advisory_lock(hashtext('track_changes'))")
      await client.query('call track_changes()')
      return
    } catch (error) {
      if (!(error instanceof pg.DatabaseError && LOST_RACES.includes(error.code ?? ''))) throw error
      await wait(TRY_AGAIN_MS)
    }
  }
}

let begunAt = performance.now()
let isTidying = false

/**
 * Begins a new period every ten minutes, and deletes the changes that are visible in every snapshot from now on. Each process then asks again
 * for all platforms. Begins a period, too, if a crash of the server has ended the last one.
 */
const tidy = async () => {
  const isDue = performance.now() - begunAt >= BEGIN_EVERY_MS
  if (isTidying || !(isDue || isPeriodMissing())) return
  isTidying = true
  try {
    await withSession(async (client) => {
      if (isPeriodMissing()) await track(client)
      if (isDue) await client.query(BEGIN_PERIOD)
    })
    if (isDue) begunAt = performance.now()
  } catch (error) {
    if (!isOutage(error)) logFailure({ task: 'trackChanges' }, error)
  } finally {
    isTidying = false
  }
}

const BEGIN_PERIOD = `
  with begun as (
    update change_periods set id = gen_random_uuid(), begun_at = now() where begun_at < now() - interval '10 minutes' returning id
  )
  delete from platform_changes where exists (select from begun) and change < pg_snapshot_xmin(pg_current_snapshot())`
