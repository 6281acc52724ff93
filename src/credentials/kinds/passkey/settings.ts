import type { Caller } from '#core/caller.ts'
import { db } from '#database/db.ts'
import type { PasskeySettings } from './registration.ts'

/** The platform's settings for passkeys: the allowed origins, if it has set any, and whether the user must be verified. */
export const passkeySettingsOf = async ({ platformId }: Caller): Promise<PasskeySettings> => {
  const { passkeyOrigins, passkeyRequireUserVerification } = await db.platform.findUniqueOrThrow({
    where: { id: platformId },
  })
  return {
    origins: passkeyOrigins.length === 0 ? null : passkeyOrigins,
    requiresUserVerification: passkeyRequireUserVerification,
  }
}
