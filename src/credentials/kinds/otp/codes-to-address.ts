// How many one-time codes of wallets an address may receive, whichever credentials have it (docs/domain/limits.md#credential-limits).
import { CHALLENGES, limited } from '#credentials/attempt-limits.ts'
import { db } from '#database/db.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'

export const CODES_TO_AN_ADDRESS = 10

/**
 * 429 `RATE_LIMITED` for the eleventh code that the platform sends to an address within five minutes: twice the limit of one credential.
 * Codes count before they are sent, as a challenge or as the registration that sends the first code. Revoked credentials count too.
 */
export const requireQuietAddress = async ({ platformId, type, nickname }: AuthMethod): Promise<void> => {
  const { windowSeconds } = CHALLENGES
  const [tenBefore] = await db.$queryRaw<{ readonly seconds: number }[]>`
    select ceil(extract(epoch from at - now()) + ${windowSeconds})::int as seconds
    from auth_methods, unnest(challenge_times || created_at) at
    where platform_id = ${platformId}::uuid and type = ${type}::auth_method_type and lower(nickname) = lower(${nickname})
      and at > now() - make_interval(secs => ${windowSeconds})
    order by at desc offset ${CODES_TO_AN_ADDRESS} limit 1`
  if (tenBefore) throw limited('Too many codes to this address', tenBefore.seconds)
}
