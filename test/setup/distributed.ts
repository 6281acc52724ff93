// The nodes of the database of this process. There are several if it is distributed with Citus (docs/scale.md#tests).
import { inject } from 'vitest'

const servers = [inject('serverUrl'), ...inject('workerUrls')]

/** A test that is skipped because of it says why: `On one Postgres only: …`. */
export const isDistributed = servers.length > 1

/** The address of the database at each node. */
export const nodeUrls = (): string[] => {
  const { pathname } = new URL(process.env['DATABASE_DIRECT_URL'] ?? '')
  return servers.map((server) => new URL(pathname, server).href)
}
