// Everything that the database stores for a platform, in any table but the one that tells gateways with standbys of writes.
import { pool } from '#database/db.ts'
import type { Platform } from '#test/setup/world.ts'

const TABLES = `select table_name as name from information_schema.columns
  join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'platform_id'
  and table_name <> 'platform_changes' order by 1`

/** The rows as text, by table. New tables are included automatically. */
export const rowsOf = async ({ id }: Platform): Promise<Record<string, string[]>> => {
  const tables = (await pool.query<{ name: string }>(TABLES)).rows
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const text = `select t::text as row from "${name}" t where platform_id = $1 order by 1`
    rows[name] = (await pool.query<{ row: string }>(text, [id])).rows.map(({ row }) => row)
  }
  return rows
}

/** Every UUID in the rows. */
export const uuidsIn = (rows: Record<string, string[]>): Set<string> =>
  new Set(Object.values(rows).flatMap((all) => all.flatMap((row) => uuidsOf(row))))

export const uuidsOf = (text: string): string[] => text.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []
