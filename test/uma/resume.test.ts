// Demands that no job drives any more are continued, however many others wait for an institution that stays silent (docs/domain/uma.md#settlement).
// Own process: resumes demands of the whole database, and sets UMA_ALLOW_PRIVATE.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, it, vi } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { addJob, runJobs } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { tellPayment } from '#settlement/uma/pay.ts'
import { resumeUma } from '#settlement/uma/resume.ts'
import { fundsOf, timelineOf } from '#test/setup/payments/payers.ts'
import { createUmaProvider } from '#test/setup/uma/rows.ts'
import {
  createCustomer,
  createInternalAccount,
  createPlatform,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
  paidFrom,
  paidTo,
} from '#test/setup/world.ts'
import { createKeys } from '#uma/own-keys.ts'

vi.hoisted(() => {
  process.env['UMA_ALLOW_PRIVATE'] = 'true'
})

const SILENT = 60

const demandOf = (
  platform: Platform,
  transactionId: string,
  role: 'PAYER' | 'PAYEE',
  providerId: string,
  minutes: number,
) => ({
  platformId: platform.id,
  id: randomUUID(),
  role,
  demandId: randomUUID(),
  providerId,
  transactionId,
  payer: '$alice@a.example',
  payee: '$bob@b.example',
  satoshis: 1_000n,
  currency: 'USD',
  amount: 100n,
  expiresAt: new Date(Date.now() - minutes * 60_000),
  ...(role === 'PAYER' && { callback: '/uma/done/x' }),
})

it('a silent institution blocks neither the money of its payments nor the payments of others', async () => {
  const platform = await createPlatform()
  const { id: customerId, platformCustomerId } = await createCustomer(platform)
  const { id: accountId } = await createInternalAccount(platform, { customerId, balance: 5_000n })
  const [silent, other] = [await createUmaProvider(platform), await createUmaProvider(platform)]
  const payments = Array.from({ length: SILENT }, () =>
    outgoing({
      id: randomUUID(),
      customerId,
      platformCustomerId,
      status: 'PROCESSING',
      ...paidFrom(`InternalAccount:${accountId}`),
    }),
  )
  const received = incoming({
    id: randomUUID(),
    customerId,
    platformCustomerId,
    status: 'PROCESSING',
    ...paidTo(`InternalAccount:${accountId}`),
  })
  await createTransactions(platform, [...payments, received])
  await db.umaDemand.createMany({
    data: [
      ...payments.map(({ id }, index) => demandOf(platform, id ?? '', 'PAYER', silent.id, 100 + index)),
      demandOf(platform, received.id ?? '', 'PAYEE', other.id, 11),
    ],
  })
  const before = await fundsOf(platform, accountId)
  await resumeUma.run({})
  // The demand that can end has ended. Those of the silent institution wait, and no money is returned while it is silent.
  expect((await timelineOf(platform, publicId('Transaction', received.id ?? ''))).at(-1)).toBe('FAILED QUOTE_EXPIRED')
  const [open] = await db.$queryRaw<{ payments: number; demands: number }[]>`
    select (select count(*)::int from transactions where platform_id = ${platform.id}::uuid and status = 'PROCESSING') as payments,
      (select count(*)::int from uma_demands where platform_id = ${platform.id}::uuid and status = 'OPEN') as demands`
  expect(open).toEqual({ payments: SILENT, demands: SILENT })
  expect(await fundsOf(platform, accountId)).toEqual(before)
})

it('payments to a silent institution leave workers free for other jobs', async () => {
  let calls = 0
  const server = createServer((socket) => {
    calls += 1
    socket.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const platform = await createPlatform()
  await createKeys(platform.id, 'payer.example')
  await db.platform.update({ where: { id: platform.id }, data: { umaDomain: 'payer.example' } })
  const { id: customerId, platformCustomerId } = await createCustomer(platform)
  const { port } = server.address() as AddressInfo
  const { id: providerId } = await createUmaProvider(platform, { baseUrl: `http://127.0.0.1:${port}` })
  const payments = Array.from({ length: 8 }, () =>
    outgoing({ id: randomUUID(), customerId, platformCustomerId, status: 'PROCESSING' }),
  )
  await createTransactions(platform, payments)
  await db.umaDemand.createMany({
    data: payments.map(({ id }) => demandOf(platform, id ?? '', 'PAYER', providerId, -1)),
  })
  const other = { name: 'other', run: vi.fn(async () => {}) }
  await inTransaction(async (tx) => {
    for (const { id } of payments)
      await addJob(tx, tellPayment, { platformId: platform.id, transactionId: id ?? '', waits: 8 })
    await addJob(tx, other, {})
  })
  const jobs = await runJobs([tellPayment, other])
  try {
    await vi.waitFor(() => expect(other.run).toHaveBeenCalled(), { timeout: 30_000 })
    await vi.waitFor(() => expect(calls).toBe(1), { timeout: 30_000 })
    const waiting = async () => {
      const [later] = await db.$queryRaw<{ payments: number }[]>`
        select count(*)::int as payments from graphile_worker._private_jobs
        where payload ->> 'platformId' = ${platform.id} and attempts = 0 and run_at > now()`
      return later?.payments
    }
    await vi.waitFor(async () => expect(await waiting()).toBe(payments.length - 1), { timeout: 30_000 })
  } finally {
    server.close()
    await jobs.stop()
  }
})
