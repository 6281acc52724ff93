// The caller and the filters of the seeded platform, for benchmarks that read lists without HTTP.
import pg from 'pg'
import type { PlatformCaller } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { type Case, singleFilters } from './filters.ts'

export interface Demo {
  /** With the settings of the gateway's connections for lists. */
  readonly client: pg.Client
  readonly caller: PlatformCaller
  readonly singles: readonly Case[]
}

export const openDemo = async (): Promise<Demo> => {
  const client = new pg.Client({
    connectionString: process.env['DATABASE_URL'],
    options: '-c TimeZone=UTC -c plan_cache_mode=force_custom_plan -c jit=off',
  })
  await client.connect()
  const { rows } = await client.query<{ id: PlatformId }>(`select id from platforms where name = 'demo'`)
  const platformId = rows[0]?.id
  if (!platformId) throw new Error('The demo is missing')
  const singles = await singleFilters(async (statement) => {
    const { rows } = await client.query<[string]>({ text: statement, values: [platformId], rowMode: 'array' })
    return String(rows[0]?.[0])
  })
  const caller: PlatformCaller = {
    scheme: 'PLATFORM',
    platformId,
    tokenId: '',
    permissions: ['VIEW'],
    environment: 'SANDBOX',
  }
  return { client, caller, singles }
}
