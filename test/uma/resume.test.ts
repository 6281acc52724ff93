// Demands that no job drives any more are continued, however many others wait for an institution that stays silent (docs/domain/uma.md#settlement).
// Own process: resumes demands of the whole database.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
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
  paidFrom,
  paidTo,
} from '#test/setup/world.ts'

const SILENT = 60

it('a silent institution blocks neither the money of its payments nor the payments of others', async () => {
  const platform = await createPlatform()
  const { id: customerId, platformCustomerId } = await createCustomer(platform)
  const { id: accountId } = await createInternalAccount(platform, { customerId, balance: 5_000n })
  const [silent, other] = [await createUmaProvider(platform), await createUmaProvider(platform)]
  const demand = (transactionId: string, role: 'PAYER' | 'PAYEE', providerId: string, minutes: number) => ({
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
      ...payments.map(({ id }, index) => demand(id ?? '', 'PAYER', silent.id, 100 + index)),
      demand(received.id ?? '', 'PAYEE', other.id, 11),
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
