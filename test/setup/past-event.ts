// Events of the past.
import { db } from '#database/db.ts'
import type { Platform } from '#test/setup/world.ts'

/** Inserts an event of some days ago, which has no position yet. Returns its public id. */
export const insertPastEvent = async ({ id: platformId }: Platform, daysAgo: number): Promise<string> => {
  const [event] = await db.$queryRaw<{ id: string }[]>`
    insert into events (platform_id, id, type, snapshot, created_at)
    select ${platformId}::uuid, overlay(gen_random_uuid()::text placing left(first_uuid_at(at)::text, 14) from 1 for 14)::uuid, 'TEST', '{}', at
    from (select now() - make_interval(days => ${daysAgo}::int)) moment (at) returning 'Webhook:' || id as id`
  if (!event) throw new Error('No event was inserted')
  return event.id
}
