// Payments in production, where no provider settles them: the ledger completes what stays in it, and the operator reports the rest.
import { expect, it } from 'vitest'
import { StartupError } from '#core/environment.ts'
import { partsOfId, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { reportCustomer, reportDeposit, reportPayment } from '#operator-reports.ts'
import { completeInternal } from '#settlement/internal.ts'
import { until, waiting } from '#test/setup/credentials/interleaved.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, fundsOf, quoteInput, timelineOf, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createUmaDemand, createUmaProvider } from '#test/setup/uma/rows.ts'
import {
  changePlatform,
  createCustomer,
  createInternalAccount,
  createTransactions,
  outgoing,
} from '#test/setup/world.ts'

const createProductionPayer = async () => {
  const payer = await createPayer()
  await changePlatform(payer.platform, { environment: 'PRODUCTION' })
  const { id: customerId } = await createCustomer(payer.platform)
  const friend = await createInternalAccount(payer.platform, { customerId })
  return { ...payer, friend: publicId('InternalAccount', friend.id) }
}
type Paying = Awaited<ReturnType<typeof createProductionPayer>>

const pay = async ({ platform, dollars }: Paying, to: string) => {
  const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, to, 10_000))
  expect((await send(platform, 'POST', `/quotes/${quote.id}/execute`)).status).toBe(200)
  return quote.transactionId as string
}

it('a payment between internal accounts arrives, because all its money is in the ledger', async () => {
  const payer = await createProductionPayer()
  const id = await pay(payer, payer.friend)
  await passTime(payer.platform.id)
  expect(await timelineOf(payer.platform, id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([90_000, 90_000])
  expect(await fundsOf(payer.platform, payer.friend)).toEqual([10_000, 10_000])
})

it('a payment to an internal account that was closed meanwhile is refunded', async () => {
  const payer = await createProductionPayer()
  const id = await pay(payer, payer.friend)
  await db.internalAccount.updateMany({ where: { id: payer.friend.split(':')[1] ?? '' }, data: { status: 'CLOSED' } })
  await passTime(payer.platform.id)
  expect(await timelineOf(payer.platform, id)).toEqual(['PENDING', 'PROCESSING', 'FAILED QUOTE_EXECUTION_FAILED'])
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([100_000, 100_000])
})

it('the operator reports that a payout arrived, and fails it when the bank returns it later', async () => {
  const payer = await createProductionPayer()
  const { platform, dollars } = payer
  const id = await pay(payer, payer.outside)
  await passTime(platform.id)
  expect(await timelineOf(platform, id)).toEqual(['PENDING', 'PROCESSING'])
  expect(await reportPayment(platform.id, id, 'COMPLETED')).toBe('COMPLETED')
  expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
  await expect(reportPayment(platform.id, id, 'COMPLETED')).rejects.toThrow('The payment is not under way')
  expect(await reportPayment(platform.id, id, 'FAILED')).toBe('FAILED')
  expect((await send(platform, 'GET', `/transactions/${id}`)).body).toMatchObject({
    status: 'FAILED',
    failureReason: 'QUOTE_EXECUTION_FAILED',
    refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
  })
  expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  await expect(reportPayment(platform.id, id, 'FAILED')).rejects.toThrow('The payment is FAILED')
})

/** Runs them on one payment at the same moment, the first one first. */
const atOnce = async ({ platform }: Paying, id: string, runs: readonly (() => Promise<unknown>)[]) => {
  const [all] = await db.$transaction(async (holder) => {
    await holder.$queryRaw`
      select from transactions where platform_id = ${platform.id}::uuid and id = ${partsOfId(id).uuid}::uuid for no key update`
    const running: Promise<unknown>[] = []
    for (const run of runs) {
      running.push(run())
      await until(async () => (await waiting()) === running.length)
    }
    return [Promise.allSettled(running)]
  })
  return all
}

it('the operator cannot fail a payment that arrives at the same moment: its receiver keeps the money', async () => {
  const payer = await createProductionPayer()
  const { platform, friend } = payer
  const id = await pay(payer, friend)
  const job = { platformId: platform.id, transactionId: partsOfId(id).uuid }
  const runs = [() => completeInternal.run(job), () => reportPayment(platform.id, id, 'FAILED')]
  expect(await atOnce(payer, id, runs)).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { message: 'The status of the payment has changed' } },
  ])
  expect(await timelineOf(platform, id)).toEqual(['PENDING', 'PROCESSING', 'COMPLETED'])
  expect(await fundsOf(platform, friend)).toEqual([10_000, 10_000])
})

