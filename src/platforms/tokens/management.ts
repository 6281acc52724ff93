// Platforms create and delete their API tokens (docs/domain/api-credentials.md#api-tokens).
import { z } from 'zod'
import { API_PERMISSIONS, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { labelOf, parseChanges, visibleText } from '#core/input.ts'
import { forgetCallers } from '#core/known-callers.ts'
import { findById, selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { type ApiToken, ApiTokenRecord, insertToken } from './token.ts'

export const newApiToken = z.object({
  name: visibleText(255).describe(`${ApiTokenRecord.texts.name} 1 to 255 characters.`),
  permissions: z
    .array(labelOf(API_PERMISSIONS), { error: 'must be a list' })
    .min(1, 'must not be empty')
    .describe('What the token may do, at least one permission.'),
})

const TOKEN_FIELDS = Object.keys(ApiTokenRecord.shape).concat('clientSecret')

export interface CreatedToken {
  readonly apiToken: ApiToken
  /** Shown only once. */
  readonly clientSecret: string
}

/** Needs the permission MANAGE. The new token may have permissions that the caller lacks. */
export const createApiToken = async (caller: PlatformCaller, input: unknown): Promise<CreatedToken> => {
  requirePermission(caller, 'MANAGE')
  const { name, permissions } = parseChanges(newApiToken, input, TOKEN_FIELDS)
  return inTransaction(async (tx) => {
    await lockTokens(tx, caller, [])
    const unique = API_PERMISSIONS.filter((permission) => permissions.includes(permission))
    const { id, secret } = await insertToken(tx, caller.platformId, { name, permissions: unique })
    return { apiToken: await selectWritten(caller, ApiTokenRecord, id, tx), clientSecret: secret }
  })
}

/** Needs the permission VIEW. Throws 404 `TOKEN_NOT_FOUND` if the id is malformed or unknown. */
export const readApiToken = (caller: PlatformCaller, id: string): Promise<ApiToken> =>
  findById(caller, ApiTokenRecord, 'Token', id, unknownToken)

/**
 * Needs the permission MANAGE. The token is refused at once in this process, and within half a second in others. Throws 404
 * `TOKEN_NOT_FOUND`, and 400 `INVALID_INPUT` if the token is the caller's own. Returns the bare uuid.
 */
export const deleteApiToken = async (caller: PlatformCaller, id: string): Promise<string> => {
  requirePermission(caller, 'MANAGE')
  const uuid = requireUuid('Token', id, unknownToken)
  if (uuid === caller.tokenId) throw invalidInput('id', 'A token cannot delete itself')
  await inTransaction(async (tx) => {
    await lockTokens(tx, caller, [uuid])
    const deleted = await tx.$executeRaw`
      delete from api_tokens where platform_id = ${caller.platformId}::uuid and id = ${uuid}::uuid`
    if (deleted !== 1) throw unknownToken()
  })
  forgetCallers()
  return uuid
}

/**
 * Locks the caller's own token and these tokens. Throws 401 `UNAUTHORIZED` if the caller's token was deleted a moment ago: otherwise two tokens
 * could delete each other, and a deleted one could leave a new one behind.
 */
const lockTokens = async (tx: Tx, { platformId, tokenId }: PlatformCaller, ids: readonly string[]): Promise<void> => {
  const found = await tx.$queryRaw<{ id: string }[]>`
    select id from api_tokens where platform_id = ${platformId}::uuid and id = any(${[tokenId, ...ids]}::uuid[])
    order by id for update`
  if (!found.some(({ id }) => id === tokenId)) throw new ApiError('UNAUTHORIZED', 'The API credentials are wrong')
}

const unknownToken = () => new ApiError('TOKEN_NOT_FOUND', 'There is no such token')
