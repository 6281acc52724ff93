// Rotates the keys that sign webhooks. While a rotation is open, both keys sign, so that receivers can switch at any moment.
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse } from '#core/input.ts'
import { query, sql } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { FORGET_NEXT_KEY, findEndpoint, lockEndpoint, type SetEndpoint } from './endpoint.ts'
import { newKeys } from './signing.ts'

export const ROTATION_HOURS = 24

export const keyRotation = z.object({
  finish: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe(`True ends the open rotation now instead of ${ROTATION_HOURS} hours after its start.`),
})

/** Replaces the keys with the next ones. */
const PROMOTE = sql`
  public_key = next_public_key, sealed_key = sealed_next_key, sealed_secret = sealed_next_secret,
  ${FORGET_NEXT_KEY}, updated_at = now()`

/**
 * Makes the next key and secret, or ends the rotation with `finish`. Needs the permission MANAGE. Throws 400 `WEBHOOK_ENDPOINT_NOT_SET`, and
 * 409 `CONFLICT` when a rotation is open, or with `finish` when none is.
 */
export const rotateKey = async (caller: PlatformCaller, input: unknown): Promise<SetEndpoint> => {
  requirePermission(caller, 'MANAGE')
  const { finish } = parse(keyRotation, input)
  const { platformId } = caller
  const secret = await inTransaction(async (tx) => {
    await lockEndpoint(tx, caller)
    const [found] = await tx.$queryRaw<{ isOpen: boolean }[]>`
      select next_key_at is not null as "isOpen" from webhook_endpoints where platform_id = ${platformId}::uuid`
    if (finish !== found?.isOpen) {
      throw new ApiError('CONFLICT', finish ? 'No key rotation is open' : 'A key rotation is already open', {
        reason: finish ? 'NO_ROTATION' : 'ROTATION_OPEN',
      })
    }
    const next = finish ? null : newKeys(platformId)
    await tx.$executeRaw`
      update webhook_endpoints set ${
        next === null
          ? PROMOTE
          : sql`next_public_key = ${next.publicKey}, sealed_next_key = ${next.sealedKey}, sealed_next_secret = ${next.sealedSecret},
              next_key_at = now() + make_interval(hours => ${ROTATION_HOURS}::int), updated_at = now()`
      } where platform_id = ${platformId}::uuid`
    return next?.secret ?? null
  })
  return { endpoint: await findEndpoint(caller), secret }
}

/** Ends the rotations whose time has passed. */
export const finishRotations: Task = {
  name: 'finishRotations',
  cron: '* * * * *',
  run: async () => {
    await query(sql`update webhook_endpoints set ${PROMOTE} where next_key_at <= now()`)
  },
}
