// The errors of transactions that wait too long.
import { expect, it } from 'vitest'
import { inTransaction } from '#database/unit-of-work.ts'

it('a transaction that ran out of time is 503 with the seconds to wait', async () => {
  const work = inTransaction(async (tx) => {
    await tx.$executeRaw`set local statement_timeout = 1`
    await tx.$executeRaw`select pg_sleep(1)`
  })
  await expect(work).rejects.toMatchObject({
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    details: { retryAfterSeconds: 1 },
  })
})
