// Demands that no job drives any more are continued, however many others wait for an institution that stays silent (docs/domain/uma.md#settlement).
// Own process: resumes demands of the whole database.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { runJobs } from '#database/jobs/jobs.ts'
import { resumeUma } from '#settlement/uma/resume.ts'
import { tasks } from '#tasks.ts'
import { fundsOf, timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import type { Counterpart, Handler } from '#test/setup/uma/counterpart.ts'
import { closePayer, lookUp, meet, openPayer, payer, quote } from '#test/setup/uma/paying.ts'
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

useSettings({ umaAllowPrivate: true })

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

/** A quote that pays ten dollars to the customer of the institution. */
const quoteTo = async ({ address }: Counterpart): Promise<string> => {
  const lookup = await lookUp(address)
  const made = await quote(address, lookup.body.lookupId, { lockedCurrencyAmount: 1_000 })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}

const execute = async (quoteId: string) => {
  const { body, text } = await send(payer.platform, 'POST', `/quotes/${quoteId}/execute`)
  expect(body.status, text).toBe('PROCESSING')
}

const isCompleted = (quoteId: string) =>
  expect.poll(async () => (await send(payer.platform, 'GET', `/quotes/${quoteId}`)).body.status).toBe('COMPLETED')

/** More than the jobs that a process runs at the same time. */
const PAYMENTS = 5

it('an institution is notified of its payment while two others are silent about theirs', async () => {
  await openPayer()
  const [first, second, third] = await Promise.all([meet(), meet(), meet()])
  const answerOf =
    ({ goodDone }: Counterpart): Handler =>
    (_request, response, body) =>
      response.end(JSON.stringify(goodDone(body)))
  const silent = [first, second].map((institution) => {
    const open = new Map<object, () => unknown>()
    institution.handlers.done = (request, response, body) => {
      open.set(response, () => answerOf(institution)(request, response, body))
      response.on('close', () => open.delete(response))
    }
    return { institution, open }
  })
  const stillSilent: boolean[] = []
  third.handlers.done = (...call) => {
    stillSilent.push(silent.every(({ open }) => open.size > 0))
    return answerOf(third)(...call)
  }
  const late = await Promise.all([first, second].flatMap((one) => Array.from({ length: PAYMENTS }, () => quoteTo(one))))
  const other = await quoteTo(third)
  const jobs = await runJobs(tasks)
  try {
    await Promise.all(late.map(execute))
    const fewest = () =>
      Math.min(...[first, second].map(({ calls }) => calls.filter((path) => path.startsWith('/uma/done/')).length))
    await expect.poll(fewest).toBeGreaterThanOrEqual(PAYMENTS)
    await execute(other)
    await isCompleted(other)
    expect(stillSilent).toEqual([true])
    for (const { institution, open } of silent) {
      institution.handlers.done = answerOf(institution)
      for (const answer of open.values()) answer()
    }
    for (const id of late) await isCompleted(id)
  } finally {
    closePayer()
    await jobs.stop()
  }
}, 120_000)
