import type { Caller } from '#core/caller.ts'
import { db } from '#database/db.ts'
import type { PasskeySettings } from './registration.ts'

/** What the platform demands of passkeys: its own origins if it has named them, and whether the user must be verified. */
export const passkeySettingsOf = async ({ platformId }: Caller): Promise<PasskeySettings> => {
  const { passkeyOrigins, passkeyRequireUserVerification } = await db.platform.findUniqueOrThrow({
    where: { id: platformId },
  })
  return {
    origins: passkeyOrigins.length === 0 ? null : passkeyOrigins,
    requiresUserVerification: passkeyRequireUserVerification,
  }
}
