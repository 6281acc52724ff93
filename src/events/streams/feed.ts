// The newest events of each platform that has open streams. They are read once, however many streams wait for them.
import { AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import type { PlatformId } from '#core/ids.ts'
import { direct } from '#database/connections.ts'
import { query, sql } from '#database/db.ts'
import { logTaskFailure } from '#database/outage.ts'
import { type Event, EventRecord } from '#events/event.ts'

/** The number of events to keep. A stream that is further behind reads its own pages. */
const KEPT = 1_000
const MOST_AT_ONCE = 200
/** `number_events` notifies of new events. If a notification is lost, the feed finds the events after this time. */
const POLL_EVERY_MS = 1_000

export class Feed {
  /** The position of the newest event that was read. */
  tail: bigint
  readonly #platformId: PlatformId
  /** The last events up to `tail`, without gaps. */
  #newest: readonly Event[] = []
  #isReading = false
  #isBehind = false
  readonly #waiting = new Set<() => void>()

  constructor(platformId: PlatformId, tail: bigint) {
    this.#platformId = platformId
    this.tail = tail
  }

  /** All events after the position, or undefined if the feed has dropped some of them. */
  behind(position: bigint): readonly Event[] | undefined {
    const before = this.tail - BigInt(this.#newest.length)
    return position >= before ? this.#newest.slice(Number(position - before)) : undefined
  }

  /** Resolves at the next event, after this time, or once the signal is aborted. */
  changed(signal: AbortSignal, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#waiting.delete(end)
        resolve()
      }
      const timer = setTimeout(end, milliseconds)
      signal.addEventListener('abort', end)
      this.#waiting.add(end)
      if (signal.aborted) end()
    })
  }

  /** Reads to the end of the stream. Calls during a read cause one more read. */
  async read(): Promise<void> {
    this.#isBehind = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#isBehind) await this.#readNext()
    } catch (error) {
      logTaskFailure('readEvents', error)
    } finally {
      this.#isReading = false
    }
  }

  async #readNext() {
    this.#isBehind = false
    const rows = await query(sql`
      select ${EventRecord.columns} from ${EventRecord.table} t
      where t.platform_id = ${this.#platformId}::uuid and t.position > ${this.tail}::bigint
      order by t.position limit ${MOST_AT_ONCE}::int`)
    const events = rows.map((row) => EventRecord.read(row))
    const last = events.at(-1)
    if (!last) return
    if (events.length === MOST_AT_ONCE) this.#isBehind = true
    this.#newest = [...this.#newest, ...events].slice(-KEPT)
    this.tail = last.position
    for (const wake of this.#waiting) wake()
  }
}

interface Opened {
  readonly feed: Promise<Feed>
  users: number
}

/** The feeds of platforms with open streams. */
const opened = new Map<PlatformId, Opened>()

/** Opens the feed at the current end of the stream, unless it is open. Every call needs one `closeFeed`, even if it fails. */
export const openFeed = (platformId: PlatformId): Promise<Feed> => {
  const known = opened.get(platformId) ?? { feed: beginFeed(platformId), users: 0 }
  opened.set(platformId, known)
  known.users += 1
  watch()
  return known.feed
}

export const closeFeed = (platformId: PlatformId): void => {
  const known = opened.get(platformId)
  if (!known) return
  known.users -= 1
  if (known.users === 0) opened.delete(platformId)
  if (opened.size === 0) stopWatching()
}

const beginFeed = async (platformId: PlatformId) => {
  const [row] = await query(sql`select last_position from event_streams where platform_id = ${platformId}::uuid`)
  return new Feed(platformId, BigInt(row?.[0] ?? 0))
}

let polling: NodeJS.Timeout | undefined
let listener: pg.Client | undefined

/**
 * Watches all open feeds with one statement a second and one connection. It outlives the request that opened the first feed, so it does not run in
 * the context of that request.
 */
const watch = AsyncResource.bind(() => {
  if (polling) return
  polling = setInterval(() => void poll(), POLL_EVERY_MS)
  void listen()
})

const stopWatching = () => {
  clearInterval(polling)
  polling = undefined
  listener?.end().catch(() => {})
  listener = undefined
}

const poll = async () => {
  try {
    const rows = await query(sql`
      select platform_id, last_position from event_streams where platform_id = any(${[...opened.keys()]}::uuid[])`)
    for (const [platformId, last] of rows) {
      const feed = await opened.get(platformId as PlatformId)?.feed
      if (feed && BigInt(last ?? 0) > feed.tail) void feed.read()
    }
  } catch (error) {
    logTaskFailure('pollEvents', error)
  }
  if (!listener) void listen()
}

/** The next poll replaces a broken connection. */
const listen = async () => {
  if (!polling) return
  const client = new pg.Client(direct({}))
  listener = client
  const forget = () => {
    if (listener === client) listener = undefined
  }
  client.on('error', forget)
  client.once('end', forget)
  client.on('notification', ({ payload }) => {
    // The caller that opened the feed has received the error.
    opened.get(payload as PlatformId)?.feed.then(
      (feed) => feed.read(),
      () => {},
    )
  })
  try {
    await client.connect()
    await client.query('listen events')
  } catch {
    forget()
    client.end().catch(() => {})
  }
}
