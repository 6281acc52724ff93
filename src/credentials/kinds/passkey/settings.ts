// A platform's settings for passkeys (docs/domain/platform.md#passkeys).
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import type { PlatformId } from '#core/ids.ts'
import { textOf } from '#core/input.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { PasskeySettings } from './registration.ts'

export const PASSKEY_TEXTS = {
  origins:
    'The origins whose pages and apps may use passkeys, for example `https://app.example`. At most 20. If the list is empty, the registration of each wallet passkey determines its relying party, and SCA passkeys cannot be enrolled.',
  requireUserVerification: 'Whether the device must verify the user, for example by fingerprint. True unless set.',
} as const

const APP = /^android:apk-key-hash:[\w-]{43}$/

/** A secure web origin in its normal form, or an Android app. */
const isOrigin = (text: string): boolean => {
  if (APP.test(text)) return true
  if (!URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  return origin === text && (protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost'))
}

const MAX_ORIGINS = 20
const origin = textOf(255).refine(isOrigin, { error: 'must be an origin, for example https://app.example' })

export const passkeySettings = z.object(
  {
    origins: z
      .array(origin, { error: 'must be a list' })
      .max(MAX_ORIGINS, `must have at most ${MAX_ORIGINS} items`)
      .optional()
      .describe(PASSKEY_TEXTS.origins),
    requireUserVerification: z
      .boolean({ error: 'must be true or false' })
      .optional()
      .describe(PASSKEY_TEXTS.requireUserVerification),
  },
  { error: 'must be an object' },
)

/** Omitted settings are kept. */
export const writePasskeySettings = async (
  tx: Tx,
  id: PlatformId,
  { origins, requireUserVerification }: z.output<typeof passkeySettings>,
): Promise<void> => {
  const data = {
    ...(origins && { passkeyOrigins: [...new Set(origins)] }),
    ...(requireUserVerification !== undefined && { passkeyRequireUserVerification: requireUserVerification }),
  }
  await tx.platform.update({ where: { id }, data, select: { id: true } })
}

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
