// Locks are taken in one order: accounts, then the quote, then its transaction. A transaction that waits for one lock has not taken the next.
import { expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { resumePayments } from '#resume-payments.ts'
import { tasks } from '#tasks.ts'
import { type ActionFace, actionFaces } from '#test/setup/agents/action-faces.ts'
import { until, waiting } from '#test/setup/credentials/interleaved.ts'
import { basic } from '#test/setup/faces.ts'
import { waitingOf } from '#test/setup/payments/due-jobs.ts'
import { createOutside, createPayer, fundsOf, quoteInput } from '#test/setup/payments/payers.ts'
import { type PaymentFace, paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform, createQuote, createTransactions, incoming, type Platform } from '#test/setup/world.ts'

const [face] = paymentFaces as readonly [PaymentFace]
const [decider] = actionFaces as readonly [ActionFace]
const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

/** Runs the next job of this name, as the job runner would. */
const runNext = async ({ id }: Platform, name: string) => {
  const job = (await waitingOf(id)).find((each) => each.name === name)
  await tasks.find((task) => task.name === name)?.run(job?.payload as never)
  await db.$executeRaw`
    delete from graphile_worker._private_jobs where payload::jsonb = ${JSON.stringify(job?.payload)}::jsonb`
}

/** `internal_accounts`, `quotes` or `transactions`, and the public id. */
type Row = readonly [table: string, id: string]
const lockOf = async ([table, id]: Row) => {
  const [row] = await db.$queryRawUnsafe<{ platform: string }[]>(
    `select platform_id::text as platform from ${table} where id = '${uuidOf(id)}'`,
  )
  return `select 1 as locked from ${table} where platform_id = '${row?.platform}' and id = '${uuidOf(id)}' for no key update`
}

/** While `held` is locked, `run` waits for it, and the rows `free` can still be locked by others. */
const waitsFor = async (held: Row, run: () => Promise<unknown>, free: readonly Row[]) => {
  const locks = await Promise.all(free.map(lockOf))
  const lock = await lockOf(held)
  const running = await db.$transaction(async (holder) => {
    await holder.$queryRawUnsafe(lock)
    const started = run()
    await until(async () => (await waiting()) > 0)
    for (const each of locks) await db.$queryRawUnsafe(`${each} nowait`)
    return [started]
  })
  await running[0]
}

const prepare = async (suffix: string) => {
  const payer = await createPayer()
  const { platform, dollars, euros } = payer
  const to = suffix === 'inside' ? euros : await createOutside(platform, suffix)
  const { body } = await face.createQuote(platform, quoteInput(dollars, to))
  const quote: Row = ['quotes', body.id]
  const payment: Row = ['transactions', body.transactionId]
  return {
    ...payer,
    quote,
    payment,
    execute: () => face.executeQuote(platform, body.id),
    advance: () => runNext(platform, 'advancePayment'),
    statuses: async () => [
      (await face.readQuote(platform, body.id)).body.status,
      (await face.readTransaction(platform, body.transactionId)).body.status,
    ],
  }
}

/** An incoming payment with a quote, as UMA makes them. */
const receive = async () => {
  const platform = await createPlatform()
  const { id: quoteId } = await createQuote(platform, { status: 'PENDING' })
  const [row] = await createTransactions(platform, [incoming({ status: 'PENDING', quoteId })])
  const quote: Row = ['quotes', publicId('Quote', quoteId)]
  const payment: Row = ['transactions', publicId('Transaction', row?.id ?? '')]
  const statuses = async () => [
    (await face.readQuote(platform, quote[1])).body.status,
    (await face.readTransaction(platform, payment[1])).body.status,
  ]
  return { platform, quote, payment, statuses }
}

it('executing a quote', async () => {
  const [one, two] = [await prepare('001'), await prepare('001')]
  await waitsFor(['internal_accounts', one.dollars], one.execute, [one.quote, one.payment])
  await waitsFor(two.quote, two.execute, [two.payment])
  for (const { statuses } of [one, two]) expect(await statuses()).toEqual(['PROCESSING', 'PROCESSING'])
})

it('deciding on an incoming payment', async () => {
  for (const verb of ['approveTransaction', 'rejectTransaction'] as const) {
    const { platform, quote, payment, statuses } = await receive()
    await waitsFor(quote, () => decider[verb](basic(platform), payment[1]), [payment])
    expect(await statuses()).toEqual(
      verb === 'approveTransaction' ? ['PROCESSING', 'PROCESSING'] : ['FAILED', 'REJECTED'],
    )
  }
})

it('ending an incoming payment that nobody decided', async () => {
  const { quote, payment, statuses } = await receive()
  await db.$executeRaw`update transactions set updated_at = plus_seconds(updated_at, -3600) where id = ${uuidOf(payment[1])}::uuid`
  await waitsFor(quote, () => resumePayments.run({}), [payment])
  expect(await statuses()).toEqual(['FAILED', 'FAILED'])
})

it('expiring a quote', async () => {
  const { platform, quote, payment, statuses } = await prepare('001')
  await db.quote.updateMany({ where: { id: uuidOf(quote[1]) }, data: { expiresAt: new Date(Date.now() - 1) } })
  await waitsFor(quote, () => runNext(platform, 'expireQuote'), [payment])
  expect(await statuses()).toEqual(['EXPIRED', 'EXPIRED'])
})

it('crediting an account on arrival', async () => {
  const [one, two] = [await prepare('inside'), await prepare('inside')]
  await Promise.all([one.execute(), two.execute()])
  await waitsFor(['internal_accounts', one.euros], one.advance, [one.quote, one.payment])
  await waitsFor(two.quote, two.advance, [two.payment])
  for (const { statuses } of [one, two]) expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
})

it('returning money that cannot arrive', async () => {
  const { dollars, euros, platform, quote, payment, execute, advance, statuses } = await prepare('inside')
  await execute()
  await db.internalAccount.updateMany({ where: { id: uuidOf(euros) }, data: { status: 'FROZEN' } })
  await waitsFor(['internal_accounts', dollars], advance, [quote, payment])
  expect(await statuses()).toEqual(['FAILED', 'FAILED'])
  expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
})

it('refunding a failed payment', async () => {
  const { dollars, platform, quote, payment, execute, advance, statuses } = await prepare('002')
  await execute()
  await waitsFor(quote, advance, [payment])
  await waitsFor(['internal_accounts', dollars], advance, [quote, payment])
  expect(await statuses()).toEqual(['FAILED', 'FAILED'])
  expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
})

it('refunding a payment that the user cancelled', async () => {
  const { dollars, platform, quote, payment, execute, advance, statuses } = await prepare('006')
  await execute()
  await advance()
  await waitsFor(quote, advance, [payment])
  expect(await statuses()).toEqual(['COMPLETED', 'COMPLETED'])
  expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
})

it('funding a quote, and cancelling its payment', async () => {
  const { platform, customerId } = await createPayer()
  const outside = await createOutside(platform, '003', { paymentRails: ['ACH'] })
  const { body } = await face.createQuote(platform, {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId },
    destination: { destinationType: 'ACCOUNT', accountId: outside },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 100,
  })
  const [quote, payment]: Row[] = [
    ['quotes', body.id],
    ['transactions', body.transactionId],
  ]
  if (!quote || !payment) throw new Error('No rows')
  const push = () => send(platform, 'POST', '/sandbox/send', { quoteId: body.id, currencyCode: 'USD' })
  await waitsFor(quote, push, [payment])
  const cancel = () => send(platform, 'POST', `/transactions/${body.transactionId}/cancel`)
  await waitsFor(quote, cancel, [payment])
  await waitsFor(quote, () => runNext(platform, 'settleRefund'), [payment])
  expect((await face.readTransaction(platform, body.transactionId)).body.refund.status).toBe('COMPLETED')
})

it('a deposit', async () => {
  const { platform, dollars } = await createPayer()
  const fund = () => send(platform, 'POST', `/sandbox/internal-accounts/${dollars}/fund`, { amount: 1 })
  await waitsFor(['internal_accounts', dollars], fund, [])
  expect(await fundsOf(platform, dollars)).toEqual([100_001, 100_001])
})

it('a quote that expires while its execution waits for the account is not executed', async () => {
  const { platform, dollars, quote } = await prepare('001')
  const lock = await lockOf(['internal_accounts', dollars])
  const [running] = await db.$transaction(async (holder) => {
    await holder.$queryRawUnsafe(lock)
    const started = face.executeQuote(platform, quote[1])
    await until(async () => (await waiting()) > 0)
    await db.$executeRaw`
      update quotes set expires_at = now() where platform_id = ${platform.id}::uuid and id = ${uuidOf(quote[1])}::uuid`
    return [started]
  })
  expect(await running).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: { reason: 'QUOTE_EXPIRED' } } })
  expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
})
