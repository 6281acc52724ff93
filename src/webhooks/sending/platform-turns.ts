// Finds the platforms whose lanes are due, and shares the requests among them.
import type { Environment } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { lookUp, type Sql, sql } from '#database/db.ts'
import { isDistributed } from '#database/distribution/job-outbox.ts'

export interface Turn {
  readonly platformId: PlatformId
  readonly environment: Environment
  /** How many of its lanes are leased. */
  readonly lanes: number
}

/**
 * The lanes of the endpoint `e` whose turn it is, at most this many of each kind: those of approvals, even if it is suspended; the others that are
 * due if it is enabled; and one other when a suspended one is to be tried again. Each kind reads a short range of an index.
 */
export const dueLanes = (platform: Sql, most: number) => sql`
  select lane, due_at, is_urgent, row_number() over (partition by is_urgent order by due_at) as nth from (
    (select * from webhook_lanes where platform_id = ${platform} and is_urgent
      and (due_at <= now() or e.status = 'SUSPENDED' and not is_leased) order by due_at limit ${most}::int)
    union all
    (select * from webhook_lanes where platform_id = ${platform} and e.status = 'ENABLED' and not is_urgent and due_at <= now()
      order by due_at limit ${most}::int)
    union all
    (select * from webhook_lanes where platform_id = ${platform} and e.status = 'SUSPENDED' and e.probe_at <= now() and not is_urgent
      and (due_at <= now() or not is_leased) order by due_at limit 1)) due`

/** How many lanes of a platform are leased: those of approvals, and the others. */
export const leasedLanes = (platform: Sql) => sql`
  select count(*) filter (where is_urgent) as approvals, count(*) filter (where not is_urgent) as others
  from webhook_lanes where platform_id = ${platform} and is_leased and due_at > now()`

/** The place of the lane `l` behind those that are leased (`busy`). Approvals and others do not take places from each other. */
export const PLACE = sql`case when l.is_urgent then busy.approvals else busy.others end + l.nth`

/** The last place of the endpoint `e` at which the lane `l` has its turn. After a failure there is only one. */
export const lastPlace = (lanesAtOnce: number) => sql`
  case when e.failures = 0 or l.is_urgent then ${lanesAtOnce}::int else 1 end`

const ALL_ENDPOINTS = sql`webhook_endpoints e join platforms p on p.id = e.platform_id`

/** The endpoints that have lanes: a few looks into an index for each, however many others there are. Without `limit`, Postgres may read them all. */
const ENDPOINTS_WITH_LANES = sql`(
  with recursive waiting (id) as (
    (select platform_id from webhook_lanes order by platform_id limit 1)
    union all
    select (select platform_id from webhook_lanes where platform_id > waiting.id order by platform_id limit 1) from waiting where id is not null
  ) select e.*, p.environment from waiting
    cross join lateral (select * from webhook_endpoints where platform_id = waiting.id limit 1) e
    cross join lateral (select environment from platforms where id = waiting.id limit 1) p) e`

/**
 * The platforms whose turn it is. Nothing is locked, because this reads the rows of every platform, which a distributed database has on
 * several nodes. Recursion over several nodes is not possible, so there it reads all endpoints, on all nodes at once.
 */
export const nextTurns = async (most: number, lanesAtOnce: number): Promise<Turn[]> => {
  const endpoints = (await isDistributed()) ? ALL_ENDPOINTS : ENDPOINTS_WITH_LANES
  const rows = await lookUp(sql`
    select e.platform_id, environment from ${endpoints}
    cross join lateral (${leasedLanes(sql`e.platform_id`)}) busy
    cross join lateral (${dueLanes(sql`e.platform_id`, lanesAtOnce)}) l
    where e.status <> 'DISABLED' and ${PLACE} <= ${lastPlace(lanesAtOnce)}
    order by ${PLACE}, random() limit ${most}::int`)
  const turns = new Map<string, Turn>()
  for (const [id, environment] of rows) {
    const platformId = id as PlatformId
    const lanes = (turns.get(platformId)?.lanes ?? 0) + 1
    turns.set(platformId, { platformId, environment: environment as Environment, lanes })
  }
  return [...turns.values()]
}
