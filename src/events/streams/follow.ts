// Follows the events of a platform from a position. A stream only stores its position, and it reads when its client asks for more.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { checkPageSize } from '#database/page.ts'
import { stayAtPrimary } from '#database/replicas/reading.ts'
import { eventCursor, positionBehind } from '#events/cursor.ts'
import { type Event, EventRecord, isVisibleTo } from '#events/event.ts'
import { eventList, isMatch, type StreamFilter } from '#events/list.ts'
import { inTurn } from '#http/message-turns.ts'
import { closeFeed, type Feed, openFeed } from './feed.ts'
import { openStream } from './open-streams.ts'

/** Keeps the connection alive and moves the cursor past events that do not match. */
const EMPTY_AFTER_MS = 10_000

export interface EventBatch {
  /** In the order of the stream. */
  readonly events: readonly Event[]
  /** Resumes after this batch. */
  readonly cursor: string
}

interface Wanted {
  readonly filter: StreamFilter
  /** The maximum number of events in a batch, 1 to 100. */
  readonly most: number
  /** Without a cursor, the stream begins with the next event. */
  readonly after: { readonly text: string; readonly field: string } | null
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/**
 * Yields the events after a cursor, and then new ones. The first batch is empty and comes at once. After ten seconds without events, another
 * empty batch follows. Needs VIEW, or VIEW_TRANSACTIONS. Throws 400 `INVALID_INPUT` for a cursor that is malformed, of another
 * viewer, or has deleted events after it (`CURSOR_EXPIRED`), and 429 `RATE_LIMITED` beyond `STREAM_LIMITS`. The batches end with an
 * `UNAUTHORIZED` when the credentials are revoked, and without an error when the client should resume elsewhere.
 */
export const followEvents = async (caller: Caller, wanted: Wanted): Promise<AsyncGenerator<EventBatch, void>> => {
  EventRecord.requireView(caller)
  stayAtPrimary()
  checkPageSize(wanted.most, 'most')
  const stream = openStream(caller, wanted.signal)
  const opening = openFeed(caller.platformId)
  // Also closes a stream that its client never reads.
  const close = () => closeFeed(caller.platformId)
  if (stream.signal.aborted) close()
  else stream.signal.addEventListener('abort', close, { once: true })
  try {
    const feed = await opening
    const position = wanted.after === null ? feed.tail : await positionBehind(caller, wanted.after)
    return batches(caller, wanted, feed, position, stream)
  } catch (error) {
    stream.end()
    throw error
  }
}

async function* batches(
  caller: Caller,
  { filter, most }: Wanted,
  feed: Feed,
  begin: bigint,
  { signal, end }: ReturnType<typeof openStream>,
): AsyncGenerator<EventBatch, void> {
  try {
    yield { events: [], cursor: eventCursor(caller, begin) }
    let toldAt = performance.now()
    for (let position = begin; !signal.aborted; ) {
      const next = await nextEvents(caller, feed, filter, position, most)
      position = next.position
      const quietFor = performance.now() - toldAt
      if (next.events.length > 0 || quietFor >= EMPTY_AFTER_MS) {
        yield { events: next.events, cursor: eventCursor(caller, position) }
        toldAt = performance.now()
      } else if (position >= feed.tail) await feed.changed(signal, EMPTY_AFTER_MS - quietFor)
    }
    if (signal.reason instanceof ApiError) throw signal.reason
  } finally {
    end()
  }
}

interface Next {
  readonly events: readonly Event[]
  /** All events up to this position have been checked. */
  readonly position: bigint
}

const nextEvents = async (
  caller: Caller,
  feed: Feed,
  filter: StreamFilter,
  position: bigint,
  most: number,
): Promise<Next> => {
  const { tail } = feed
  if (position >= tail) return { events: [], position }
  const newest = feed.behind(position)
  if (!newest) return readPage(caller, filter, position, most, tail)
  const events: Event[] = []
  for (const event of newest) {
    if (isVisibleTo(caller, event) && isMatch(filter, event)) events.push(event)
    if (events.length === most) return { events, position: event.position }
  }
  return { events, position: tail }
}

/** Uses the filter of the list, so that a stream far behind reads only matching events. */
const readPage = async (
  caller: Caller,
  filter: StreamFilter,
  position: bigint,
  most: number,
  tail: bigint,
): Promise<Next> => {
  const cursor = { text: eventCursor(caller, position), field: 'after' }
  const window = { size: most, backward: false, sortOrder: 'ASC', cursor } as const
  const page = await inTurn(caller.platformId, () => eventList.page(caller, filter, window))
  const last = page.items.at(-1)?.position ?? position
  // If there are no more events, the page has covered at least everything that was known before it was read.
  return { events: page.items, position: page.hasMore || last > tail ? last : tail }
}
