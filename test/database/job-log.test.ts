// What the log says of a job that fails because others change the same rows. It is repeated, so only its last attempt is a fault. The log names the
// request that the job was added for.
// Own process: runs every job of its database.
import { afterEach, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { retryFailedJobs } from '#database/jobs/failed-jobs.ts'
import { type JobRunner, runJobs } from '#database/jobs/jobs.ts'
import { tasks } from '#tasks.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'

const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

let runner: JobRunner | undefined
afterEach(async () => {
  await runner?.stop()
  await endRaces()
  vi.restoreAllMocks()
})

/** Payments do not change while the work runs, as if others changed the same rows all the time. */
const loseRaces = async (condition: string) => {
  await db.$executeRaw`create function lose_race() returns trigger language plpgsql as
    $$ begin raise 'could not serialize access' using errcode = 'serialization_failure'; end $$`
  await db.$executeRawUnsafe(
    `create trigger lose_race before update on transactions for each row when (${condition}) execute function lose_race()`,
  )
}
const endRaces = () => db.$executeRaw`drop function if exists lose_race cascade`

const listen = () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  return (event: string, task: string) =>
    written.mock.calls
      .map(([line]) => JSON.parse(String(line)))
      .filter((line) => line.event === event && String(line.task).startsWith(`${task} `))
}

it('is a warning that it will be repeated, until its last attempt, which is a failure', async () => {
  const linesOf = listen()
  const { platform, dollars, outside } = await createPayer()
  await loseRaces('true')
  runner = await runJobs(tasks)
  const { body, status, headers } = await send(
    platform,
    'POST',
    '/transfer-out',
    transferInput(dollars, outside, 1_000),
  )
  expect(status).toBe(201)
  const traceId = headers.get('x-request-id')

  await expect.poll(() => linesOf('will be repeated', 'startTransfer')).not.toEqual([])
  expect(linesOf('will be repeated', 'startTransfer')[0]).toMatchObject({
    level: 'warn',
    cause: 'SERVICE_UNAVAILABLE',
    traceId,
  })
  expect(linesOf('failure', 'startTransfer')).toEqual([])

  const isOver = () => db.$executeRaw`
    update graphile_worker._private_jobs set max_attempts = attempts + 1, run_at = now()
    where payload ->> 'platformId' = ${platform.id} and is_available`
  await expect.poll(isOver).toBe(1)
  await expect
    .poll(() => linesOf('failure', 'startTransfer'))
    .toMatchObject([{ level: 'error', code: 'SERVICE_UNAVAILABLE', traceId }])

  await endRaces()
  await expect.poll(retryFailedJobs).toBe(1)
  const statusNow = async () => (await send(platform, 'GET', `/transactions/${body.id}`)).body.status
  await expect.poll(statusNow).toBe('COMPLETED')
})

it('names the request of each of several payments that are written together, also for the jobs that those jobs add', async () => {
  const linesOf = listen()
  const { platform, dollars, outside } = await createPayer()
  await loseRaces("new.status = 'COMPLETED'")
  runner = await runJobs(tasks)
  const payments = Array.from({ length: 6 }, () =>
    send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 100)),
  )
  const input = { sourceAccountId: dollars, destinationAccountId: outside, amount: 100 }
  const document = `mutation ($input: TransferOutInput!) {
    transferOut(input: $input) { ... on TransferSuccess { transaction { ... on TransactionNode { id } } } }
  }`
  const [{ body, headers }, ...answers] = await Promise.all([
    callGraphQL(basic(platform), document, { input }),
    ...payments,
  ])
  const requests = Object.fromEntries([
    [uuidOf(body.data.transferOut.transaction.id), headers.get('x-request-id')],
    ...answers.map((answer) => [uuidOf(answer.body.id), answer.headers.get('x-request-id')]),
  ])
  const told = () => new Set(linesOf('will be repeated', 'advancePayment').map(({ traceId }) => traceId))
  await expect.poll(told).toEqual(new Set(Object.values(requests)))
  const jobs = await db.$queryRaw<{ payment: string; traceId: string }[]>`
    select payload ->> 'transactionId' as payment, payload ->> 'traceId' as "traceId" from graphile_worker._private_jobs
    where payload ->> 'platformId' = ${platform.id}`
  expect(Object.fromEntries(jobs.map(({ payment, traceId }) => [payment, traceId]))).toEqual(requests)
})
