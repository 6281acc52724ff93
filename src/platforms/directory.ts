// Which platform a secret belongs to. Such secrets are unique among all platforms (docs/scale.md#citus).
import { lookUp, sql } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

/** An entry leads from an agent's access token or device code to the agent, and from an invitation's code to the invitation. */
type Kind = 'AGENT' | 'DEVICE_CODE' | 'INVITATION'

export interface Place {
  readonly platformId: string
  readonly id: string
}

/** Call it before the row is written. Throws a duplicate if any platform has the key. */
export const addDirectoryEntry = (tx: Tx, kind: Kind, key: Uint8Array<ArrayBuffer>, { platformId, id }: Place) =>
  tx.$executeRaw`
    insert into directory (kind, key, platform_id, id) values (${kind}, ${key}, ${platformId}::uuid, ${id}::uuid)`

/** Does not check whether the secret is still valid. The row that it leads to says so. */
export const findDirectoryEntry = async (kind: Kind, key: Uint8Array): Promise<Place | undefined> => {
  const [row] = await lookUp(sql`select platform_id, id from directory where kind = ${kind} and key = ${key}`)
  return row && { platformId: row[0] ?? '', id: row[1] ?? '' }
}
