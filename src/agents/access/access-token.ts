// Access tokens of agents. Redeeming a device code returns one, and it is valid until the agent is deleted.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AGENT_PERMISSIONS, type AgentCaller, type AgentPermission, ENVIRONMENTS } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { lookUp, sql } from '#database/db.ts'
import { flag, listOf, oneOf } from '#database/record.ts'

const TOKEN = /^sat_[0-9a-f]{40}$/

export const newAccessToken = () => `sat_${randomBytes(20).toString('hex')}`

/** Only this hash of a token is stored. */
export const hashAccessToken = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest()

/** Returns those of the agents that have an access token and still have the permission. */
export const findAgentsWith = async (
  permission: AgentPermission,
  agentIds: readonly string[],
): Promise<ReadonlySet<string | null | undefined>> => {
  const rows = await lookUp(sql`
    select id from agents where id = any(${agentIds}::uuid[]) and deleted_at is null and access_token_hash is not null
      and ${permission} = any(permissions::text[])`)
  return new Set(rows.map(([id]) => id))
}

const permissionsOf = listOf(AGENT_PERMISSIONS)
const environmentOf = oneOf(ENVIRONMENTS)
const NO_HASH = Buffer.alloc(32)

/** The agent that the token belongs to. Every invalid token takes the same work, so that timing reveals nothing. */
export const findAgentCaller = async (token: string): Promise<AgentCaller | undefined> => {
  const hash = hashAccessToken(token)
  const [row] = await lookUp(sql`
    select platform_id, id, customer_id, permissions, is_paused, environment, encode(access_token_hash, 'hex')
    from agent_of_token(${hash}::bytea)`)
  const stored = row ? Buffer.from(row[6] ?? '', 'hex') : NO_HASH
  const matches = timingSafeEqual(stored, hash)
  if (!row || !matches || !TOKEN.test(token)) return undefined
  const [platformId, agentId, customerId, permissions, isPaused, environment] = row as string[] as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    scheme: 'AGENT',
    platformId: platformId as PlatformId,
    environment: environmentOf.decode(environment),
    agentId,
    customerId,
    permissions: permissionsOf.decode(permissions),
    isPaused: flag.decode(isPaused),
  }
}