it('the job of a payment between internal accounts has one effect and does not fail when it runs twice at once', async () => {
  const payer = await createProductionPayer()
  const { platform, friend } = payer
  const id = await pay(payer, friend)
  const complete = () => completeInternal.run({ platformId: platform.id, transactionId: partsOfId(id).uuid })
  const done = { status: 'fulfilled' }
  expect(await atOnce(payer, id, [complete, complete])).toMatchObject([done, done])
  expect(await fundsOf(platform, friend)).toEqual([10_000, 10_000])
})

it.each([
  ['COMPLETED', 101_000],
  ['FAILED', 100_000],
] as const)('the operator reports that a transfer in is %s', async (status, balance) => {
  const { platform, dollars, outside } = await createProductionPayer()
  const { body } = await send(platform, 'POST', '/transfer-in', transferInput(outside, dollars, 1_000))
  await expect(reportPayment(platform.id, body.id, status)).rejects.toThrow('The payment is PENDING')
  await passTime(platform.id)
  expect(await reportPayment(platform.id, body.id, status)).toBe(status)
  expect(await fundsOf(platform, dollars)).toEqual([balance, balance])
})

it('the operator reports money that has arrived, once for each reference of the bank', async () => {
  const { platform, dollars } = await createProductionPayer()
  const id = await reportDeposit(platform.id, dollars, 2_500n, 'INV-42')
  await expect(reportDeposit(platform.id, dollars, 2_500n, 'INV-42')).rejects.toThrow('already has a deposit')
  expect(await fundsOf(platform, dollars)).toEqual([102_500, 102_500])
  expect((await send(platform, 'GET', `/transactions/${publicId('Transaction', id)}`)).body).toMatchObject({
    type: 'INCOMING',
    status: 'COMPLETED',
    source: { sourceType: 'REALTIME_FUNDING', remittanceInformation: 'INV-42' },
    reconciliationInstructions: { reference: 'INV-42' },
  })
})

it('the operator reports the outcome of a verification, and approval opens the accounts', async () => {
  const { platform } = await createProductionPayer()
  const person = { customerType: 'INDIVIDUAL', fullName: 'Grace Hopper', birthDate: '1990-12-09', nationality: 'DE' }
  const { body } = await send(platform, 'POST', '/customers', { ...person, currencies: ['EUR'] })
  expect(body.kycStatus).toBe('UNVERIFIED')
  const submitted = await send(platform, 'POST', '/verifications', { customerId: body.id })
  expect(submitted).toMatchObject({ status: 501, body: { message: expect.stringContaining('operator') } })
  await reportCustomer(platform.id, body.id, 'APPROVED')
  expect((await send(platform, 'GET', `/customers/${body.id}`)).body.kycStatus).toBe('APPROVED')
  const accounts = await send(platform, 'GET', `/customers/internal-accounts?customerId=${body.id}&currency=EUR`)
  expect(accounts.body.data).toMatchObject([{ type: 'INTERNAL_FIAT', status: 'ACTIVE' }])
})

it('the operator reports nothing about other platforms, and nothing that another institution or the sandbox decides', async () => {
  const { platform, dollars } = await createProductionPayer()
  const sandbox = await createPayer()
  await expect(reportDeposit(platform.id, sandbox.dollars, 1n, 'A')).rejects.toThrow(`has no ${sandbox.dollars}`)
  await expect(reportDeposit(sandbox.platform.id, sandbox.dollars, 1n, 'A')).rejects.toThrow('The sandbox simulates')
  await expect(reportCustomer(platform.id, sandbox.customerId, 'HOLD')).rejects.toThrow(StartupError)
  await expect(reportDeposit(platform.id, dollars, 10n ** 16n, 'A')).rejects.toThrow(StartupError)
  const [row] = await createTransactions(platform, [outgoing({ status: 'PROCESSING' })])
  const transactionId = row?.id ?? ''
  const { id: providerId } = await createUmaProvider(platform)
  await createUmaDemand(platform, { providerId, transactionId, expiresAt: new Date() })
  const report = reportPayment(platform.id, publicId('Transaction', transactionId), 'FAILED')
  await expect(report).rejects.toThrow('The institution of the other party settles this payment')
})
