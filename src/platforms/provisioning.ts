// Creates platforms and API tokens for the operator's commands.
import { API_PERMISSIONS, type ApiPermission, type Environment } from '#core/caller.ts'
import { newUuid } from '#core/ids.ts'
import { forgetCallers } from '#core/known-callers.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { insertToken, type NewToken } from './tokens/token.ts'

export interface IssuedToken extends NewToken {
  readonly platformId: string
  readonly permissions: readonly ApiPermission[]
}

interface NewPlatform {
  readonly name: string
  readonly environment: Environment
  readonly isRegulatedFinancialInstitution?: boolean
}

/** Creates a platform and its first token, which has all permissions. */
export const createPlatform = (platform: NewPlatform): Promise<IssuedToken> =>
  inTransaction(async (tx) => {
    const id = newUuid()
    await tx.platform.create({ data: { id, ...platform }, select: { id: true } })
    // A trigger does this too, unless the tables are distributed.
    await tx.$executeRaw`insert into event_streams (platform_id) values (${id}::uuid) on conflict do nothing`
    return issueToken(tx, id, API_PERMISSIONS)
  })

/** Returns undefined if the platform does not exist. */
export const createPlatformToken = (
  platformId: string,
  permissions: readonly ApiPermission[],
): Promise<IssuedToken | undefined> =>
  inTransaction(async (tx) => {
    const platform = await tx.platform.findUnique({ where: { id: platformId } })
    return platform ? issueToken(tx, platform.id, permissions) : undefined
  })

/** Deletes the token. Running gateways refuse it within half a second. Returns false if there was no such token. */
export const revokeApiToken = async (clientId: string): Promise<boolean> => {
  const { count } = await db.apiToken.deleteMany({ where: { clientId } })
  forgetCallers()
  return count > 0
}

const issueToken = async (tx: Tx, platformId: string, permissions: readonly ApiPermission[]): Promise<IssuedToken> => ({
  ...(await insertToken(tx, platformId, { name: permissions.join(', '), permissions })),
  platformId,
  permissions,
})
