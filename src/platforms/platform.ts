// The platform that is calling, or that an agent belongs to.
import { type Caller, ENVIRONMENTS } from '#core/caller.ts'
import { query, sql } from '#database/db.ts'
import { oneOf, type RecordOf, record, text } from '#database/record.ts'

const PlatformRecord = record('platforms', { id: text, name: text, environment: oneOf(ENVIRONMENTS) })
export type Platform = RecordOf<typeof PlatformRecord>

/** Needs no permission: every caller may know its own platform. Null for any id other than the caller's own. */
export const platformsByIds = async (caller: Caller, ids: readonly string[]): Promise<(Platform | null)[]> => {
  const rows = await query(sql`
    select ${PlatformRecord.columns} from ${PlatformRecord.table} t where t.id = ${caller.platformId}::uuid`)
  const [own] = rows.map((row) => PlatformRecord.read(row))
  return ids.map((id) => (own?.id === id ? own : null))
}
