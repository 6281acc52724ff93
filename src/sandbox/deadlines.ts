// The deadlines of a platform: every column of its tables whose name ends in `expires_at` or `_until`, and when payments are expected to
// settle (docs/domain/sandbox.md#time).
import type { PlatformId } from '#core/ids.ts'
import { db, identifier, sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

interface Deadline {
  readonly table: string
  readonly column: string
}

let found: Promise<Deadline[]> | undefined

/** Read once from the catalogue, so no table can be forgotten. */
export const deadlines = (): Promise<Deadline[]> => {
  found ??= db.$queryRaw<Deadline[]>`
    select c.table_name as "table", c.column_name as "column" from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.column_name like any('{%expires_at,%_until}'::text[])
      and exists (select from information_schema.columns p
        where p.table_schema = c.table_schema and p.table_name = c.table_name and p.column_name = 'platform_id')
    order by 1, 2`
  found.catch(() => {
    found = undefined
  })
  return found
}

/** Brings every deadline of the platform that has not passed forward by this time. */
export const bringDeadlinesForward = async (tx: Tx, platformId: PlatformId, ms: number): Promise<void> => {
  const seconds = -ms / 1_000
  for (const { table, column } of await deadlines()) {
    const at = identifier(column)
    await tx.$executeRaw(sql`
      update ${identifier(table)} set ${at} = plus_seconds(${at}, ${seconds}::float8)
      where platform_id = ${platformId}::uuid and ${at} > now()`)
  }
  await tx.$executeRaw`
    update transactions set expected_settlement_at = plus_seconds(expected_settlement_at, ${seconds}::float8),
      settled_at = plus_seconds(settled_at, ${seconds}::float8)
    where platform_id = ${platformId}::uuid and status = 'PROCESSING' and settled_at > now()`
}
