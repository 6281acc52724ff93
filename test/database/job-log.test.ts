// What the log says of a job that fails because others change the same rows. It is repeated, so only its last attempt is a fault.
// Own process: runs every job of its database.
import { afterEach, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { retryFailedJobs } from '#database/jobs/failed-jobs.ts'
import { type JobRunner, runJobs } from '#database/jobs/jobs.ts'
import { tasks } from '#tasks.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'

let runner: JobRunner | undefined
afterEach(async () => {
  await runner?.stop()
  vi.restoreAllMocks()
})

it('is a warning that it will be repeated, until its last attempt, which is a failure', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const linesOf = (event: string) =>
    written.mock.calls
      .map(([line]) => JSON.parse(String(line)))
      .filter((line) => line.event === event && String(line.task).startsWith('startTransfer '))
  const { platform, dollars, outside } = await createPayer()
  await db.$executeRaw`create function lose_race() returns trigger language plpgsql as
    $$ begin raise 'could not serialize access' using errcode = 'serialization_failure'; end $$`
  await db.$executeRaw`create trigger lose_race before update on transactions for each row execute function lose_race()`
  runner = await runJobs(tasks)
  const { body, status } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 1_000))
  expect(status).toBe(201)

  await expect.poll(() => linesOf('will be repeated')).not.toEqual([])
  expect(linesOf('will be repeated')[0]).toMatchObject({ level: 'warn', cause: 'SERVICE_UNAVAILABLE' })
  expect(linesOf('failure')).toEqual([])

  const isOver = () => db.$executeRaw`
    update graphile_worker._private_jobs set max_attempts = attempts + 1, run_at = now()
    where payload ->> 'platformId' = ${platform.id} and is_available`
  await expect.poll(isOver).toBe(1)
  await expect.poll(() => linesOf('failure')).toMatchObject([{ level: 'error', code: 'SERVICE_UNAVAILABLE' }])

  await db.$executeRaw`drop function lose_race cascade`
  expect(await retryFailedJobs()).toBe(1)
  const statusNow = async () => (await send(platform, 'GET', `/transactions/${body.id}`)).body.status
  await expect.poll(statusNow).toBe('COMPLETED')
})
