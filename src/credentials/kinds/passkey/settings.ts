import type { Caller } from '#core/caller.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { PasskeySettings } from './registration.ts'

/** The platform's settings for passkeys: the allowed origins, if it has set any, and whether the user must be verified. */
export const passkeySettingsOf = async (
  { platformId }: Pick<Caller, 'platformId'>,
  on: Tx | typeof db = db,
): Promise<PasskeySettings> => {
  const { passkeyOrigins, passkeyRequireUserVerification } = await on.platform.findUniqueOrThrow({
    where: { id: platformId },
  })
  return {
    origins: passkeyOrigins.length === 0 ? null : passkeyOrigins,
    requiresUserVerification: passkeyRequireUserVerification,
  }
}
