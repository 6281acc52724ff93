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

/** Throws 429 `RATE_LIMITED` with the seconds until the oldest wrong code leaves the window. */
export const requireGuesses = async ({ platformId }: Tenant): Promise<void> => {
  const [row] = await db.$queryRaw<{ count: number; seconds: number | null }[]>`
    select cardinality(${inWindow}) as count,
      ceil(extract(epoch from (${inWindow})[1] - now()) + ${WINDOW_SECONDS})::int as seconds
    from invitation_guesses counted where platform_id = ${platformId}::uuid`
  if (!row || row.count < AT_MOST) return
  throw new ApiError('RATE_LIMITED', 'Too many invitation codes were tried', {
    retryAfterSeconds: Math.max(1, row.seconds ?? 1),
  })
}

/** Counts an unknown code. The second statement is for the first guess of a platform. */
export const countGuess = async ({ platformId }: Tenant): Promise<void> => {
  const counted = await db.$executeRaw`
    update invitation_guesses as counted set times = ${inWindow} || now() where platform_id = ${platformId}::uuid`
  if (counted > 0) return
  await db.$executeRaw`
    insert into invitation_guesses as counted (platform_id, times) values (${platformId}::uuid, array[now()])
    on conflict (platform_id) do update set times = counted.times || excluded.times`
}
