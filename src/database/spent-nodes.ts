// What callers have left of their nodes per minute, for all processes together.
import { type Caller, callerId } from '#core/caller.ts'
import { db } from './db.ts'

/** Deducts nodes that this process has let the caller spend. Returns how many the caller has left, which may be negative. */
export const reportSpent = async (caller: Caller, nodes: number, nodesPerMinute: number): Promise<number> => {
  const [row] = await db.$queryRaw<{ left: number }[]>`
    insert into spent_nodes as known (platform_id, caller_id, left_nodes, at)
    values (${caller.platformId}::uuid, ${callerId(caller)}::uuid, ${nodesPerMinute}::float8 - ${nodes}::float8, clock_timestamp())
    on conflict (platform_id, caller_id) do update set
      left_nodes = least(
        ${nodesPerMinute}::float8,
        known.left_nodes + extract(epoch from greatest(known.at, excluded.at) - known.at) / 60 * ${nodesPerMinute}::float8
      ) - ${nodes}::float8,
      at = greatest(known.at, excluded.at)
    returning left_nodes as left`
  if (!row) throw new Error('The nodes were not deducted')
  return row.left
}

/** After a minute the full budget is available again. */
export const forgetSpentNodes = () => db.$executeRaw`delete from spent_nodes where at < now() - interval '10 minutes'`
