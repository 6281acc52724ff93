// Creates platforms and API tokens for the operator's commands. The API does not offer this.
import { randomBytes } from 'node:crypto'
import { API_PERMISSIONS, type ApiPermission, type Environment } from '#core/caller.ts'
import { newUuid } from '#core/ids.ts'
import { forgetCallers } from '#core/known-callers.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { hashSecret } from './api-token.ts'

/** The secret cannot be shown again, because only its hash is stored. */
export interface IssuedToken {
  readonly platformId: string
  readonly permissions: readonly ApiPermission[]
  readonly clientId: string
  readonly secret: string
}

interface NewPlatform {
  readonly name: string
  readonly environment: Environment
}

/** Creates a platform and its first token, which has all permissions. */
export const createPlatform = ({ name, environment }: NewPlatform): Promise<IssuedToken> =>
  inTransaction(async (tx) => {
    const { id } = await tx.platform.create({ data: { id: newUuid(), name, environment } })
    return insertToken(tx, id, API_PERMISSIONS)
  })

/** Returns undefined if the platform does not exist. */
export const createApiToken = (
  platformId: string,
  permissions: readonly ApiPermission[],
): Promise<IssuedToken | undefined> =>
  inTransaction(async (tx) => {
    const platform = await tx.platform.findUnique({ where: { id: platformId } })
    return platform ? insertToken(tx, platform.id, permissions) : undefined
  })

/** Deletes the token. Running gateways refuse it within half a second. Returns false if there was no such token. */
export const revokeApiToken = async (clientId: string): Promise<boolean> => {
  const { count } = await db.apiToken.deleteMany({ where: { clientId } })
  forgetCallers()
  return count > 0
}

const insertToken = async (tx: Tx, platformId: string, permissions: readonly ApiPermission[]): Promise<IssuedToken> => {
  const clientId = randomBytes(16).toString('hex')
  const secret = randomBytes(32).toString('hex')
  const secretHash = new Uint8Array(hashSecret(secret))
  const name = permissions.join(', ')
  await tx.apiToken.create({
    data: { platformId, id: newUuid(), name, clientId, secretHash, permissions: [...permissions] },
  })
  return { platformId, permissions, clientId, secret }
}
