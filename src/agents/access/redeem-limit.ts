// Limits how many device codes one address can try (docs/domain/limits.md#device-code-limits). Postgres counts, so that all processes share
// the count.

import { ApiError } from '#core/errors.ts'
import { db } from '#database/db.ts'
import { Prisma } from '#generated/prisma/client.ts'

const AT_MOST = 10
const WINDOW_SECONDS = 60

const inWindow = Prisma.sql`array(
  select at from unnest(counted.times) at where at > now() - make_interval(secs => ${WINDOW_SECONDS}) order by at)`

/**
 * Counts an attempt. Over the limit it counts nothing, and throws 429 `RATE_LIMITED` with the seconds until the oldest attempt leaves the
 * window.
 */
export const consumeRedeemAttempt = async (clientAddress: string | null): Promise<void> => {
  const address = clientAddress ?? 'in process'
  const taken = await db.$executeRaw`
    insert into device_code_redeems as counted (client_address, times, last_at) values (${address}, array[now()], now())
    on conflict (client_address) do update set times = ${inWindow} || now(), last_at = now()
      where cardinality(${inWindow}) < ${AT_MOST}`
  if (taken === 1) return forgetOthers(address)
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    select ceil(extract(epoch from (${inWindow})[1] - now()) + ${WINDOW_SECONDS})::int as seconds
    from device_code_redeems counted where client_address = ${address}`
  throw new ApiError('RATE_LIMITED', 'Too many device codes were tried from this address', {
    retryAfterSeconds: Math.max(1, row?.seconds ?? 1),
  })
}

/** Deletes a few expired addresses. It deletes more rows than a call inserts, so the table stays small. */
const forgetOthers = async (address: string) => {
  await db.$executeRaw`
    delete from device_code_redeems where client_address in (
      select client_address from device_code_redeems
      where last_at < now() - make_interval(secs => ${WINDOW_SECONDS}) and client_address <> ${address}
      limit 5 for update skip locked)`
}
