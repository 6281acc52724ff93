// Reads the snapshots of events as records.
import type { Caller } from '#core/caller.ts'
import { snakeCase } from '#database/columns.ts'
import { identifier, join, query, type Sql, sql } from '#database/db.ts'
import type { Listable } from '#database/list.ts'
import type { RecordType, Shape } from '#database/record.ts'

export type Tenant = Pick<Caller, 'platformId'>

/** The snapshots of events as records, in the order of the ids. Undefined where a snapshot lacks the part. */
export const snapshots = <T>(tenant: Tenant, type: Listable<T>, ids: readonly string[], part?: string) => {
  const snapshot = part === undefined ? sql`event.snapshot` : sql`event.snapshot -> ${part}`
  const source = sql`join lateral jsonb_populate_record(null::${type.table}, ${snapshot}) t on t.id is not null`
  return readSnapshots(tenant, type, ids, source)
}

/**
 * The columns that snapshots leave out, because they never change (`fixed_columns` in the database). They are in the row of the object. A new one
 * must be added here a release before snapshots leave it out.
 */
export const FIXED_COLUMNS = {
  transactions: [
    'platform_id',
    'id',
    'type',
    'direction',
    'customer_id',
    'platform_customer_id',
    'created_at',
    'agent_id',
    'quote_id',
    'card_id',
    'source_internal_account_id',
    'source_external_account_id',
    'source_uma_address',
    'source_currency',
    'source_customer_id',
    'destination_type',
    'destination_internal_account_id',
    'destination_external_account_id',
    'destination_uma_address',
    'destination_currency',
    'sent_amount',
    'sent_currency',
    'received_amount',
    'received_currency',
    'fees',
    'platform_fees',
    'exchange_rate',
  ],
  internal_accounts: ['platform_id', 'id', 'customer_id', 'type', 'currency', 'created_at'],
} as const

/** The snapshots of payments and accounts, which lack these columns. The customer of an account may change, and is in the event. */
export const shortSnapshots = <S extends Shape>(
  tenant: Tenant,
  type: RecordType<S>,
  fixed: readonly string[],
  ids: readonly string[],
) => {
  const columns = Object.keys(type.shape).map((name) => {
    const column = snakeCase(name)
    if (column === 'customer_id') return 'event.customer_id'
    return fixed.includes(column) ? `object.${column}` : `t.${column}`
  })
  const source = sql`join ${type.table} object on object.platform_id = event.platform_id and object.id = event.object_id
    cross join lateral jsonb_populate_record(null::${type.table}, event.snapshot) t`
  return readSnapshots(tenant, { ...type, columns: join(columns.map(identifier)) }, ids, source)
}

/** `source` has a record `t` for each `event`. */
const readSnapshots = async <T>(
  { platformId }: Tenant,
  type: Listable<T>,
  ids: readonly string[],
  source: Sql,
): Promise<(T | undefined)[]> => {
  const rows = await query(sql`
    select ${type.columns}, event.id from events event ${source}
    where event.platform_id = ${platformId}::uuid and event.id = any(${ids}::uuid[])`)
  const found = new Map(rows.map((row) => [row.at(-1), type.read(row)]))
  return ids.map((id) => found.get(id))
}

/** The lists that snapshots hold, in the order of the ids. A list is empty where a snapshot lacks it. */
export const snapshotLists = async <T>(
  { platformId }: Tenant,
  type: Listable<T>,
  ids: readonly string[],
  part: string,
): Promise<T[][]> => {
  const rows = await query(sql`
    select ${type.columns}, event.id from events event
    cross join lateral jsonb_populate_recordset(null::${type.table}, event.snapshot -> ${part}) with ordinality t
    where event.platform_id = ${platformId}::uuid and event.id = any(${ids}::uuid[]) order by event.id, t.ordinality`)
  const found = new Map<unknown, T[]>(ids.map((id) => [id, []]))
  for (const row of rows) found.get(row.at(-1))?.push(type.read(row))
  return ids.map((id) => found.get(id) ?? [])
}
