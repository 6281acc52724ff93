// Cursors into the stream of a platform. Lists, subscriptions and REST streams share them.
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { query, sql } from '#database/db.ts'
import { cursorAt, type ListKey, positionAt, streamKey } from '#database/page.ts'

export const EVENTS = 'events'

const stream = (caller: Caller): ListKey => streamKey(caller, EVENTS)

/** Reading continues after this position. 0 is the beginning of the stream. */
export const eventCursor = (caller: Caller, position: bigint): string => cursorAt(position, stream(caller))

/**
 * The position at a cursor. Throws 400 `INVALID_INPUT` for a cursor that is malformed or of another
 * viewer, and with the reason `CURSOR_EXPIRED` and the `oldestCursor` if events after it have been deleted.
 */
export const positionBehind = async (
  caller: Caller,
  cursor: { readonly text: string; readonly field: string },
): Promise<bigint> => {
  const position = positionAt(cursor, stream(caller))
  const next = await nextIfBehind(caller, position)
  if (next === undefined) return position
  throw new ApiError('INVALID_INPUT', 'Events behind the cursor have been deleted', {
    field: cursor.field,
    reason: 'CURSOR_EXPIRED',
    oldestCursor: eventCursor(caller, next - 1n),
  })
}

/** The position of the next event that is kept, or of the next one to come, if others between it and this position were deleted. */
const nextIfBehind = async ({ platformId }: Caller, position: bigint): Promise<bigint | undefined> => {
  const [row] = await query(sql`
    select next from (
      select coalesce(
        (select position from numbered_events where platform_id = ${platformId}::uuid and position > ${position}::bigint
         order by position limit 1), last_position + 1) as next
      from event_streams where platform_id = ${platformId}::uuid
    ) stream where next > ${position}::bigint + 1`)
  return row && BigInt(row[0] ?? 1)
}
