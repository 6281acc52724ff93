// How often device codes may be tried from one address (docs/domain/limits.md#device-code-limits). Counted in Postgres, so that all processes
// share the count.

import { ApiError } from '#core/errors.ts'
import { db } from '#database/db.ts'
import { Prisma } from '#generated/prisma/client.ts'

const AT_MOST = 10
const WINDOW_SECONDS = 60

const inWindow = Prisma.sql`array(
  select at from unnest(counted.times) at where at > now() - make_interval(secs => ${WINDOW_SECONDS}) order by at)`

/** Counts one, or refuses with 429 `RATE_LIMITED` and the seconds until the oldest counted one leaves the window. A refusal is not counted. */
export const takeRedeem = async (clientAddress: string | null): Promise<void> => {
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

/** A few addresses that have nothing counted any more: more than come in, so that the table stays small. */
const forgetOthers = async (address: string) => {
  await db.$executeRaw`
    delete from device_code_redeems where client_address in (
      select client_address from device_code_redeems
      where last_at < now() - make_interval(secs => ${WINDOW_SECONDS}) and client_address <> ${address}
      limit 5 for update skip locked)`
}
