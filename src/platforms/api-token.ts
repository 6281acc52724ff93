import { createHash, timingSafeEqual } from 'node:crypto'
import { API_PERMISSIONS, ENVIRONMENTS, type PlatformCaller } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { lookUp, sql } from '#database/db.ts'
import { listOf, oneOf } from '#database/record.ts'

/** Only this hash of a secret is stored. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret, 'utf8').digest()

/** Returns those of the tokens that have not been revoked. */
export const findTokens = async (tokenIds: readonly string[]): Promise<ReadonlySet<string | null | undefined>> => {
  const rows = await lookUp(sql`select id from api_tokens where id = any(${tokenIds}::uuid[])`)
  return new Set(rows.map(([id]) => id))
}

const permissionsOf = listOf(API_PERMISSIONS)
const environmentOf = oneOf(ENVIRONMENTS)
const NO_HASH = Buffer.alloc(32)

/** The platform that owns the token, or undefined. An unknown client id takes as long as a wrong secret. */
export const findPlatformCaller = async (clientId: string, secret: string): Promise<PlatformCaller | undefined> => {
  const [row] = await lookUp(sql`
    select token.platform_id, token.id, token.permissions, platform.environment, encode(token.secret_hash, 'hex')
    from api_tokens token join platforms platform on platform.id = token.platform_id
    where token.client_id = ${clientId}`)
  const stored = row ? Buffer.from(row[4] ?? '', 'hex') : NO_HASH
  const matches = timingSafeEqual(stored, hashSecret(secret))
  if (!row || !matches) return undefined
  const [platformId, tokenId, permissions, environment] = row as [string, string, string, string]
  return {
    scheme: 'PLATFORM',
    platformId: platformId as PlatformId,
    tokenId,
    permissions: permissionsOf.decode(permissions),
    environment: environmentOf.decode(environment),
  }
}
