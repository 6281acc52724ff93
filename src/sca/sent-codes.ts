// How many codes an address may receive, whichever customers have it (docs/domain/limits.md#credential-limits).
import { newUuid } from '#core/ids.ts'
import { limited } from '#credentials/attempt-limits.ts'
import { CODES_TO_AN_ADDRESS } from '#credentials/kinds/otp/codes-to-address.ts'
import { db } from '#database/db.ts'
import { inTransaction, lockText } from '#database/unit-of-work.ts'

const WINDOW_SECONDS = 5 * 60

/**
 * Counts a code and delivers it. 429 `RATE_LIMITED` for the eleventh to an address of the platform within five minutes. A code that was not
 * accepted for delivery does not count.
 */
export const countingSentCode = async (
  platformId: string,
  address: string,
  deliver: () => Promise<void>,
): Promise<void> => {
  const id = newUuid()
  await countSentCode(platformId, id, address)
  try {
    await deliver()
  } catch (error) {
    await db.$executeRaw`delete from sent_codes where platform_id = ${platformId}::uuid and id = ${id}::uuid`
    throw error
  }
}

const countSentCode = (platformId: string, id: string, address: string): Promise<void> =>
  inTransaction(async (tx) => {
    await lockText(tx, `${platformId} code to ${address.toLowerCase()}`)
    const [full] = await tx.$queryRaw<{ seconds: number }[]>`
      select ceil(extract(epoch from sent_at - clock_timestamp()) + ${WINDOW_SECONDS})::int as seconds from sent_codes
      where platform_id = ${platformId}::uuid and lower(address) = lower(${address})
        and sent_at > clock_timestamp() - make_interval(secs => ${WINDOW_SECONDS})
      order by sent_at desc offset ${CODES_TO_AN_ADDRESS - 1} limit 1`
    if (full) throw limited('Too many codes to this address', full.seconds)
    await tx.$executeRaw`
      insert into sent_codes (platform_id, id, address) values (${platformId}::uuid, ${id}::uuid, ${address})`
  })
