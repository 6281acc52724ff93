// Limits how many device codes one address can try (docs/domain/limits.md#device-code-limits). Postgres counts, so that all processes share
// the count.

import { ApiError } from '#core/errors.ts'
import { db } from '#database/db.ts'
import { createTurns } from '#database/turns.ts'
import { Prisma } from '#generated/prisma/client.ts'

const AT_MOST = 10
const WINDOW_SECONDS = 60

const inWindow = Prisma.sql`array(
  select at from unnest(counted.times) at where at > now() - make_interval(secs => ${WINDOW_SECONDS}) order by at)`

/** At most two redeems run at once: a stranger can send any number, and each holds a database connection. */
const inTurn = createTurns(2)

const MOST_REFUSED = 10_000
/** Until when an address is refused, in milliseconds of `Date.now()`. */
const refusedUntil = new Map<string, number>()

/**
 * Counts an attempt, then runs `redeem`. Over the limit it counts nothing, and throws 429 `RATE_LIMITED` with the seconds until the oldest
 * attempt leaves the window. The process remembers the refusal, so that further attempts do not reach the database.
 */
export const countingAttempt = <T>(clientAddress: string | null, redeem: () => Promise<T>): Promise<T> => {
  const address = clientAddress ?? 'in process'
  return inTurn(address, async () => {
    const seconds = secondsRefused(address) || (await consumeAttempt(address))
    if (seconds === 0) return redeem()
    throw new ApiError('RATE_LIMITED', 'Too many device codes were tried from this address', {
      retryAfterSeconds: seconds,
    })
  })
}

const secondsRefused = (address: string): number => {
  const seconds = Math.ceil(((refusedUntil.get(address) ?? 0) - Date.now()) / 1_000)
  if (seconds > 0) return seconds
  refusedUntil.delete(address)
  return 0
}

/** Returns for how many seconds the address is refused. */
const consumeAttempt = async (address: string): Promise<number> => {
  const taken = await db.$executeRaw`
    insert into device_code_redeems as counted (client_address, times, last_at) values (${address}, array[now()], now())
    on conflict (client_address) do update set times = ${inWindow} || now(), last_at = now()
      where cardinality(${inWindow}) < ${AT_MOST}`
  if (taken === 1) {
    await forgetOthers(address)
    return 0
  }
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    select ceil(extract(epoch from (${inWindow})[1] - now()) + ${WINDOW_SECONDS})::int as seconds
    from device_code_redeems counted where client_address = ${address}`
  const seconds = Math.max(1, row?.seconds ?? 1)
  if (refusedUntil.size === MOST_REFUSED) refusedUntil.clear()
  refusedUntil.set(address, Date.now() + seconds * 1_000)
  return seconds
}

/** Deletes a few expired addresses. It deletes more rows than a call inserts, so the table stays small. */
const forgetOthers = async (address: string) => {
  await db.$executeRaw`
    delete from device_code_redeems where client_address in (
      select client_address from device_code_redeems
      where last_at < now() - make_interval(secs => ${WINDOW_SECONDS}) and client_address <> ${address}
      limit 5 for update skip locked)`
}
