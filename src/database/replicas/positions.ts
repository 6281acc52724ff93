// Asks the primary how far a replica must have replayed for the reads of a platform. A position is a place in the primary's write-ahead log.
// It begins with the timeline: after a lossy failover, the log of another standby may be longer and yet lack the new primary's changes.
import type pg from 'pg'
import { config } from '#core/config.ts'
import type { PlatformId } from '#core/ids.ts'
import { madeOnce } from '#core/made-once.ts'
import { isPooled, openServingPool } from '#database/connections.ts'

export type Position = bigint

/** The offset in the log has 64 bits. */
const OFFSET_BITS = 64n

export const positionOf = (timeline: string | number, offset: string | bigint): Position =>
  (BigInt(timeline) << OFFSET_BITS) + BigInt(offset)

export const partsOf = (position: Position) => ({
  timeline: Number(position >> OFFSET_BITS),
  offset: BigInt.asUintN(Number(OFFSET_BITS), position),
})

/** What was seen of a platform: everything that is visible in the snapshot comes before the position. */
interface Seen {
  readonly snapshot: string
  readonly position: Position
}

const MAX_PLATFORMS = 10_000

const seen = new Map<PlatformId, Seen>()
/** The period in which every change since those snapshots is recorded. Null while changes are not recorded. */
let period: string | null = null
let isRelying = false

/** From now on the triggers record all changes of tables that this process reads. */
export const relyOnChanges = () => {
  isRelying = true
}

/** Whether no period was running at the last question, as after a crash of the server. */
export const isPeriodMissing = () => period === null

/**
 * Everything that was visible before this statement comes before the position, because its snapshot is taken first. A platform has changed
 * since an earlier snapshot if a change was recorded that was not visible there.
 */
const QUESTION = `
  select (pg_current_wal_insert_lsn() - '0/0')::text, ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint::text,
    pg_current_snapshot()::text, (select id::text from change_periods),
    array(
      select known.platform_id from unnest($1::uuid[], $2::text[]) known (platform_id, snapshot)
      where exists (
        select from platform_changes recorded
        where recorded.platform_id = any(array[known.platform_id, '00000000-0000-0000-0000-000000000000'])
          and recorded.change >= pg_snapshot_xmin(known.snapshot::pg_snapshot)
          and not pg_visible_in_snapshot(recorded.change, known.snapshot::pg_snapshot)))`

type Answer = [offset: string, timeline: string, snapshot: string, period: string | null, changed: string[]]

/** One connection, because questions that wait are asked together. It does not wait for the others. */
let questions: pg.Pool | undefined

/** One plan, which finds the changes by their index even if the table was empty when it was made. */
const primary = () => {
  questions ??= openServingPool(
    'force_generic_plan',
    { max: 1, connectionTimeoutMillis: config.databaseWaitMs },
    { enable_seqscan: 'off' },
  )
  return questions
}

export const closePositions = () => questions?.end()

const ask = async (platforms: readonly PlatformId[]): Promise<(platformId: PlatformId) => Position> => {
  const known = platforms.flatMap((id) => {
    const before = seen.get(id)
    return before ? [{ id, ...before }] : []
  })
  const { rows } = await primary().query<Answer>({
    ...(!isPooled && { name: 'question' }),
    text: QUESTION,
    values: [known.map(({ id }) => id), known.map(({ snapshot }) => snapshot)],
    rowMode: 'array',
  })
  const [offset, timeline, snapshot, recordedIn, changed] = rows[0] as Answer
  const now = positionOf(timeline, offset)
  const isSamePeriod = isRelying && recordedIn !== null && recordedIn === period
  period = recordedIn
  if (!isSamePeriod || seen.size + platforms.length > MAX_PLATFORMS) seen.clear()
  const unchanged = new Map(isSamePeriod ? known.map(({ id, position }) => [id, position]) : [])
  for (const id of changed) unchanged.delete(id as PlatformId)
  const neededFor = (id: PlatformId) => unchanged.get(id) ?? now
  if (isRelying && recordedIn !== null) for (const id of platforms) seen.set(id, { snapshot, position: neededFor(id) })
  return neededFor
}

let asked: Promise<unknown> = Promise.resolve()
let next: { readonly platforms: Set<PlatformId>; readonly answer: ReturnType<typeof ask> } | undefined

/** Questions wait for the previous one, and are then asked together. An answer must not be older than its question. */
const askTogether = (platforms: readonly PlatformId[]): ReturnType<typeof ask> => {
  if (!next) {
    const together = new Set<PlatformId>()
    const begin = () => {
      next = undefined
      return ask([...together])
    }
    const answer = asked.then(begin)
    asked = answer.catch(() => {})
    next = { platforms: together, answer }
  }
  for (const id of platforms) next.platforms.add(id)
  return next.answer
}

/** What a replica must have replayed, so that it shows everything of the platform that the primary shows now. */
export const neededBy = async (platformId: PlatformId): Promise<Position> =>
  (await askTogether([platformId]))(platformId)

/** The end of the log. Everything that was committed earlier comes before it. */
export const endOfLog = async (): Promise<Position> => (await askTogether([]))('' as PlatformId)

/** The identifier of the primary. Its replicas have the same one. */
export const systemIdentifier = madeOnce(async () => {
  const { rows } = await primary().query<{ id: string }>(
    'select system_identifier::text as id from pg_control_system()',
  )
  return rows[0]?.id ?? ''
})
