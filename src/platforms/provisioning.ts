// Platforms and their API tokens, as an operator makes them. Nobody who calls the gateway can.
import { randomBytes } from 'node:crypto'
import { API_PERMISSIONS, type ApiPermission, type Environment } from '#core/caller.ts'
import { newUuid } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { hashSecret } from './api-token.ts'

/** The secret is given out this once: only its hash is stored. */
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

/** With its first token, which has all permissions. */
export const createPlatform = ({ name, environment }: NewPlatform): Promise<IssuedToken> =>
  inTransaction(async (tx) => {
    const { id } = await tx.platform.create({ data: { id: newUuid(), name, environment } })
    return insertToken(tx, id, API_PERMISSIONS)
  })

/** Undefined when there is no such platform. */
export const createApiToken = (
  platformId: string,
  permissions: readonly ApiPermission[],
): Promise<IssuedToken | undefined> =>
  inTransaction(async (tx) => {
    const platform = await tx.platform.findUnique({ where: { id: platformId } })
    return platform ? insertToken(tx, platform.id, permissions) : undefined
  })

/** The next request with it is 401. Whether there was such a token. */
export const revokeApiToken = async (clientId: string): Promise<boolean> =>
  (await db.apiToken.deleteMany({ where: { clientId } })).count > 0

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
