// Limits how many unknown invitation codes a platform can try, so that codes cannot be guessed (docs/domain/invitations.md#codes).
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { db } from '#database/db.ts'
import { Prisma } from '#generated/prisma/client.ts'

const AT_MOST = 100
const WINDOW_SECONDS = 3_600

type Tenant = Pick<Caller, 'platformId'>

const inWindow = Prisma.sql`array(
  select at from unnest(counted.times) at where at > now() - make_interval(secs => ${WINDOW_SECONDS}) order by at)`

/**
 * Counts a code as unknown before it is looked up, so that concurrent guesses cannot share the last one. Over the limit it counts nothing, and
 * throws 429 `RATE_LIMITED` with the seconds until the oldest wrong code leaves the window.
 */
export const consumeGuess = async ({ platformId }: Tenant): Promise<void> => {
  const take = () => db.$executeRaw`
    update invitation_guesses as counted set times = ${inWindow} || now()
    where platform_id = ${platformId}::uuid and cardinality(${inWindow}) < ${AT_MOST}`
  if ((await take()) === 1) return
  // The first guess of a platform.
  await db.$executeRaw`
    insert into invitation_guesses (platform_id, times) values (${platformId}::uuid, '{}') on conflict do nothing`
  if ((await take()) === 1) return
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    select ceil(extract(epoch from (${inWindow})[1] - now()) + ${WINDOW_SECONDS})::int as seconds
    from invitation_guesses counted where platform_id = ${platformId}::uuid`
  throw new ApiError('RATE_LIMITED', 'Too many invitation codes were tried', {
    retryAfterSeconds: Math.max(1, row?.seconds ?? 1),
  })
}

/** The code was known. */
export const giveBackGuess = async ({ platformId }: Tenant): Promise<void> => {
  await db.$executeRaw`
    update invitation_guesses set times = trim_array(times, least(1, cardinality(times)))
    where platform_id = ${platformId}::uuid`
}
