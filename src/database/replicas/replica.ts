// One replica: its connections, how far it has replayed the primary's log, and whether it is in use.
import pg from 'pg'
import { logReplica } from '#core/log.ts'
import { openReplicaPool } from '#database/connections.ts'
import { isOutage } from '#database/outage.ts'
import { type Position, positionOf, systemIdentifier } from './positions.ts'

const TRY_EVERY_MS = 1_000
/** A replica that is behind is asked at most once in this time. */
const ASK_EVERY_MS = 5

/**
 * The offset is null for a server that is not a replica, for example because it was promoted. A replica that follows a new timeline may report the
 * old one until its next checkpoint, unless the role may read `pg_stat_wal_receiver`. It is then not used.
 */
const QUESTION = `
  select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as "offset", system_identifier::text as cluster,
    greatest(timeline_id, min_recovery_end_timeline, (select received_tli from pg_stat_wal_receiver))::text as timeline
  from pg_control_system(), pg_control_checkpoint(), pg_control_recovery()`

/**
 * What each connection has shown. It holds as long as the connection does, because a server that restarts closes its connections. After a
 * restart it may be further back than before.
 */
const shown = new WeakMap<pg.ClientBase, Position>()

const show = async (client: pg.ClientBase): Promise<Position> => {
  const { rows } = await client.query<{ offset: string | null; timeline: string; cluster: string }>({
    name: 'position',
    text: QUESTION,
  })
  const [{ offset, timeline, cluster } = { offset: null, timeline: '', cluster: '' }] = rows
  if (offset === null || cluster !== (await systemIdentifier()))
    throw new NoReplica('The server is not one of our replicas')
  const position = positionOf(timeline, offset)
  shown.set(client, position)
  return position
}

class NoReplica extends Error {}

/** The pools of the primary that the replica's pools replace. */
export type PoolName = 'lookUps' | 'lists'

export class Replica {
  readonly #host: string
  readonly #pools: Readonly<Record<PoolName, pg.Pool>>
  #isOut = false
  #isClosed = false
  #trying: NodeJS.Timeout | undefined
  /** The last position that any connection has shown. It is only a hint, because each connection is asked separately. */
  #last: Position = -1n
  #askedAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor(url: string) {
    this.#host = new URL(url).host
    this.#pools = { lookUps: openReplicaPool(url, 'auto'), lists: openReplicaPool(url, 'force_custom_plan') }
  }

  hasShown(position: Position): boolean {
    return !this.#isOut && this.#last >= position
  }

  /** Asks the replica, unless it has just been asked. */
  async shows(position: Position): Promise<boolean> {
    if (this.#isOut) return false
    if (this.#asking === undefined && performance.now() - this.#askedAt >= ASK_EVERY_MS) this.#asking = this.#ask()
    await this.#asking
    return this.hasShown(position)
  }

  /**
   * Runs a statement on a connection that has shown the position. Fails if the replica does not show it, or the statement fails. If the
   * replica itself failed, it is left out until it answers again.
   */
  async use<T>(pool: PoolName, position: Position, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    try {
      return await this.#withClient(pool, async (client) => {
        if ((shown.get(client) ?? -1n) < position) {
          this.#last = await show(client)
          if (this.#last < position) throw new Error('The replica is behind')
        }
        return work(client)
      })
    } catch (error) {
      if (isBroken(error)) this.#leaveOut()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#trying)
    await Promise.all(Object.values(this.#pools).map((pool) => pool.end()))
  }

  async #withClient<T>(pool: PoolName, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.#pools[pool].connect()
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  }

  async #ask(): Promise<void> {
    try {
      this.#last = await this.#withClient('lookUps', show)
    } catch {
      this.#leaveOut()
    } finally {
      this.#askedAt = performance.now()
      this.#asking = undefined
    }
  }

  #leaveOut() {
    if (this.#isOut || this.#isClosed) return
    this.#isOut = true
    logReplica('replica left out', this.#host)
    this.#tryLater()
  }

  #tryLater() {
    this.#trying = setTimeout(async () => {
      try {
        this.#last = await this.#withClient('lookUps', show)
        this.#isOut = false
        logReplica('replica used again', this.#host)
      } catch {
        if (!this.#isClosed) this.#tryLater()
      }
    }, TRY_EVERY_MS).unref()
  }
}

/** A statement that is cancelled because it conflicts with replay or takes too long says nothing about the state of the replica. */
const CANCELLED = /^(40001|40P01|55P03|57014)$/

const isBroken = (error: unknown): boolean =>
  error instanceof NoReplica ||
  (isOutage(error) && !(error instanceof pg.DatabaseError && CANCELLED.test(error.code ?? '')))
